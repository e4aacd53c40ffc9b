import RepositoryTesting
import Synchronization
import Testing

/// How many behaviours were shown by each store, printed once its suite is done.
final class Tally: Sendable {
    static let shared = Tally()

    private struct Line {
        var passed = 0
        var refusals = 0
        var notAsked = 0
    }

    private let lines = Mutex<[String: Line]>([:])

    /// Counts the outcome of one behaviour on a store.
    func count(_ outcome: BehaviourOutcome, of store: String) {
        lines.withLock { lines in
            switch outcome {
            case .passed: lines[store, default: Line()].passed += 1
            case .notAsked: lines[store, default: Line()].notAsked += 1
            case .nothingToRefuse: lines[store, default: Line()].refusals += 1
            }
        }
    }

    /// A line for each store whose name starts so.
    func report(_ prefix: String) -> String {
        lines.withLock { $0 }.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
            .map { store, line in
                "\(store): \(line.passed) behaviours shown, \(line.notAsked) not asked, "
                    + "\(line.refusals) with nothing to refuse"
            }.joined(separator: "\n")
    }
}

/// Prints the tally of a suite when the suite is done.
struct TallyTrait: SuiteTrait, TestScoping {
    let prefix: String

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await function()
        print(Tally.shared.report(prefix))
    }
}

extension Trait where Self == TallyTrait {
    /// Prints a line for each store whose name starts with `prefix`.
    static func tally(_ prefix: String) -> Self { TallyTrait(prefix: prefix) }
}
