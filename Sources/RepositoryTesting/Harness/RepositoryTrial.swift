internal import RepositoryRuntime

/// A new four-method repository on which one behaviour is checked.
struct RepositoryTrial: Sendable {
    /// The repository.
    let repository: any CRUDRepository
    /// The place of the repository.
    let place: StoreLocation
    /// The harness that created the repository.
    let harness: RepositoryHarness

    /// A trial with a new repository instance at the same place.
    func reopened() async throws -> RepositoryTrial {
        RepositoryTrial(
            repository: try await harness.make(place), place: place, harness: harness)
    }

    /// A repository for another table at the same place.
    func table(_ name: String) async throws -> any CRUDRepository {
        var place = place
        place.table = name
        return try await harness.make(place)
    }

    func create(_ id: String, _ item: some CRUDRepository.Item) async throws {
        try await repository.create(id: id, item: item)
    }

    func read<T: CRUDRepository.Item>(_ id: String, as type: T.Type = T.self) async throws -> T {
        try await repository.read(id: id)
    }

    func update(_ id: String, _ item: some CRUDRepository.Item) async throws {
        try await repository.update(id: id, item: item)
    }

    func delete(_ id: String) async throws {
        try await repository.delete(id: id)
    }

    /// Checks that no item is stored under an id.
    func expectNothing(_ id: String, fileID: String = #fileID, line: Int = #line) async throws {
        try await expectError(
            .recordNotFound, id: id, saying: "An item is stored under '\(id)'.", fileID: fileID,
            line: line
        ) {
            try await read(id, as: String.self)
        }
    }
}
