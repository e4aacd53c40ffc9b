import RepositoryTesting
import Testing

@Suite("Every behaviour of four-method repositories", .tally("repository:"))
struct RepositoryBehaviourTests {
    /// Each behaviour of the first repositories, every third of the others, which differ from them in the format only. With
    /// `REPOSITORY_LONG=1` all.
    private static let tried: [(RepositoryBehaviour, HouseRepository)] =
        HouseRepository.all.enumerated().flatMap { index, repository in
            RepositoryBehaviour.all.enumerated()
                .filter { Chosen.isLong || repository.isFirst || $0.offset % 3 == index % 3 }
                .map { ($0.element, repository) }
        }

    @Test(.fewAtATime, arguments: tried)
    func repository(_ behaviour: RepositoryBehaviour, _ repository: HouseRepository) async throws {
        let outcome = try await behaviour.check(repository.harness)
        Tally.shared.count(outcome, area: behaviour.area, of: repository.testDescription)
    }

    @Test func namesAreUnique() {
        #expect(Set(RepositoryBehaviour.all.map(\.id)).count == RepositoryBehaviour.all.count)
        #expect(RepositoryBehaviour.all.allSatisfy { $0.sentence.hasSuffix(".") })
    }
}
