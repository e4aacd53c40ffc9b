import RepositoryRuntime
import RepositoryTesting
import Testing

/// Each store that is wrong in one thing about related records fails a behaviour; the one that is
/// wrong in nothing fails none.
@Suite("Broken relatives are found out")
struct BrokenRelativesTests {
    @Test(arguments: BrokenRelativesStore.Flaw.allCases)
    func foundByABehaviour(_ flaw: BrokenRelativesStore.Flaw) async throws {
        // With `REPOSITORY_LONG=1` the first three that find it.
        let most = Chosen.isLong ? 3 : 1
        var failed: [String] = []
        for behaviour in StoreBehaviour.all where Self.isAbout(behaviour.id) && failed.count < most
        {
            do {
                try await behaviour.check { _ in BrokenRelativesStore(flaw: flaw) }
            } catch let failure as BehaviourFailure {
                failed.append(failure.description)
            }
        }
        print("broken: \(flaw.rawValue): found by \(failed.joined(separator: ", "))")
        #expect(failed.isEmpty == (flaw == .nothing), "\(failed)")
    }

    private static func isAbout(_ id: String) -> Bool {
        ["relatives.", "queries.fields.", "random.relatives"].contains { id.hasPrefix($0) }
    }
}
