public import Foundation
public import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteStore {
    /// Returns a chunk of the external data of a record.
    public func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? { try await storedChunk(type, id, content, index) }
}

extension SQLiteSnapshot {
    func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? { try await storedChunk(type, id, content, index) }
}

extension SQLiteTransaction {
    func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? { try await storedChunk(type, id, content, index) }

    /// Stores a chunk of the external data of a record.
    func writeExternalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int, _ chunk: Data
    ) async throws {
        let chunks = try chunks(type)
        do {
            try await access.write(.statement) { connection in
                let statement = try connection.statement(chunks.upsert)
                var binder = SQLiteBinder(id: statement, chunks.table)
                try id.encodeComponents(to: &binder)
                try statement.bind(content, at: chunks.key.count + 1)
                try statement.bind(Int64(index), at: chunks.key.count + 2)
                try statement.bind(chunk, at: chunks.key.count + 3)
                try statement.run()
            }
        } catch let error as SQLiteError {
            throw SQLiteErrors.databaseError(
                error, table: E.Mapper.table.name, id: id.description)
        }
    }
}
