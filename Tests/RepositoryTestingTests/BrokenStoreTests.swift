import RepositoryTesting
import Testing

/// The suite is worth what it finds: each store that is wrong in one thing fails at least one behaviour.
@Suite("Broken stores are found out")
struct BrokenStoreTests {
    /// The behaviours that take no time: each flaw shows in one of them already.
    ///
    /// Those of some late areas come first. The flaws that only they find would cost a run of nearly
    /// the whole suite each.
    static let quick = {
        let behaviours = StoreBehaviour.all.filter { behaviour in
            !["hostileIDs", "random", "concurrency"].contains(behaviour.area)
                && behaviour.id != "batches.large"
        }
        let early: Set = ["closing", "upkeep", "cancellation", "sets"]
        return behaviours.filter { early.contains($0.area) }
            + behaviours.filter { !early.contains($0.area) }
    }()

    @Test(arguments: BrokenStore.Flaw.allCases)
    func found(_ flaw: BrokenStore.Flaw) async throws {
        var failed: String?
        for behaviour in Self.quick where failed == nil {
            do {
                try await behaviour.check { _ in BrokenStore(flaw: flaw) }
            } catch let failure as BehaviourFailure {
                #expect(failure.behaviour == behaviour.id)
                #expect(failure.line > 0 && failure.fileID.hasPrefix("RepositoryTesting/"))
                failed = failure.behaviour
            }
        }
        print("broken: \(flaw.rawValue): found by \(failed ?? "nothing")")
        #expect(failed != nil)
    }
}
