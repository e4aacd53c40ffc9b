package import RepositoryRuntime

/// A store with transactions and snapshots on its connections.
package protocol SQLHomeStore: EntityStore {
    /// Returns whether a schema is open.
    func isOpen(_ schema: StoreSchema) -> Bool
}

extension SQLHomeStore {
    /// Returns the transaction of this store in whose body the current task runs; nil if there is
    /// none of the type.
    package func running<T: StoreTransaction>(_ type: T.Type) -> T? {
        // Wrappers of the store, such as an instrumented one, wrap its transactions, too.
        TransactionScope.transaction(of: changes)?.unwrapped as? T
    }
}

/// What the transactions and snapshots of a store have in common: they are the store, with another
/// connection, and without what concerns all of its data.
package protocol SQLTransactionShell: StoreTransaction, RecordPuttingStore {
    associatedtype Home: SQLHomeStore

    /// The store.
    var store: Home { get }
    /// What it is, for errors: `transaction` or `snapshot`.
    static var kind: String { get }
}

extension SQLTransactionShell {
    /// The name of the store.
    package var name: String { store.name }
    /// The capabilities of the store.
    package var capabilities: StoreCapabilities { store.capabilities }
    /// The observers of the store.
    package var changes: StoreChanges { store.changes }

    private func refusal(_ what: String) -> CRUDRepositoryError {
        .unsupported("\(what) in a \(Self.kind)", by: name)
    }

    /// Throws `unsupported` unless the store has already opened the schema.
    package func open(_ schema: StoreSchema) async throws {
        guard store.isOpen(schema) else { throw refusal("opening a schema") }
    }

    /// Creates or replaces records as they are given.
    package func put<E: Entity>(_ entities: [E]) async throws {
        _ = try await saveAll(entities.map { GivenRecord($0) })
    }

    /// Throws `unsupported`.
    package func begin() async throws -> any StoreTransaction {
        throw refusal("a transaction")
    }

    /// Throws `unsupported`.
    package func snapshot() async throws -> any StoreTransaction { throw refusal("a snapshot") }

    /// Throws `unsupported`.
    package func reset(_ schema: StoreSchema) async throws { throw refusal("a reset") }
}
