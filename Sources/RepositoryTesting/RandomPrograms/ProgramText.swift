internal import Foundation
internal import RepositoryRuntime

/// Renders records, values and conditions as source text, for the programs that random tests
/// report.
enum ProgramText {
    /// The record with its fields that are not null.
    static func text<E: Entity>(_ entity: E) throws -> String {
        let values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        let fields = zip(E.Mapper.layout.fields, values).filter { $1 != .null }
            .map { "\($0.name): \(text($1))" }
        return "\(E.Mapper.layout.name)(\(fields.joined(separator: ", ")))"
    }

    /// A list of records.
    static func text<E: Entity>(_ entities: [E]) throws -> String {
        "[\(try entities.map { try text($0) }.joined(separator: ", "))]"
    }

    /// A value.
    static func text(_ value: StoredValue) -> String {
        switch value {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .date(let value): "Date(\(value.timeIntervalSince1970))"
        case .uuid(let value): "UUID(\(value))"
        case .text(let value): quoted(value)
        case .data(let value): "Data(\(value.map { String($0, radix: 16) }.joined(separator: " ")))"
        case .list(let elements): "[\(elements.map { text($0) }.joined(separator: ", "))]"
        case .object(let fields):
            "{\(members(fields).joined(separator: ", "))}"
        }
    }

    /// The members of an object, sorted by key.
    private static func members(_ fields: [String: StoredValue]) -> [String] {
        fields.sorted { $0.key < $1.key }.map { "\($0): \(text($1))" }
    }

    /// The values of a set in a deterministic order: that of their source texts, because embedded
    /// records and maps have no order.
    static func ordered(_ values: Set<StoredValue>) -> [StoredValue] {
        values.map { (value: $0, text: text($0)) }
            .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }.map(\.value)
    }

    /// A string literal with all non-ASCII scalars escaped, because different Unicode forms look
    /// alike.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { $0.escaped(asASCII: true) }
        return "\"\(scalars.joined())\""
    }

    /// A condition with its values.
    static func text(_ condition: ConditionTree, _ layout: FieldLayout) -> String {
        func joined(_ conditions: [ConditionTree], _ sign: String) -> String {
            "(\(conditions.map { text($0, layout) }.joined(separator: " \(sign) ")))"
        }
        return switch condition {
        case .constant(let value): "\(value)"
        case .compare(let path, let comparison, let value):
            "\(path.text(in: layout)) \(comparison.rawValue) \(text(value))"
        case .compareFields(let path, let comparison, let other):
            "\(path.text(in: layout)) \(comparison.rawValue) \(other.text(in: layout))"
        case .isIn(let path, let values):
            "\(path.text(in: layout)) in \(text(.list(ordered(values))))"
        case .text(let path, let search):
            "\(search.kind.rawValue)(\(path.text(in: layout)), \(quoted(search.text))"
                + "\(search.ignoringCase ? ", ignoringCase" : ""))"
        case .hasElement(let path, let value): "contains(\(path.text(in: layout)), \(text(value)))"
        case .all(let conditions): joined(conditions, "&&")
        case .any(let conditions): joined(conditions, "||")
        case .not(let condition): "!\(text(condition, layout))"
        case .related(let related): "related(\(related.link.name), \(related.minimum))"
        case .invalid(let reason): "invalid(\(reason))"
        }
    }
}
