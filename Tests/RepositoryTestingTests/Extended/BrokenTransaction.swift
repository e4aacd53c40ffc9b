import RepositoryRuntime
import Synchronization

@testable import RepositoryTesting

extension BrokenStore {
    func begin() async throws -> any StoreTransaction {
        if flaw == .neverIsolates { return BrokenTransaction(self, self, nil) }
        let transaction = try await good.begin()
        return BrokenTransaction(BrokenStore(flaw: flaw, good: transaction), self, transaction)
    }
}

/// A transaction of a store that is right in all but one thing.
final class BrokenTransaction: EntityStoreWrapper, StoreTransaction {
    let store: any EntityStore
    private let broken: BrokenStore
    private let parent: BrokenStore
    /// The right one; nil where there is none.
    private let transaction: (any StoreTransaction)?
    private let isLost = Mutex(false)

    init(_ broken: BrokenStore, _ parent: BrokenStore, _ transaction: (any StoreTransaction)?) {
        self.broken = broken
        self.parent = parent
        self.transaction = transaction
        store = broken
    }

    func begin() async throws -> any StoreTransaction {
        guard let transaction else { return self }
        let nested = try await transaction.begin()
        let broken = BrokenStore(flaw: self.broken.flaw, good: nested) { [self] in
            isLost.withLock { $0 = true }
        }
        return BrokenTransaction(broken, self.broken, nested)
    }

    func commit() async throws {
        let loses = broken.flaw == .forgetsCommits || isLost.withLock { $0 }
        if loses, let transaction { return await transaction.rollBack() }
        try await transaction?.commit()
    }

    func rollBack() async {
        switch broken.flaw {
        case .keepsWhatIsRolledBack:
            // What has ended already is not to be ended again.
            try? await transaction?.commit()
        case .rollsBackTheParentToo:
            broken.losesParent()
            await transaction?.rollBack()
        default: await transaction?.rollBack()
        }
    }
}
