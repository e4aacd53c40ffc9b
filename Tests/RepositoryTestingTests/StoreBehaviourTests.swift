import RepositoryTesting
import Testing

@Suite("Every behaviour of stores", .tally("store:"))
struct StoreBehaviourTests {
    @Test(.fewAtATime, arguments: Chosen.stores(HouseStore.stores))
    func store(_ store: HouseStore) async { await store.checkBehaviours() }

    @Test func namesAreUnique() {
        #expect(Set(StoreBehaviour.all.map(\.id)).count == StoreBehaviour.all.count)
        #expect(StoreBehaviour.all.allSatisfy { $0.sentence.hasSuffix(".") })
    }
}

extension HouseStore {
    /// Checks the behaviours with which the store is tried, and counts them.
    func checkBehaviours() async {
        let chosen = tried(Chosen.behaviours)
        let results = await StoreBehaviour.checkAll(chosen, atATime: 3) { behaviour in
            try await behaviour.check(harness)
        }
        for (behaviour, result) in results {
            switch result {
            case .success(let outcome) where !beyond.contains(behaviour.id):
                Tally.shared.count(outcome, area: behaviour.area, of: testDescription)
            case .success: Issue.record("\(behaviour.id) is listed as failing, and passed")
            case .failure(let error) where !beyond.contains(behaviour.id):
                Issue.record("\(behaviour.id): \(error)")
            case .failure: break
            }
        }
        #expect(results.count == chosen.count)
    }
}
