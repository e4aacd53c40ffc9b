import Foundation
import Synchronization
import Testing

@testable import RepositoryRuntime

/// Stores that repeat what failed.
@Suite struct RetryingStoreTests {
    /// A store whose reads, saves and transactions fail a few times first.
    private struct FailingStore: EntityStoreWrapper {
        let store: any EntityStore
        let left: Shared<Int>
        let error: CRUDRepositoryError

        private func fail() throws { if left.takeOne() { throw error } }

        func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
            try fail()
            return try await store.read(type, id: id)
        }

        func save<E: Entity>(_ entity: E) async throws -> E {
            try fail()
            return try await store.save(entity)
        }

        func begin() async throws -> any StoreTransaction {
            try fail()
            return try await store.begin()
        }
    }

    private static let busy = CRUDRepositoryError(.databaseError, "Busy.", isRetryable: true)

    /// Volumes in a store that fails so often, the delays that were waited, and the store.
    private func volumes(
        failures: Int, _ error: CRUDRepositoryError = busy, _ policy: RetryPolicy = RetryPolicy(),
        random: @escaping @Sendable () -> Double = { 0 }
    ) -> (volumes: VolumeRepository, waited: Shared<[Duration]>, left: Shared<Int>) {
        let (left, waited) = (Shared<Int>(failures), Shared<[Duration]>([]))
        let store = RetryingStore(
            FailingStore(store: InMemoryStore(), left: left, error: error), policy: policy,
            sleep: { delay in waited.value.withLock { $0.append(delay) } }, random: random)
        let context = RepositoryContext(
            store: store, schema: StoreSchema("Volumes", [Volume.self]))
        return (VolumeRepository(context), waited, left)
    }

    @Test func whatFailedIsDoneOnce() async throws {
        let (volumes, waited, _) = volumes(failures: 3)
        try await volumes.save(Volume(code: "a"))
        #expect(try await volumes.count() == 1)
        #expect(
            waited.value.withLock { $0 } == [
                .milliseconds(20), .milliseconds(40), .milliseconds(80),
            ])
    }

    @Test func theLastErrorIsThrown() async throws {
        let (volumes, waited, left) = volumes(failures: 9)
        await #expect {
            try await volumes.save(Volume(code: "a"))
        } throws: { ($0 as? CRUDRepositoryError)?.message == "Busy." }
        #expect(left.value.withLock { $0 } == 4)
        #expect(waited.value.withLock { $0.count } == 4)
        #expect(try await volumes.count() == 0)
    }

    @Test func otherErrorsAreThrownAtOnce() async throws {
        var conflict = CRUDRepositoryError(.versionConflict, "Changed.", isRetryable: true)
        for code in [CRUDRepositoryError.Code.versionConflict, .transactionConflict] {
            conflict.code = code
            let (volumes, waited, left) = volumes(failures: 9, conflict)
            await #expect(throws: CRUDRepositoryError.self) {
                try await volumes.save(Volume(code: "a"))
            }
            #expect(left.value.withLock { $0 } == 8)
            #expect(waited.value.withLock { $0.isEmpty })
        }
        let (volumes, waited, left) = volumes(
            failures: 9, CRUDRepositoryError(.databaseError, "Damaged."))
        await #expect(throws: CRUDRepositoryError.self) {
            try await volumes.save(Volume(code: "a"))
        }
        #expect(left.value.withLock { $0 } == 8)
        #expect(waited.value.withLock { $0.isEmpty })
    }

    @Test func transactionsBeginAgain() async throws {
        let (volumes, waited, _) = volumes(failures: 0)
        try await volumes.save(Volume(code: "a"))
        let (others, waits, left) = self.volumes(failures: 0)
        try await others.save(Volume(code: "a"))
        left.value.withLock { $0 = 2 }
        _ = try await others.context.transaction { context in
            try await VolumeRepository(context).save(Volume(code: "b"))
        }
        #expect(try await others.count() == 2)
        #expect(waits.value.withLock { $0.count } == 2)
        #expect(waited.value.withLock { $0.isEmpty })
    }

    @Test func cancellationEndsTheWait() async throws {
        let store = RetryingStore(
            FailingStore(store: InMemoryStore(), left: Shared<Int>(.max), error: Self.busy),
            policy: RetryPolicy(
                attempts: 9, firstDelay: .seconds(600), longestDelay: .seconds(600),
                longestWait: .seconds(6_000)))
        let volumes = VolumeRepository(
            RepositoryContext(store: store, schema: StoreSchema("Volumes", [Volume.self])))
        let task = Task { try await volumes.save(Volume(code: "a")) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func delaysGrowToABound() {
        let policy = RetryPolicy(
            attempts: 6, firstDelay: .seconds(1), longestDelay: .seconds(4),
            longestWait: .seconds(100))
        #expect(policy.delays { 0 } == [1, 2, 4, 4, 4].map { .seconds($0) })
        #expect(policy.delays { 0.5 }.first == .milliseconds(750))
        var short = policy
        short.longestWait = .seconds(8)
        #expect(short.delays { 0 } == [1, 2, 4].map { .seconds($0) })
        #expect(RetryPolicy(attempts: 0).delays { 0 }.isEmpty)
    }
}

/// A value that several closures share.
private final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
}

extension Shared<Int> {
    fileprivate func takeOne() -> Bool {
        value.withLock { value in
            guard value > 0 else { return false }
            value -= 1
            return true
        }
    }
}
