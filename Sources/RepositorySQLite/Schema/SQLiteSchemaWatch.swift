internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Detects, at the beginning of each write, that another program has changed the schema description
/// since the schemas were opened.
///
/// SQLite counts the commits of other connections (`PRAGMA data_version`). While there are none,
/// the check costs one pragma per commit. After one, the description is read and compared with the
/// one that was read last.
///
/// Only the thread of the writing connection uses it.
final class SQLiteSchemaWatch: SQLiteWriteWatch {
    /// The open schemas by name.
    private var schemas: [String: StoreSchema] = [:]
    /// The value of `data_version` when the description was read; `nil` if it must be read again.
    private var version: Int64?
    /// The description that was found to match the schemas.
    private var matching = MatchingDescription.unknown

    /// A description that matches the open schemas.
    private enum MatchingDescription: Equatable {
        /// The stored description must be compared with the schemas.
        case unknown
        /// The JSON of the description; `nil` if the database has none.
        case json(String?)
    }

    /// Adds a schema that was opened.
    ///
    /// The opening has compared the schema with the description. The other schemas are compared
    /// again if another program changed the description before the opening.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - before: the description before the opening.
    ///   - after: the description after it, which matches the schema.
    func add(_ schema: StoreSchema, before: String?, after: String?) {
        let isKnown = schemas.isEmpty || matching == .json(before)
        schemas[schema.name] = schema
        // Another program may have written since: the next write reads the description again.
        version = nil
        matching = isKnown ? .json(after) : .unknown
    }

    /// Removes a schema.
    func remove(_ schema: StoreSchema) {
        schemas[schema.name] = nil
        version = nil
        matching = .unknown
    }

    /// The versions of two connections cannot be compared: the next write reads the description
    /// again.
    func reconnect() { version = nil }

    /// Checks the description, inside a transaction that holds the write lock.
    ///
    /// - Throws: `schemaMismatch` if the stored description no longer matches one of the schemas.
    func check(_ connection: SQLiteConnection) throws {
        let statement = try connection.statement("PRAGMA data_version")
        defer { statement.reset() }
        guard try statement.step() else { return }
        let current = statement.integer(at: 0)
        if current == version { return }
        let json = try SQLiteSchemaTable.json(connection)
        if matching != .json(json) { try compare(json) }
        version = current
        matching = .json(json)
    }

    /// Compares a description with the open schemas.
    ///
    /// - Throws: `schemaMismatch` if it does not match one of them.
    private func compare(_ json: String?) throws {
        let description = try json.map {
            try StoreDescription(json: Data($0.utf8), store: "SQLite")
        }
        try (description ?? StoreDescription()).requireFit(
            of: schemas, form: .columns, in: "SQLite")
    }
}
