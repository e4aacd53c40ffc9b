internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// The versions of some tables, given by their descriptions.
struct TableVersions: Sendable {
    private var history = SchemaHistory()
    private var last: [EntityTable] = []
    /// The functions.
    var functions: [String: MigrationFunction] = [:]

    /// Adds a version.
    mutating func release(_ tables: [EntityTable], _ changes: [DataChange] = []) {
        let number = history.lastNumber + 1
        let schema = StoreSchema("Versions", tables)
        let documents = DeclaredSchema.of(schema, .documents)
        let columns = DeclaredSchema.of(schema, .columns)
        var version = SchemaVersion(
            number: number, hash: "hash of \(number)",
            identity: SchemaIdentity(
                documents: documents.fingerprint, columns: columns.fingerprint,
                cases: documents.casesDigest), changes: changes)
        version.record(columns.sortedTables, after: history.tables(of: number - 1))
        history.versions.append(version)
        last = tables
    }

    /// The program of the last version.
    func program() throws -> PlainProgram {
        let tables = DeclaredSchema.of(StoreSchema("Versions", last), .columns).sortedTables
        let program = try OldProgram(
            history.lastNumber, tables: tables, history, name: "Versions", distributedAs: last)
        if let problem = program.problems.first { throw problem }
        return PlainProgram(
            program: program,
            schema: program.schema.migrating(with: MigrationFunctions(functions)))
    }
}

/// A program of one version with plain records.
struct PlainProgram: Sendable {
    fileprivate let program: OldProgram
    fileprivate let schema: StoreSchema

    /// Opens the data and returns the records of a table, sorted by their text.
    func rows(
        _ table: String, in store: any EntityStore
    ) async throws -> [[StoredValue]] {
        let context = RepositoryContext(store: store, schema: schema, fullScans: .allow)
        guard let entity = program.tables.first(where: { $0.stored.name == table })?.entity else {
            return []
        }
        return try await Self.rows(context, entity)
    }

    private static func rows<N: PlaceholderNumber>(
        _ context: RepositoryContext, _ number: N.Type
    ) async throws -> [[StoredValue]] {
        try await PlainRepository<PlaceholderEntity<N>>(context).fetch().map(\.values)
            .sorted { "\($0)" < "\($1)" }
    }

    /// Returns how a store executes the query for the records with a value in a field.
    func explanation(
        of table: String, where field: String, is value: StoredValue, in store: any EntityStore
    ) async throws -> String {
        let context = RepositoryContext(store: store, schema: schema, fullScans: .allow)
        guard let entity = program.tables.first(where: { $0.stored.name == table })?.entity else {
            return ""
        }
        return try await Self.explanation(context, entity, field, value)
    }

    private static func explanation<N: PlaceholderNumber>(
        _ context: RepositoryContext, _ number: N.Type, _ field: String, _ value: StoredValue
    ) async throws -> String {
        guard let index = N.table.layout.fields.firstIndex(where: { $0.name == field }) else {
            return ""
        }
        let condition = Condition(.compare(FieldPath(index), .equal, value))
        let query = Query<PlaceholderEntity<N>>(condition, sortKeys: [])
        return try await PlainRepository<PlaceholderEntity<N>>(context).explain(query).description
    }

    /// Migrates the data with what a program asks of the migration.
    func migrate(_ store: any EntityStore, _ control: MigrationControl) async throws {
        let context = RepositoryContext(store: store, schema: schema, fullScans: .allow)
        for try await _ in MigrationRun(context, control) {}
    }

    /// Writes records.
    func write(
        _ rows: [String: [[StoredValue]]], to store: any EntityStore
    ) async throws {
        try await program.write(rows, to: store)
    }
}
