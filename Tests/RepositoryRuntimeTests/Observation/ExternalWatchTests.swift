import Generated
import RepositoryRuntime
import Synchronization
import Testing

/// Writes by other processes, played by a store that is moved by hand and a clock that is moved by hand.
@Suite struct ExternalWatchTests {
    @Test func asksOnlyWhileSomebodyObserves() async throws {
        let store = ForeignStore()
        let clock = HandClock()
        store.changes.externalWatch = ExternalWatch(every: .seconds(1), clock: clock)
        let library = Library(store)
        var first: ObservedResults<[Author], CRUDRepositoryError>.AsyncIterator? =
            library.authors.observe().makeAsyncIterator()
        var second = first
        #expect(try await first?.next() == [])
        second = nil
        await clock.waitForSleepers(1)

        // Another process writes; nobody is told before the store is asked.
        let author = Author(name: "Ursula")
        try await store.other.create(author)
        store.state.store(1, ordering: .releasing)
        clock.wake()
        #expect(try await first?.next() == [author])
        await clock.waitForSleepers(1)

        first = nil
        _ = second
        await clock.waitForSleepers(0)
        #expect(!store.changes.hasObservers)
    }

    @Test func asksOnceForTwoObservers() async throws {
        let store = ForeignStore()
        let clock = HandClock()
        store.changes.externalWatch = ExternalWatch(every: .seconds(1), clock: clock)
        let library = Library(store)
        var one: ObservedResults<Int, CRUDRepositoryError>.AsyncIterator? =
            library.authors.observeCount().makeAsyncIterator()
        var two: ObservedResults<Int, CRUDRepositoryError>.AsyncIterator? =
            library.authors.observeCount().makeAsyncIterator()
        #expect(try await one?.next() == 0)
        #expect(try await two?.next() == 0)
        await clock.waitForSleepers(1)
        one = nil
        try await store.other.create(Author(name: "Ursula"))
        store.state.store(1, ordering: .releasing)
        clock.wake()
        #expect(try await two?.next() == 1)
        two = nil
        await clock.waitForSleepers(0)
    }
}

/// A store that says that another process may write to it: what is written to `other` is not sent.
private final class ForeignStore: EntityStoreWrapper {
    let other = InMemoryStore()
    let changes = StoreChanges()
    let state = Atomic<UInt64>(0)

    var store: any EntityStore { other }

    var capabilities: StoreCapabilities {
        let all =
            StoreCapability.all.filter { other.capabilities.has($0) } + [
                .externalObservation
            ]
        return StoreCapabilities(Dictionary(uniqueKeysWithValues: all.map { ($0, .native) }))
    }

    func externalState() async throws -> UInt64? { state.load(ordering: .acquiring) }
}

/// A clock on which everybody sleeps until they are woken or cancelled.
private final class HandClock: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct State {
        var last = 0
        var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers[number] = continuation
                    return false
                }
                if isCancelled { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.resume()
        }
        try Task.checkCancellation()
    }

    /// Wakes all who sleep.
    func wake() {
        let sleepers = state.withLock { state in
            defer { state.sleepers = [:] }
            return Array(state.sleepers.values)
        }
        for sleeper in sleepers { sleeper.resume() }
    }

    /// Returns when so many sleep.
    func waitForSleepers(_ count: Int) async {
        while state.withLock({ $0.sleepers.count }) != count { await Task.yield() }
    }
}
