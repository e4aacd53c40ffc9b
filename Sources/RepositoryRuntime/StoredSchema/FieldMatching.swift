/// Finds the stored field of each declared field of a table.
struct FieldMatching {
    private let old: StoredTable
    private let new: StoredTable
    private let table: EntityTable
    private let form: SchemaComparison.Form
    /// The stored field of each declared one, by index; nil where it is new.
    private(set) var matches: [StoredField?]
    /// The declared name of each stored field that was found.
    private(set) var newNames: [String: String] = [:]

    init(
        _ old: StoredTable, _ new: StoredTable, _ table: EntityTable, form: SchemaComparison.Form
    ) {
        self.old = old
        self.new = new
        self.table = table
        self.form = form
        matches = Array(repeating: nil, count: new.fields.count)
    }

    /// Present names first, for all fields, so that an earlier name never takes what a present one
    /// means.
    mutating func run() {
        match { matching, field, _ in matching.old.field(field.name) }
        match { matching, _, index in
            matching.table.layout.fields[index].renamedFrom.lazy
                .compactMap { matching.old.field($0) }
                .first { matching.newNames[$0.name] == nil }
        }
        guard form == .columns else { return }
        match { matching, field, _ in matching.old.fields.first { $0.columns == field.columns } }
        match { matching, _, index in
            matching.table.fields[index].columnsRenamedFrom.lazy
                .compactMap { column in matching.old.fields.first { $0.columns == [column] } }
                .first { matching.newNames[$0.name] == nil }
        }
    }

    private mutating func match(_ find: (FieldMatching, StoredField, Int) -> StoredField?) {
        for (index, field) in new.fields.enumerated() where matches[index] == nil {
            guard let found = find(self, field, index), newNames[found.name] == nil else {
                continue
            }
            matches[index] = found
            newNames[found.name] = field.name
        }
    }
}
