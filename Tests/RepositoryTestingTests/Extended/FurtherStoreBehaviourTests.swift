import RepositoryTesting
import Testing

@Suite(
    "Behaviours of the same stores with other formats, in other forms and inside wrappers",
    .tally("store:"))
struct FurtherStoreBehaviourTests {
    @Test(.fewAtATime, arguments: Chosen.stores(HouseStore.further))
    func store(_ store: HouseStore) async { await store.checkBehaviours() }
}
