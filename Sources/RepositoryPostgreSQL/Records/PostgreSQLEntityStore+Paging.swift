#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Records in id order, page by page.
    extension PostgreSQLEntityStore {
        /// Returns at most `limit` entities whose ids follow `id`, in id order.
        public func page<E: Entity>(
            _ type: E.Type, after id: E.ID?, limit: Int
        ) async throws -> [E] {
            try await scan(type) { connection, plan in
                try PostgreSQLRows.all(
                    type, try await Self.rows(type, after: id, limit: limit, connection, plan),
                    plan.table)
            }
        }

        private static func rows<E: Entity>(
            _ type: E.Type, after id: E.ID?, limit: Int, _ connection: PostgreSQLConnection,
            _ plan: PostgreSQLTable
        ) async throws -> PostgreSQLResult {
            var parameters = PostgreSQLParameters()
            if let id {
                var binder = PostgreSQLBinder(id: plan, extra: [PostgreSQLType.int8])
                try id.encodeComponents(to: &binder)
                binder.set(plan.keyTypes.count) { $0.append(Int64(max(0, limit))) }
                parameters = binder.parameters
            } else {
                parameters.append(PostgreSQLType.int8) { $0.append(Int64(max(0, limit))) }
            }
            let text = id == nil ? plan.texts.firstPage : plan.texts.nextPage
            let result = try await connection.run(text, parameters)
            plan.noteSize(of: result)
            return result
        }

        /// Reads the page of all records that begins after an id.
        package func undecodedPage<E: Entity>(
            _ type: E.Type, after id: E.ID?, limit: Int
        ) async throws -> UndecodedPage<E> {
            try await undecodedPage(type) { connection, plan in
                try await Self.rows(type, after: id, limit: limit, connection, plan)
            }
        }

        /// Reads the page of a selection.
        package func undecodedPage<E: Entity>(
            _ type: E.Type, _ selection: StoreSelection
        ) async throws -> UndecodedPage<E> {
            try await undecodedPage(type) { connection, plan in
                try await PostgreSQLSelection(selection, connection, plan).rows()
            }
        }

        private func undecodedPage<E: Entity>(
            _ type: E.Type,
            _ rows:
                @escaping @Sendable (PostgreSQLConnection, PostgreSQLTable) async throws ->
                PostgreSQLResult
        ) async throws -> UndecodedPage<E> {
            try await scan(type) { connection, plan in
                let result = try await rows(connection, plan)
                if plan.table.cipher == nil { return PostgreSQLRows.page(type, result, plan.table) }
                // They are decrypted while there is a connection that can look for keys.
                return UndecodedPage(try PostgreSQLRows.all(type, result, plan.table))
            }
        }

        /// Whether streams read ahead: not in transactions and snapshots, whose connection does one
        /// thing at a time.
        package var readsAhead: Bool { !(self is any StoreTransaction) }

        /// Returns the number of records of which a page has about half a megabyte.
        package func pageSize<E: Entity>(_ type: E.Type, usual: Int) -> Int {
            if let size = tables.pageSize { return size }
            guard let bytes = tables.find(E.Mapper.table.name)?.bytesPerRow else { return usual }
            return max(16, min(Self.pageBytes / max(1, bytes), 4_096))
        }

        private static var pageBytes: Int { 1 << 19 }

        /// Returns all entities, in id order, and the rows that cannot be decoded.
        package func fetchTolerantly<E: Entity>(
            _ type: E.Type, failures maximum: Int
        ) async throws -> TolerantFetch<E>? {
            try await scan(type) { connection, plan in
                try PostgreSQLRows.readable(
                    type, try await Self.rows(type, after: nil, limit: .max, connection, plan),
                    plan.table, failures: maximum)
            }
        }
    }
#endif
