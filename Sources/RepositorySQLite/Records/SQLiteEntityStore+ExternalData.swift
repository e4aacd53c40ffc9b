internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteEntityStore {
    /// Returns a chunk of the external data of a record.
    func storedChunk<E: Entity>(
        _ type: E.Type, _ id: E.ID, _ content: String, _ index: Int
    ) async throws -> Data? {
        let chunks = try chunks(type)
        return try await access.scan { connection in
            try SQLiteErrors.mapped(E.Mapper.table.name, id: id.description) {
                let statement = try connection.statement(chunks.select)
                defer { statement.reset() }
                var binder = SQLiteBinder(id: statement, chunks.table)
                try id.encodeComponents(to: &binder)
                try statement.bind(content, at: chunks.key.count + 1)
                try statement.bind(Int64(index), at: chunks.key.count + 2)
                return try statement.step() ? statement.data(at: 0) : nil
            }
        }
    }

    /// Returns the statements of the external data of an entity.
    ///
    /// - Throws: `unsupported` if the entity has none.
    func chunks<E: Entity>(_ type: E.Type) throws -> ChunkTable {
        let plan = try plans.plan(E.Mapper.table.name)
        guard let chunks = ChunkTable(plan.table, SQLiteDialect()) else {
            throw CRUDRepositoryError.unsupported(
                "external data of '\(E.Mapper.table.name)'", by: name)
        }
        return chunks
    }
}
