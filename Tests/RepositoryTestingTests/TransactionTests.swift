import RepositoryRuntime
import Synchronization
import Testing

@testable import RepositoryTesting

/// A store some of whose commits meet another transaction.
private struct ConflictingStore: EntityStoreWrapper {
    let store: any EntityStore = ReferenceStore()
    /// How many commits of outermost transactions are still to fail.
    let conflicts: Countdown

    func begin() async throws -> any StoreTransaction {
        ConflictingTransaction(transaction: try await store.begin(), conflicts: conflicts)
    }
}

private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func take() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}

private struct ConflictingTransaction: StoreTransaction, EntityStoreWrapper {
    let transaction: any StoreTransaction
    let conflicts: Countdown
    var store: any EntityStore { transaction }

    func commit() async throws {
        if conflicts.take() {
            await transaction.rollBack()
            throw CRUDRepositoryError(.transactionConflict, "Somebody else was first.")
        }
        try await transaction.commit()
    }

    func rollBack() async { await transaction.rollBack() }
}

private struct Refusal: Error {}

/// What a transaction promises its caller, whatever the store does.
@Suite struct TransactionTests {
    private func library(conflicts: Int) -> Conformance {
        Conformance.plain(ConflictingStore(conflicts: Countdown(conflicts)))
    }

    @Test func runsAgainOnACleanState() async throws {
        let library = library(conflicts: 3)
        var runs = 0
        let count = try await library.transaction { library in
            runs += 1
            try await library.notes.create(Note(id: "a", text: "\(runs)"))
            return try await library.notes.count()
        }
        #expect(runs == 4)
        #expect(count == 1)
        #expect(try await library.notes.fetch() == [Note(id: "a", text: "4")])
    }

    @Test func givesUpAfterTenRuns() async throws {
        let library = library(conflicts: .max)
        var runs = 0
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await library.transaction { library in
                runs += 1
                try await library.notes.create(Note(id: "a", text: ""))
            }
        }
        #expect(error?.code == .transactionConflict)
        #expect(runs == 10)
        #expect(try await library.notes.count() == 0)
    }

    @Test func runsANestedOneAgainOnlyWithTheOuterOne() async throws {
        let library = library(conflicts: 0)
        var (outer, inner) = (0, 0)
        try await library.transaction { library in
            outer += 1
            try await library.transaction { library in
                inner += 1
                try await library.notes.create(Note(id: "a", text: ""))
                if inner < 3 {
                    throw CRUDRepositoryError(.transactionConflict, "Somebody else was first.")
                }
            }
        }
        #expect(outer == 3)
        #expect(inner == 3)
        #expect(try await library.notes.ids() == ["a"])
    }

    @Test func takesBackWhatANestedOneDidAndGoesOn() async throws {
        let library = library(conflicts: 0)
        try await library.transaction { library in
            try await library.notes.create(Note(id: "outer", text: ""))
            await #expect(throws: Refusal.self) {
                try await library.transaction { library in
                    try await library.notes.create(Note(id: "inner", text: ""))
                    throw Refusal()
                }
            }
            try await library.notes.create(Note(id: "later", text: ""))
        }
        #expect(try await library.notes.ids() == ["later", "outer"])
    }

    @Test func isTakenBackWhenItsTaskIsCancelled() async throws {
        let library = library(conflicts: 0)
        let task = Task {
            try await library.transaction { library in
                try await library.notes.create(Note(id: "a", text: ""))
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await library.notes.count() == 0)
        // Nor does it keep the next one waiting.
        try await library.transaction { try await $0.notes.create(Note(id: "b", text: "")) }
        #expect(try await library.notes.ids() == ["b"])
    }

    @Test func refusesItsSetAfterItsEnd() async throws {
        let library = library(conflicts: 0)
        let ended = try await library.transaction { $0 }
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await ended.notes.create(Note(id: "a", text: ""))
        }
        #expect(error?.code == .transactionEnded)
    }

    @Test func takesRepositoriesOfTheStoreMadeOutside() async throws {
        let library = library(conflicts: 0)
        await #expect(throws: Refusal.self) {
            try await library.transaction { _ in
                try await library.notes.create(Note(id: "a", text: ""))
                async let other: Void = {
                    _ = try await library.notes.create(Note(id: "b", text: ""))
                }()
                try await other
                throw Refusal()
            }
        }
        #expect(try await library.notes.count() == 0)
    }

    @Test func operationsOfSeveralStepsRunAgainToo() async throws {
        let library = library(conflicts: 2)
        try await library.notes.create(Note(id: "a", text: "", rank: 1))
        #expect(try await library.notes.deleteAll { $0.rank == 1 } == 1)
        #expect(try await library.notes.count() == 0)
    }
}

/// What belongs to the main actor can be used in a transaction that the main actor runs.
@MainActor @Suite struct MainActorTransactionTests {
    private final class Model {
        var titles: [String] = []
    }

    @Test func bodiesRunWhereTheyAreWritten() async throws {
        let library = Conformance.plain(ReferenceStore())
        let model = Model()
        try await library.transaction { library in
            MainActor.assertIsolated()
            model.titles.append(try await library.notes.create(Note(id: "a", text: "x")).text)
            MainActor.assertIsolated()
        }
        #expect(model.titles == ["x"])
    }
}
