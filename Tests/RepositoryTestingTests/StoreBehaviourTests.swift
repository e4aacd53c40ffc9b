import RepositoryTesting
import Testing

@Suite("Every behaviour of stores", .tally("store:"))
struct StoreBehaviourTests {
    @Test(.fewAtATime, arguments: Chosen.behaviours, Chosen.stores)
    func store(_ behaviour: StoreBehaviour, _ store: HouseStore) async throws {
        if store.shownElsewhere.contains(behaviour.area) { return }
        if store.beyond.contains(behaviour.id) {
            await #expect(throws: (any Error).self) { try await behaviour.check(store.harness) }
            return
        }
        let outcome = try await behaviour.check(store.harness)
        Tally.shared.count(outcome, area: behaviour.area, of: store.testDescription)
    }

    @Test func namesAreUnique() {
        #expect(Set(StoreBehaviour.all.map(\.id)).count == StoreBehaviour.all.count)
        #expect(StoreBehaviour.all.allSatisfy { $0.sentence.hasSuffix(".") })
    }
}
