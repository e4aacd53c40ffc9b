import Testing

@testable import RepositoryTesting

/// Each store that sends something wrong fails at least one behaviour of observation.
@Suite("Broken senders are found out")
struct BrokenSenderTests {
    @Test(arguments: BrokenSender.Flaw.allCases)
    func found(_ flaw: BrokenSender.Flaw) async throws {
        var failed: [String] = []
        for behaviour in StoreBehaviour.observation where failed.isEmpty {
            do {
                // What is never sent is not waited for as long as elsewhere.
                try await ObservationTimeout.$duration.withValue(.seconds(2)) {
                    _ = try await behaviour.check { _ in BrokenSender(flaw) }
                }
            } catch let failure as BehaviourFailure {
                failed.append(failure.behaviour)
            }
        }
        print("broken: \(flaw.rawValue): found by \(failed.joined(separator: ", "))")
        #expect(!failed.isEmpty)
    }
}
