internal import Synchronization

/// The transactions in which the current task runs, by store.
///
/// A repository of the same store that is used inside a transaction's closure takes part in the
/// transaction, even if it was created outside. Otherwise it would wait for the transaction, which
/// waits for the closure.
package enum TransactionScope {
    /// The innermost transaction of each store, by the identity of its `StoreChanges`.
    @TaskLocal static var running: [ObjectIdentifier: RunningTransaction] = [:]

    /// The innermost unfinished transaction of a store in which the current task runs.
    package static func transaction(of changes: StoreChanges) -> (any StoreTransaction)? {
        var transaction = running.isEmpty ? nil : running[ObjectIdentifier(changes)]
        // A task started by the closure may outlive it.
        while let ended = transaction, ended.isOver { transaction = ended.parent }
        return transaction?.store
    }
}

/// A transaction whose closure is running. A nested transaction refers to its parent.
final class RunningTransaction: Sendable {
    let store: any StoreTransaction
    let parent: RunningTransaction?
    /// Whether the closure has ended. Tasks that outlive it then use the parent, or the store
    /// itself.
    private let over = Atomic(false)

    init(_ store: any StoreTransaction, in parent: RunningTransaction?) {
        self.store = store
        self.parent = parent
    }

    var isOver: Bool { over.load(ordering: .acquiring) }

    func end() { over.store(true, ordering: .releasing) }
}
