#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    extension PostgreSQLEntityStore {
        /// Returns a chunk of the external data of a record.
        public func externalChunk<E: Entity>(
            _ type: E.Type, id: E.ID, content: String, index: Int
        ) async throws -> Data? {
            let chunks = try chunks(type)
            return try await scan(type, id: id) { connection, plan in
                let parameters = try Self.parameters(id, content, index, nil, plan)
                let result = try await connection.run(chunks.select, parameters)
                return result.count > 0 ? Data(result.bytes(0, 0)) : nil
            }
        }

        /// Stores a chunk of the external data of a record.
        func storeChunk<E: Entity>(
            _ type: E.Type, id: E.ID, content: String, index: Int, _ chunk: Data
        ) async throws {
            let chunks = try chunks(type)
            let plan = try tables.table(E.Mapper.table.name)
            let parameters = try Self.parameters(id, content, index, chunk, plan)
            try await PostgreSQLErrors.mapped(table: plan.table.name, id: id.description) {
                try await access.write(.statement, sharing: .never, place: nil) { job in
                    _ = try await job.run(chunks.upsert, parameters)
                } diagnose: { error, _, _ in
                    PostgreSQLErrors.databaseError(
                        error, table: plan.table.name, id: id.description)
                }
            }
        }

        /// Returns the statements of the external data of an entity.
        ///
        /// - Throws: `unsupported` if the entity has none.
        private func chunks<E: Entity>(_ type: E.Type) throws -> ChunkTable {
            let plan = try tables.table(E.Mapper.table.name)
            guard let chunks = ChunkTable(plan.table, PostgreSQLDialect()) else {
                throw CRUDRepositoryError.unsupported(
                    "external data of '\(plan.table.name)'", by: name)
            }
            return chunks
        }

        private static func parameters<I: EntityIdentifier>(
            _ id: I, _ content: String, _ index: Int, _ chunk: Data?, _ plan: PostgreSQLTable
        ) throws -> PostgreSQLParameters {
            var types = [PostgreSQLType.text, PostgreSQLType.int8]
            if chunk != nil { types.append(PostgreSQLType.bytea) }
            var binder = PostgreSQLBinder(id: plan, extra: types)
            try id.encodeComponents(to: &binder)
            let first = plan.keyTypes.count
            binder.set(first) { $0.append(contentsOf: content.utf8) }
            binder.set(first + 1) { $0.append(Int64(index)) }
            if let chunk { binder.set(first + 2) { $0.append(contentsOf: chunk) } }
            return binder.parameters
        }
    }
#endif
