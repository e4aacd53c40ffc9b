internal import Foundation
internal import RepositoryRuntime

/// Notices, at the beginning of each write, that another program has changed the description since the
/// sets were opened.
///
/// SQLite counts the commits of other connections. As long as there was none, one pragma is all that a
/// commit costs more; after one the description is read and compared with the one that was read last.
/// Used by the thread of the writing connection alone.
final class SQLiteSchemaWatch: SQLiteWriteWatch {
    private var schemas: [String: StoreSchema] = [:]
    /// The count of others' commits when the description was read.
    private var version: Int64?
    /// The description that fits the sets.
    private var json: String?

    /// Adds a set that was opened.
    func add(_ schema: StoreSchema) {
        schemas[schema.name] = schema
        // Another program may have written since: the next write reads the description.
        version = nil
        json = nil
    }

    /// Forgets a set.
    func remove(_ schema: StoreSchema) {
        schemas[schema.name] = nil
        version = nil
        json = nil
    }

    /// Checks the description, inside a transaction that holds the write lock.
    ///
    /// - Throws: `schemaMismatch` where what is stored does not fit one of the sets any longer.
    func check(_ connection: SQLiteConnection) throws {
        let statement = try connection.statement("PRAGMA data_version")
        defer { statement.reset() }
        guard try statement.step() else { return }
        let current = statement.integer(at: 0)
        if current == version { return }
        let found = try SQLiteSchemaTable.json(connection)
        if version == nil || found != json { try compare(found) }
        version = current
        json = found
    }

    private func compare(_ json: String?) throws {
        let description = try json.map {
            try StoreDescription(json: Data($0.utf8), store: "SQLite")
        }
        for schema in schemas.values.sorted(by: { $0.name < $1.name }) {
            let misfits = (description ?? StoreDescription()).misfits(of: schema, form: .columns)
            if misfits.isEmpty { continue }
            throw CRUDRepositoryError.schemaChanged(in: "SQLite", misfits)
        }
    }
}
