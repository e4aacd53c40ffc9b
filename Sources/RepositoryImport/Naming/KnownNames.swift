/// The names that existing schemas give to tables and columns. A further import uses them.
struct KnownNames {
    /// The names of an entity.
    struct Table {
        /// The name of the entity.
        let entity: String
        /// The names of the fields that are in one column, by the folded name of the column.
        let fields: [String: String]
        /// The names that no further field and relation of the entity can have.
        let members: Set<String>
    }

    /// The entities by the folded names of their tables.
    var tables: [String: Table] = [:]
    /// The names that no further entity can have, in lower case.
    var types: Set<String> = []
    /// The name of the set; `nil` if there are no schemas yet.
    var setName: String?
    /// Whether columns are named as they are written; `nil` if there are no schemas yet.
    var keepsNames: Bool?

    /// Returns the names of the entity of a table; `nil` if no schema describes the table.
    func table(_ name: String) -> Table? { tables[SQLText.folded(name)] }

    /// Returns the name of the field of a column; `nil` if no field is in the column.
    func field(_ table: String, _ column: String) -> String? {
        self.table(table)?.fields[SQLText.folded(column)]
    }
}
