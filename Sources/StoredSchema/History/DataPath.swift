/// The place of a value in the records of a table: a field, or a part of an embedded value, list or
/// map in it.
///
/// The text form is `books.shelf.room`. A list adds the step `[]` and a map the step `{}`, which mean
/// every element and every value: `books.shelves.[].room`. The case of a union is a step, too:
/// `shapes.outline.circle.radius`. A path without steps means whole records.
package struct DataPath: Sendable, Hashable {
    /// The step for every element of a list.
    package static let elements = "[]"
    /// The step for every value of a map.
    package static let mapValues = "{}"

    /// The name of the table.
    package var table: String
    /// The steps from the record, outermost first. The first one is the name of a field.
    package var steps: [String]

    /// Creates a path.
    package init(_ table: String, _ steps: [String] = []) {
        self.table = table
        self.steps = steps
    }

    /// The name of the field; nil for whole records.
    package var field: String? { steps.first }

    /// The last step: the name of the field, member or case itself. Nil for whole records.
    package var name: String? { steps.last }

    /// Returns the path of a part of the value.
    package func appending(_ step: String) -> DataPath { DataPath(table, steps + [step]) }

    /// Returns the path of the same value under another last name.
    package func renamed(to name: String) -> DataPath { DataPath(table, steps.dropLast() + [name]) }
}

extension DataPath: CustomStringConvertible {
    /// The place for messages, in the form of ``SchemaPlace``.
    package var description: String {
        guard let field else { return "'\(table)'" }
        let members = steps.dropFirst().filter { $0 != Self.elements && $0 != Self.mapValues }
        let inner = members.reversed().map { "'\($0)' in " }.joined()
        return "\(inner)the field '\(field)' of '\(table)'"
    }
}

extension DataPath: Codable {
    /// Decodes a list with the table and the steps.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let parts = try container.decode([String].self)
        guard let table = parts.first else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a path has no table")
        }
        self.init(table, Array(parts.dropFirst()))
    }

    /// Encodes a list with the table and the steps.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode([table] + steps)
    }
}
