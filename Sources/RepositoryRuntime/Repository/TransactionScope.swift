internal import Synchronization

/// The transactions that the present task runs in, by the store they are of.
///
/// A repository of the same store that is used inside a transaction's body takes part in it, also one that was made
/// outside: otherwise it would wait for the end of the transaction, which waits for it.
package enum TransactionScope {
    @TaskLocal static var running: [ObjectIdentifier: RunningTransaction] = [:]

    /// The innermost transaction of a store that the task runs in and that is not over.
    package static func transaction(of changes: StoreChanges) -> (any StoreTransaction)? {
        var transaction = running.isEmpty ? nil : running[ObjectIdentifier(changes)]
        // A task that was started in the body may outlive it.
        while let ended = transaction, ended.isOver { transaction = ended.parent }
        return transaction?.store
    }
}

/// A transaction while its body runs.
final class RunningTransaction: Sendable {
    let store: any StoreTransaction
    let parent: RunningTransaction?
    private let over = Atomic(false)

    init(_ store: any StoreTransaction, in parent: RunningTransaction?) {
        self.store = store
        self.parent = parent
    }

    var isOver: Bool { over.load(ordering: .acquiring) }

    func end() { over.store(true, ordering: .releasing) }
}
