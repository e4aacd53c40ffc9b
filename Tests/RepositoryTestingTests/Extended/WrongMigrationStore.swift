import Foundation
import StoredSchema

@testable import RepositoryRuntime

/// A store that migrates wrongly: what it opens differs from the schema of the program.
struct WrongMigrationStore: EntityStoreWrapper {
    /// Changes the history and the functions of a schema.
    typealias Change =
        @Sendable (_ history: inout SchemaHistory, _ functions: inout [String: MigrationFunction])
        -> Void

    let store: any EntityStore
    private let change: Change
    /// Whether finders return nothing.
    private let findsNothing: Bool

    init(
        _ store: any EntityStore, findsNothing: Bool = false,
        _ change: @escaping Change = { _, _ in }
    ) {
        self.store = store
        self.change = change
        self.findsNothing = findsNothing
    }

    func open(_ schema: StoreSchema) async throws {
        // Old programs have no functions.
        guard var history = try schema.history(), !schema.functions.functions.isEmpty else {
            return try await store.open(schema)
        }
        var functions = schema.functions.functions
        change(&history, &functions)
        let text = String(decoding: try JSONEncoder().encode(history), as: UTF8.self)
        try await store.open(
            StoreSchema(
                schema.name, schema.entities, history: [text],
                functions: MigrationFunctions(functions, tables: schema.functions.tables)))
    }

    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        findsNothing ? [] : try await store.find(type, scan, limit: limit)
    }
}
