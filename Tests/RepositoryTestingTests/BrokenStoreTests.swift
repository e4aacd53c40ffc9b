import RepositoryTesting
import Testing

/// The suite is worth what it finds: each store that is wrong in one thing fails at least one behaviour.
@Suite("Broken stores are found out")
struct BrokenStoreTests {
    @Test(arguments: BrokenStore.Flaw.allCases)
    func found(_ flaw: BrokenStore.Flaw) async throws {
        var failed: [String] = []
        for behaviour in StoreBehaviour.all {
            do {
                try await behaviour.check { _ in BrokenStore(flaw: flaw) }
            } catch let failure as BehaviourFailure {
                #expect(failure.behaviour == behaviour.id)
                #expect(failure.line > 0 && failure.fileID.hasPrefix("RepositoryTesting/"))
                failed.append(failure.behaviour)
            }
        }
        print("broken: \(flaw.rawValue): found by \(failed.count): \(failed.prefix(4))")
        #expect(!failed.isEmpty)
    }
}
