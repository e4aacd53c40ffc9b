internal import RepositoryRuntime

extension EntityStream {
    /// Returns the entities of the stream. Fails after `limit` entities, because a faulty store may
    /// repeat a page endlessly.
    func gathered(
        atMost limit: Int = 10_000, fileID: String = #fileID, line: Int = #line
    ) async throws -> [Model] {
        var entities: [Model] = []
        for try await entity in self {
            entities.append(entity)
            try expect(
                entities.count <= limit, "The stream does not end.", fileID: fileID, line: line)
        }
        return entities
    }
}
