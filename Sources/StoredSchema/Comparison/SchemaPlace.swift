/// A field of a table, or a member of an embedded value or composite id in it.
package struct SchemaPlace: Sendable, Hashable {
    /// The declared name of the table.
    package var table: String
    /// The declared name of the field.
    package var field: String
    /// The names of the members inside the field, outermost first; empty for the field itself.
    package var members: [String] = []

    /// Describes a field.
    package init(table: String, field: String) {
        self.table = table
        self.field = field
    }

    /// Returns the place of a member inside this one.
    package func member(_ name: String) -> SchemaPlace {
        var copy = self
        copy.members.append(name)
        return copy
    }
}

extension SchemaPlace: CustomStringConvertible {
    /// The place in words: `'room' in the field 'shelf' of 'books'`.
    package var description: String {
        let inner = members.reversed().map { "'\($0)' in " }.joined()
        return "\(inner)the field '\(field)' of '\(table)'"
    }
}
