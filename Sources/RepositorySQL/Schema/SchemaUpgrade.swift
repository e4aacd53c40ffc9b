internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Applies the steps of an opening. Columns are added and renamed in place. Other changes of columns
/// copy the table.
struct SchemaUpgrade: SQLSchemaUpgrade {
    let opening: SchemaOpening
    let schema: StoreSchema
    let tables: [String: SQLTable]
    let session: Session
    let reporter: MigrationReporter
    let setAside: SQLSetAside?

    init(
        _ opening: SchemaOpening, _ schema: StoreSchema, _ tables: [SQLTable],
        _ session: Session, _ reporter: MigrationReporter, _ setAside: SQLSetAside?
    ) {
        self.opening = opening
        self.schema = schema
        self.tables = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        self.session = session
        self.reporter = reporter
        self.setAside = setAside
    }

    /// Does nothing: the store tests rules and references.
    func begin() {}

    func drop(_ table: String) throws {
        guard try session.tableNames().contains(table) else { return }
        try session.execute("DROP TABLE \(dialect.quoted(table))")
    }

    func dropIndex(_ name: String, of table: SQLTable) throws {
        try session.execute("DROP INDEX \(dialect.quoted(name))")
    }

    func renameColumn(_ table: String, from: String, to: String) throws {
        try session.execute(dialect.renameColumn(table, from: from, to: to))
    }

    func completeColumns() throws {
        for table in tables.values {
            let columns = FoldedColumns(table, session)
            try columns.add()
            // Of all tables: a field may have ignored case before, and other programs wrote since.
            try columns.fill()
        }
    }

    func createStatement(of index: TableIndex, _ table: SQLTable) throws -> String {
        try IndexHashes(table, session).complete(for: index)
        return SQLSchemaText(table, dialect).createIndex(index)
    }

    func finish(_ converted: Set<String>) throws {
        let checked = try resolveReferences(converted)
        for table in checked.sorted().compactMap({ tables[$0] }) {
            if let broken = try SQLMigratedRecords(table, session).dangling() {
                throw danglingReferences(table, broken)
            }
        }
    }

    /// Creates tables and columns, and copies the tables whose columns change.
    ///
    /// - Returns: the tables that were created or copied. They have no indexes.
    func change(_ steps: [SchemaStep]) throws -> Set<String> {
        var (created, copied): (Set<String>, Set<String>) = ([], [])
        for step in steps {
            switch step {
            case .createTable(let name):
                guard let table = tables[name] else { continue }
                try session.execute(table.createStatement(dialect))
                created.insert(name)
            case .addField(let name, let field):
                guard let table = tables[name] else { continue }
                let columns = table.columns.filter { table.fieldName($0.field) == field }
                for column in columns {
                    let definition = SQLSchemaText(table, dialect)
                        .definition(of: column, isChecked: false)
                    try session.execute(
                        "ALTER TABLE \(dialect.quoted(name)) ADD COLUMN \(definition)")
                }
            case .changeField(let name, _, .becameOptional): copied.insert(name)
            // A folded column that is left would be found, outdated, when the field ignores case
            // again, and an index would stay on the one with the earlier name.
            case .changeField(let name, let field, .folding)
            where !isFolded(name) { $0.fieldName($1.field) == field }:
                copied.insert(name)
            case .renameColumn(let name, _, let column)
            where isFolded(name) { $1.name == column }:
                copied.insert(name)
            default: break
            }
        }
        for table in copied.sorted().compactMap({ tables[$0] }) { try copy(table) }
        return created.union(copied)
    }

    /// Returns whether a column of a table has a folded column.
    private func isFolded(_ name: String, where isIt: (SQLTable, SQLColumn) -> Bool) -> Bool {
        guard let table = tables[name] else { return false }
        return table.columns.contains { isIt(table, $0) && $0.foldedName != nil }
    }

    /// Copies a table into a new one with the declared columns, in one statement.
    private func copy(_ table: SQLTable) throws {
        let (name, aside) = (
            dialect.quoted(table.name), dialect.quoted(session.aside(table.name))
        )
        try session.execute("ALTER TABLE \(name) RENAME TO \(aside)")
        try session.execute(table.createStatement(dialect))
        let columns = dialect.list(table.columns.map(\.name))
        try session.execute("INSERT INTO \(name) (\(columns)) SELECT \(columns) FROM \(aside)")
        try session.execute("DROP TABLE \(aside)")
    }
}
