import RepositoryTesting
import Testing

@Suite("Every behaviour of four-method repositories", .tally("repository:"))
struct RepositoryBehaviourTests {
    @Test(.fewAtATime, arguments: RepositoryBehaviour.all, HouseRepository.all)
    func repository(_ behaviour: RepositoryBehaviour, _ repository: HouseRepository) async throws {
        let outcome = try await behaviour.check(repository.harness)
        Tally.shared.count(outcome, area: behaviour.area, of: repository.testDescription)
    }

    @Test func namesAreUnique() {
        #expect(Set(RepositoryBehaviour.all.map(\.id)).count == RepositoryBehaviour.all.count)
        #expect(RepositoryBehaviour.all.allSatisfy { $0.sentence.hasSuffix(".") })
    }
}
