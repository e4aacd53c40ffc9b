import RepositoryRuntime
import RepositoryTesting

@testable import RepositoryTesting

/// A store that is right in all but what it sends to those who observe it.
struct BrokenSender: EntityStoreWrapper {
    /// What is wrong with it.
    enum Flaw: String, CaseIterable, Sendable {
        case sendsNothing, sendsBeforeTheWrite, sendsNothingOfCascades, sendsWhatWasRolledBack
        case sendsTransactionsInParts, namesOtherRecords, namesOneRecord, namesOtherTables
        case showsHalfTransactions, forgetsTheReset, observesAClosedStore
    }

    let flaw: Flaw
    let good = InMemoryStore()
    let changes = StoreChanges()

    init(_ flaw: Flaw) {
        self.flaw = flaw
        _ = good.changes.add { [changes] in
            if let change = Self.sent(for: $0, flaw) { changes.send(change) }
        }
    }

    var store: any EntityStore { good }

    /// What is sent instead of a change.
    private static func sent(for change: StoreChange, _ flaw: Flaw) -> StoreChange? {
        guard let tables = change.tables else { return flaw == .forgetsTheReset ? nil : change }
        switch flaw {
        case .sendsNothing, .sendsBeforeTheWrite: return nil
        case .sendsNothingOfCascades:
            return StoreChange(tables.filter { $0.key != "links" || tables.count == 1 })
        case .namesOtherRecords: return StoreChange(tables.mapValues { _ in .ids(["nobody"]) })
        case .namesOneRecord:
            return StoreChange(
                tables.mapValues { records in
                    guard case .ids(let ids) = records else { return records }
                    return .ids(Set(ids.sorted().prefix(1)))
                })
        case .namesOtherTables: return StoreChange(["elsewhere": .unknown])
        default: return change
        }
    }

    func create<E: Entity>(_ entity: E) async throws {
        if flaw == .sendsBeforeTheWrite {
            changes.send(StoreChange([E.Mapper.table.name: .unknown]))
            // Whoever observes has time to look.
            try await Task.sleep(for: .milliseconds(50))
        }
        try await good.create(entity)
    }

    func close() async throws {
        if flaw != .observesAClosedStore { changes.finish() }
        try await good.close()
    }

    func begin() async throws -> any StoreTransaction {
        SendingTransaction(flaw: flaw, transaction: try await good.begin(), changes: changes)
    }

    func snapshot() async throws -> any StoreTransaction {
        // The first query is of one state, the next of another.
        flaw == .showsHalfTransactions
            ? LooseSnapshot(store: good) : try await good.snapshot()
    }
}

/// A transaction that sends what it should not.
private struct SendingTransaction: EntityStoreWrapper, StoreTransaction {
    let flaw: BrokenSender.Flaw
    let transaction: any StoreTransaction
    let changes: StoreChanges

    var store: any EntityStore { transaction }

    func create<E: Entity>(_ entity: E) async throws {
        try await transaction.create(entity)
        if flaw == .sendsTransactionsInParts {
            changes.send(StoreChange([E.Mapper.table.name: .ids(["\(entity.id)"])]))
        }
    }

    func commit() async throws { try await transaction.commit() }

    func rollBack() async {
        if flaw == .sendsWhatWasRolledBack { changes.send(StoreChange(["notes": .unknown])) }
        await transaction.rollBack()
    }
}

/// Something that is called a snapshot and reads whatever is there.
private struct LooseSnapshot: EntityStoreWrapper, StoreTransaction {
    let store: any EntityStore
    func commit() async throws {}
    func rollBack() async {}
}
