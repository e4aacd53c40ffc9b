import Testing

@testable import RepositoryTesting

@Suite struct ReferenceStoreTests {
    @Test(arguments: StoreBehaviour.all)
    func reference(_ behaviour: StoreBehaviour) async throws {
        try await behaviour.check { _ in ReferenceStore() }
    }
}
