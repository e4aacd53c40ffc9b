internal import Foundation
internal import Synchronization

/// A store that keeps file descriptors open between its operations.
package protocol DescriptorKeeper: AnyObject, Sendable {
    /// Closes the descriptors that no operation uses at the moment, without waiting. The next
    /// operation opens them again.
    ///
    /// - Parameter sparing: whether descriptors are spared that were used since the last call.
    func closeIdleDescriptors(sparing: Bool)
}

/// The file descriptors that all stores of the process keep open between their operations.
///
/// A process may open a limited number of files. If the stores together keep more than half of that
/// number, those that were not used for the longest time close theirs. The number of open stores is
/// therefore not limited by their descriptors.
package final class OpenDescriptors: Sendable {
    /// A reference that does not keep a store alive.
    private struct Keeper {
        weak var keeper: (any DescriptorKeeper)?
    }

    /// The stores in the order in which they are asked to close descriptors.
    private struct State {
        var keepers: [Keeper] = []
        /// The position of the store that is asked next.
        var next = 0
        /// The number of stores that triggers the removal of those that were released.
        var limit = 64
    }

    /// The instance of the process.
    package static let shared = OpenDescriptors()

    /// The number of descriptors that the stores keep open.
    private let count = Atomic(0)
    private let state = Mutex(State())

    /// The number of descriptors that stores keep open between their operations.
    package var kept: Int { count.load(ordering: .relaxed) }

    /// Adds a store, which keeps no descriptors yet.
    package func add(_ keeper: any DescriptorKeeper) {
        state.withLock { state in
            if state.keepers.count >= state.limit {
                state.keepers.removeAll { $0.keeper == nil }
                state.limit = max(64, state.keepers.count * 2)
                state.next = 0
            }
            state.keepers.append(Keeper(keeper: keeper))
        }
    }

    /// Counts descriptors that a store is about to keep open. If there are too many, other stores
    /// close theirs first.
    package func willOpen(_ number: Int) {
        let total = count.add(number, ordering: .relaxed).newValue
        let limit = Self.limit
        guard total > limit else { return }
        // Stores that were used recently are asked in the second round.
        shrink(to: limit - limit / 8, sparing: true)
        shrink(to: limit, sparing: false)
    }

    /// Counts descriptors that a store has closed.
    package func didClose(_ number: Int) { count.subtract(number, ordering: .relaxed) }

    /// Closes the descriptors of all stores that no operation uses, because the process cannot open
    /// more.
    ///
    /// - Returns: whether any were closed.
    package func reclaim() -> Bool {
        let before = kept
        shrink(to: 0, sparing: false)
        return kept < before
    }

    /// Asks each store once, until at most a number of descriptors is open.
    private func shrink(to limit: Int, sparing: Bool) {
        var rest = state.withLock { $0.keepers.count }
        while rest > 0, kept > limit {
            rest -= 1
            let keeper: (any DescriptorKeeper)? = state.withLock { state in
                guard !state.keepers.isEmpty else { return nil }
                defer { state.next += 1 }
                if state.next >= state.keepers.count { state.next = 0 }
                return state.keepers[state.next].keeper
            }
            // Without the mutex: a store that is released here has locks of its own.
            keeper?.closeIdleDescriptors(sparing: sparing)
        }
    }

    /// The number of descriptors that the stores may keep: half of what the process may open.
    private static var limit: Int {
        var limits = rlimit()
        #if canImport(Glibc)
            let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        #else
            let result = getrlimit(RLIMIT_NOFILE, &limits)
        #endif
        guard result == 0 else { return 128 }
        return max(16, Int(clamping: limits.rlim_cur) / 2)
    }
}
