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
        // Descriptions with folded columns also show which fields without an index ignore case.
        let tables = DeclaredSchema.of(StoreSchema("Versions", last), .foldedColumns).sortedTables
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
        guard let entity = entity(of: table) else { return [] }
        return try await Self.rows(context(store), entity, where: nil)
    }

    /// Opens the data and returns the records of a table that have a value in a field, sorted by
    /// their text.
    func rows(
        _ table: String, where field: String, is value: StoredValue, in store: any EntityStore
    ) async throws -> [[StoredValue]] {
        guard let entity = entity(of: table) else { return [] }
        return try await Self.rows(context(store), entity, where: (field, value))
    }

    private static func rows<N: PlaceholderNumber>(
        _ context: RepositoryContext, _ number: N.Type, where field: (String, StoredValue)?
    ) async throws -> [[StoredValue]] {
        let repository = PlainRepository<PlaceholderEntity<N>>(context)
        let records: [PlaceholderEntity<N>]
        if let (name, value) = field {
            guard let query = query(number, name, value) else { return [] }
            records = try await repository.fetch(query)
        } else {
            records = try await repository.fetch()
        }
        return records.map(\.values).sorted { "\($0)" < "\($1)" }
    }

    /// Returns how a store executes the query for the records with a value in a field.
    func explanation(
        of table: String, where field: String, is value: StoredValue, in store: any EntityStore
    ) async throws -> String {
        guard let entity = entity(of: table) else { return "" }
        return try await Self.explanation(context(store), entity, field, value)
    }

    private static func explanation<N: PlaceholderNumber>(
        _ context: RepositoryContext, _ number: N.Type, _ field: String, _ value: StoredValue
    ) async throws -> String {
        guard let query = query(number, field, value) else { return "" }
        return try await PlainRepository<PlaceholderEntity<N>>(context).explain(query).description
    }

    /// Returns the query for the records with a value in a field; nil if there is no such field.
    private static func query<N: PlaceholderNumber>(
        _ number: N.Type, _ field: String, _ value: StoredValue
    ) -> Query<PlaceholderEntity<N>>? {
        guard let index = N.table.layout.fields.firstIndex(where: { $0.name == field }) else {
            return nil
        }
        return Query(Condition(.compare(FieldPath(index), .equal, value)), sortKeys: [])
    }

    private func context(_ store: any EntityStore) -> RepositoryContext {
        RepositoryContext(store: store, schema: schema, fullScans: .allow)
    }

    private func entity(of table: String) -> (any PlaceholderNumber.Type)? {
        program.tables.first { $0.stored.name == table }?.entity
    }

    /// Migrates the data with what a program asks of the migration.
    func migrate(_ store: any EntityStore, _ control: MigrationControl) async throws {
        for try await _ in MigrationRun(context(store), control) {}
    }

    /// Writes records.
    func write(
        _ rows: [String: [[StoredValue]]], to store: any EntityStore
    ) async throws {
        try await program.write(rows, to: store)
    }
}
