import Foundation
import RepositoryTesting
import Synchronization

@testable import RepositoryRuntime

/// Suites of user defaults, used again by one behaviour after the other.
///
/// Foundation keeps every suite that a process has ever named, and looks at all of them for each write.
final class HouseDefaults: Sendable {
    static let shared = HouseDefaults()

    private struct State {
        var suites: [String: String] = [:]
        var free: [String] = []
    }

    private let state = Mutex(State())

    /// The suite of a place, until it is removed.
    func suite(_ place: StoreLocation) -> String {
        state.withLock { state in
            if let suite = state.suites[place.name] { return suite }
            let suite = state.free.popLast() ?? place.name
            state.suites[place.name] = suite
            return suite
        }
    }

    /// Removes the suite of a place and what lies beside it.
    func remove(_ place: StoreLocation) throws {
        guard let suite = state.withLock({ $0.suites.removeValue(forKey: place.name) }) else {
            return
        }
        try UserDefaultsStore.remove(suiteName: suite)
        state.withLock { $0.free.append(suite) }
    }
}
