internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema
internal import Synchronization

/// Detects that another program has changed the description of the schemas since they were opened.
///
/// Each write compares the revision of the description. If it differs, the description is compared
/// with the open schemas.
final class SchemaWatch: Sendable {
    private struct State {
        var schemas: [String: StoreSchema] = [:]
        /// The revision that fits the open schemas; nil if it is not known.
        var revision: Int64?
    }

    private let store: String
    private let state = Mutex(State())

    init(_ store: String) { self.store = store }

    /// Adds a schema that was opened. The next write compares the description with all open schemas:
    /// another program may have changed it meanwhile.
    func add(_ schema: StoreSchema) {
        state.withLock { state in
            state.schemas[schema.name] = schema
            state.revision = nil
        }
    }

    /// Removes a schema.
    func remove(_ schema: StoreSchema) {
        state.withLock { $0.schemas[schema.name] = nil }
    }

    /// Compares the description with the open schemas, if it has changed. It is the first statement
    /// of a transaction.
    ///
    /// - Throws: `schemaMismatch` if it does not fit one of them.
    func check(_ session: Session) throws {
        let known = state.withLock { $0 }
        if known.schemas.isEmpty { return }
        try SchemaTable.waitForMigration(session)
        let revision = try SchemaTable.revision(session)
        if revision != nil, revision == known.revision { return }
        let description = try SchemaTable.description(session, store) ?? StoreDescription()
        try description.requireFit(of: known.schemas, form: .foldedColumns, in: store)
        state.withLock { $0.revision = revision }
    }
}
