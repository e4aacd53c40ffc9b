internal import RepositoryRuntime

extension EntityStream {
    /// All entities of the stream, which must end: a broken store may repeat a page for ever.
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
