import Synchronization
import Testing

/// Lets so many cases of the tests that share it run at a time.
///
/// Swift Testing starts all cases at once; all of them, each with stores of its own, would hold more files open than a process
/// may and keep every timer of the program waiting for minutes.
final class CaseLimit: TestTrait, TestScoping {
    /// What all tests of stores share.
    static let stores = CaseLimit(4)

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await enter()
        defer { leave() }
        try await function()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeLast()
        }
        next?.resume()
    }
}

extension Trait where Self == CaseLimit {
    /// A few cases at a time, of all tests of stores together.
    static var fewAtATime: Self { .stores }
}
