package import RepositoryRuntime
internal import StoredSchema

/// Carries out the functions that migrate several tables together.
///
/// The old tables get other names, under which the functions read them. The functions fill new
/// tables, which have the declared names and no indexes yet. Then the old tables are dropped.
package struct SQLTablesConversion {
    private let opening: SchemaOpening
    private let schema: StoreSchema
    private let tables: [String: SQLTable]
    private let session: any SQLMigrationSession
    private let space: any MigrationSpace
    private let reporter: MigrationReporter
    private let setAside: SQLSetAside?

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - opening: the comparison with the stored description.
    ///   - schema: the declared schema.
    ///   - tables: the declared tables by name.
    ///   - session: the connection.
    ///   - space: gets the places of records by their values.
    ///   - reporter: counts the records that the functions read.
    ///   - setAside: receives old records that cannot be read; nil if they are an error.
    package init(
        _ opening: SchemaOpening, _ schema: StoreSchema, _ tables: [String: SQLTable],
        _ session: any SQLMigrationSession, _ space: any MigrationSpace,
        _ reporter: MigrationReporter, _ setAside: SQLSetAside?
    ) {
        self.opening = opening
        self.schema = schema
        self.tables = tables
        self.session = session
        self.space = space
        self.reporter = reporter
        self.setAside = setAside
    }

    /// The quoted name that a replaced table has.
    private func aside(_ table: String) -> String { session.dialect.quoted(session.aside(table)) }

    /// Gives the replaced tables other names.
    package func renameReplaced() throws {
        for name in opening.replacedTables {
            if let table = opening.stored.tables.first(where: { $0.name == name }) {
                try session.requireReplaceable(table)
            }
            try session.change(
                "ALTER TABLE \(session.dialect.quoted(name)) RENAME TO \(aside(name))")
        }
    }

    /// Runs the functions, and drops the replaced tables.
    ///
    /// - Returns: the tables that the functions filled. They have no indexes yet.
    /// - Throws: `schemaMismatch` if a function throws or records are refused.
    package func run() throws -> [SQLTable] {
        if opening.tableFunctions.isEmpty { return [] }
        let produced = opening.producedTables.sorted().compactMap { tables[$0] }
        for table in produced {
            try session.change(session.createStatement(of: table, hasRules: true))
        }
        try fill()
        for name in opening.replacedTables {
            try session.change(session.dropStatement(of: aside(name)))
        }
        return produced
    }

    /// Runs the functions. Their cursors end here: a table in use cannot be dropped.
    private func fill() throws {
        let storage = FunctionTables(
            session.storeName, opening.stored.tables, tables, session, space, setAside)
        var run = TablesMigrationRun(schema, storage, reporter, settingAside: setAside != nil)
        try run.run(opening.tableFunctions)
    }
}

/// The tables of a database during the functions of a migration.
private final class FunctionTables: TablesMigrationRun.Storage {
    let name: String
    let space: any MigrationSpace
    private let stored: [StoredTable]
    private let tables: [String: SQLTable]
    private let session: any SQLMigrationSession
    private let setAside: SQLSetAside?
    /// The writers, by the name of their table, and the records that were kept back and that the
    /// database refused.
    private var writers: [String: any SQLConvertedRecordWriter] = [:]
    private var refused: [(reason: String, id: String?)] = []

    init(
        _ name: String, _ stored: [StoredTable], _ tables: [String: SQLTable],
        _ session: any SQLMigrationSession, _ space: any MigrationSpace, _ setAside: SQLSetAside?
    ) {
        self.name = name
        self.stored = stored
        self.tables = tables
        self.session = session
        self.space = space
        self.setAside = setAside
    }

    func source(
        _ table: StoredTable, names: [[String]], missing: [Int: StoredValue]
    ) throws -> any MigrationSource {
        SQLMigrationSource(
            try SQLStoredTable(table, among: stored, named: session.aside(table.name), session),
            setAside)
    }

    func stage(_ table: StoredTable) throws -> any MigrationStage {
        try SpaceMigrationStage(table, in: space)
    }

    func writer<E: Entity>(_ type: E.Type) throws -> (E) throws -> Void {
        let entity = E.Mapper.table
        guard let table = tables[entity.name] else { return { _ in } }
        let writer = writers[table.name] ?? session.writer(of: table)
        writers[table.name] = writer
        let isSensitive = entity.key.contains { entity.layout.fields[$0].isSensitive }
        return { [unowned self] record in
            let id = record.id
            try writer.add(record) { [unowned self] reason in
                refused.append((reason, isSensitive ? nil : id.description))
            }
        }
    }

    /// Writes the records that were kept back.
    func finish(_ failures: inout MigrationFailures) throws {
        for (_, writer) in writers.sorted(by: { $0.key < $1.key }) { try writer.flush() }
        for (reason, id) in refused { failures.add(reason, id: id) }
        refused = []
    }
}
