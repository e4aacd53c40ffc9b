/// Finds the stored field for each declared field of a table.
///
/// Each stored field is matched at most once. Fields match by name first and by earlier names next;
/// in tables with columns, then by column and by earlier column names.
package struct FieldMatching {
    /// The stored table.
    private let old: StoredTable
    /// The declared table, with earlier names.
    private let new: StoredTable
    /// How the store stores records. Only columns have names of their own.
    private let form: SchemaComparison.Form
    /// The stored field of each declared field, by index; nil if the field is new.
    package private(set) var matches: [StoredField?]
    /// The declared name of each matched stored field.
    package private(set) var newNames: [String: String] = [:]

    /// Prepares the matching; see ``run()``.
    package init(_ old: StoredTable, _ new: StoredTable, form: SchemaComparison.Form) {
        self.old = old
        self.new = new
        self.form = form
        matches = Array(repeating: nil, count: new.fields.count)
    }

    /// Matches the fields. Each kind of name is tried for all fields before the next kind, so that
    /// an earlier name never takes a stored field that is declared under its current name.
    package mutating func run() {
        match { matching, field in matching.old.field(field.name) }
        match { matching, field in
            field.renamedFrom.names.lazy
                .compactMap { matching.old.field($0) }
                .first { matching.newNames[$0.name] == nil }
        }
        guard form.hasColumns else { return }
        match { matching, field in matching.old.fields.first { $0.columns == field.columns } }
        match { matching, field in
            field.columnsRenamedFrom.names.lazy
                .compactMap { column in matching.old.fields.first { $0.columns == [column] } }
                .first { matching.newNames[$0.name] == nil }
        }
    }

    /// Matches the unmatched fields with stored fields that are still free.
    ///
    /// - Parameter find: returns the candidate for a declared field, nil if there is none.
    private mutating func match(_ find: (FieldMatching, StoredField) -> StoredField?) {
        for (index, field) in new.fields.enumerated() where matches[index] == nil {
            guard let found = find(self, field), newNames[found.name] == nil else {
                continue
            }
            matches[index] = found
            newNames[found.name] = field.name
        }
    }
}
