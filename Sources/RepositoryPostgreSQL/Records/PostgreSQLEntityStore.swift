#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// The operations of a store of entities, shared by the store, its transactions and its
    /// snapshots.
    protocol PostgreSQLEntityStore: TolerantStore, PagedStore {
        /// The type of the access.
        associatedtype Access: PostgreSQLAccess
        /// Decides which connection an operation uses.
        var access: Access { get }
        /// The tables of all open schemas.
        var tables: PostgreSQLTables { get }
    }

    extension PostgreSQLEntityStore {
        /// The greatest number of records of a batch whose statements are sent together.
        private static var mostTogether: Int { 64 }

        /// Runs a read with the table of an entity.
        func scan<E: Entity, R: Sendable>(
            _ type: E.Type, id: E.ID? = nil,
            _ body: @escaping @Sendable (PostgreSQLConnection, PostgreSQLTable) async throws -> R
        ) async throws -> R {
            let plan = try tables.table(E.Mapper.table.name)
            return try await mapped(plan, id: id?.description) {
                try await access.read { connection in
                    guard plan.table.cipher != nil else { return try await body(connection, plan) }
                    return try await PostgreSQLUnknownKey.reading(plan.table, connection) {
                        try await body(connection, plan)
                    }
                }
            }
        }

        /// Runs a read of single rows by their ids.
        func look<E: Entity, R: Sendable>(
            _ type: E.Type, id: E.ID,
            _ body: @escaping @Sendable (any PostgreSQLRunner, PostgreSQLTable) async throws -> R
        ) async throws -> R {
            let plan = try tables.table(E.Mapper.table.name)
            // A view of another program may take any time.
            guard plan.table.entity.isManaged else { return try await scan(type, id: id, body) }
            return try await mapped(plan, id: id.description) {
                try await access.look { runner in
                    guard plan.table.cipher != nil else { return try await body(runner, plan) }
                    return try await PostgreSQLUnknownKey.reading(plan.table, runner) {
                        try await body(runner, plan)
                    }
                }
            }
        }

        /// Runs the statement of a table that reads a row by its id.
        ///
        /// - Parameter text: the statement. Its only parameters are the components of the id.
        private func row<E: Entity>(
            _ type: E.Type, id: E.ID, _ plan: PostgreSQLTable, _ text: String
        ) async throws -> PostgreSQLResult {
            var binder = PostgreSQLBinder(id: plan)
            try id.encodeComponents(to: &binder)
            let parameters = binder.parameters
            // A view of another program may take any time.
            guard plan.table.entity.isManaged else {
                return try await scan(type, id: id) { connection, _ in
                    try await connection.run(text, parameters)
                }
            }
            do {
                return try await access.look(text, parameters)
            } catch let error as PostgreSQLError {
                throw await translated(error, plan, id: id.description)
            }
        }

        /// Runs a write.
        ///
        /// - Parameters:
        ///   - isBatch: whether all statements are one transaction.
        ///   - isOneRound: whether they are sent together.
        ///   - needsResult: whether more than their success matters.
        ///   - entities: the entities that are written, for errors.
        ///   - ids: the ids of the records that are deleted, for errors.
        func write<E: Entity, R: Sendable>(
            _ type: E.Type, isBatch: Bool, isOneRound: Bool = false, needsResult: Bool = true,
            entities: [E] = [], ids: [E.ID] = [], isDeletion: Bool = false,
            _ body: @escaping @Sendable (PostgreSQLRecordWriter<E>) async throws -> R
        ) async throws -> R {
            let plan = try tables.table(E.Mapper.table.name)
            let tables = self.tables
            // One round of statements is a transaction by itself, if none needs a setting.
            let isSingle =
                !isBatch || (isOneRound && plan.deferringUnique == nil && !access.isSpread)
            let isolation: PostgreSQLIsolation =
                isSingle
                ? .statement : .batch(setting: plan.deferringUnique, check: plan.checkingUnique)
            // A deletion that reaches many records, and a trigger of another program, may take any
            // time.
            let isShared =
                isSingle && plan.table.entity.isManaged
                && !(isDeletion && !plan.reached.isEmpty)
            let sharing: PostgreSQLSharing =
                isShared ? needsResult ? .ifAnswered : .always : .never
            var place: Int?
            if !isBatch, isShared, let id = entities.first?.id ?? ids.first {
                var hasher = Hasher()
                hasher.combine(plan.table.name)
                hasher.combine(id)
                place = hasher.finalize()
            }
            return try await mapped(
                plan, id: (entities.first?.id ?? ids.first)?.description
            ) {
                try await access.write(isolation, sharing: sharing, place: place) { job in
                    try await body(PostgreSQLRecordWriter(job: job, plan: plan))
                } diagnose: { error, step, connection in
                    try await PostgreSQLDiagnosis(plan, tables, connection).error(
                        error, step: step, entities: entities, ids: ids, isDeletion: isDeletion)
                }
            }
        }

        // MARK: Reading

        /// Reads an entity.
        ///
        /// - Throws: `recordNotFound`; `invalidRecord` if the row cannot be decoded.
        public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
            let plan = try tables.table(E.Mapper.table.name)
            let entity: E?
            if plan.table.cipher == nil {
                entity = try PostgreSQLRows.first(
                    type, try await row(type, id: id, plan, plan.texts.select), plan.table)
            } else {
                // It may have to look for a key.
                entity = try await look(type, id: id) { runner, plan in
                    var binder = PostgreSQLBinder(id: plan)
                    try id.encodeComponents(to: &binder)
                    return try PostgreSQLRows.first(
                        type, try await runner.run(plan.texts.select, binder.parameters),
                        plan.table)
                }
            }
            guard let entity else {
                throw CRUDRepositoryError.recordNotFound(
                    id: id.description, table: plan.table.name)
            }
            return entity
        }

        /// Returns whether an entity with this id exists.
        public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
            let plan = try tables.table(E.Mapper.table.name)
            return try await row(type, id: id, plan, plan.texts.exists).count > 0
        }

        /// Returns the number of entities.
        public func count<E: Entity>(_ type: E.Type) async throws -> Int {
            try await scan(type) { connection, plan in
                Int(try await connection.run(plan.texts.count).integer(0, 0) ?? 0)
            }
        }

        /// Returns the greatest id that an unmanaged table with an identity or serial column has
        /// given, and takes ids from its sequence; `nil` for another table.
        ///
        /// Another session may take ids at the same time. Those that are no row of numbers are
        /// skipped.
        public func lastRememberedID<E: Entity>(
            _ type: E.Type, reserving count: Int
        ) async throws -> Int64? {
            try await scan(type) { connection, plan in
                let table = PostgreSQLDialect().quoted(plan.table.name)
                let sequence = try await connection.run(
                    "SELECT pg_get_serial_sequence($1, $2)::text",
                    PostgreSQLCatalog.parameters([table, plan.table.keyNames[0]]))
                guard let sequence = sequence.text(0, 0) else { return nil }
                return try await Self.reserve(count, of: sequence, connection)
            }
        }

        /// Takes consecutive numbers from a sequence.
        ///
        /// - Returns: the number before the first one.
        /// - Throws: `transactionConflict`, which is retryable, if other sessions have taken numbers
        ///   in between each time.
        private static func reserve(
            _ count: Int, of sequence: String, _ connection: PostgreSQLConnection
        ) async throws -> Int64? {
            let name = PostgreSQLDialect().textLiteral(sequence)
            for _ in 0..<20 {
                let taken = try await connection.run(
                    "SELECT min(n), max(n) FROM (SELECT nextval(\(name)) AS n "
                        + "FROM generate_series(1, \(max(1, count)))) AS taken")
                guard let first = taken.integer(0, 0), let last = taken.integer(0, 1) else {
                    return nil
                }
                if last - first == Int64(max(1, count)) - 1 { return first - 1 }
            }
            throw CRUDRepositoryError(
                .transactionConflict,
                "Other sessions take numbers of the sequence \(sequence) at the same time.",
                isRetryable: true)
        }

        /// Returns all ids, in id order.
        public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
            try await allIDs(type).all()
        }

        /// Returns all ids that can be decoded, in id order, and the others.
        package func readableIDs<E: Entity>(_ type: E.Type) async throws -> ReadableIDs<E>? {
            try await allIDs(type)
        }

        private func allIDs<E: Entity>(_ type: E.Type) async throws -> ReadableIDs<E> {
            try await scan(type) { connection, plan in
                try PostgreSQLRows.ids(
                    type, try await connection.run(plan.texts.ids), plan.table)
            }
        }

        /// Returns the entities that a scan of a declared index finds.
        ///
        /// - Throws: `unsupported` if the table has no such index, or the scan cannot be written.
        public func find<E: Entity>(
            _ type: E.Type, _ scan: IndexScan, limit: Int
        ) async throws -> [E] {
            try await self.scan(type) { connection, plan in
                let entity = plan.table.entity
                if let found = try await Self.hashed(type, scan, connection, plan) {
                    return Array(found.prefix(max(0, limit)))
                }
                guard scan.index == IndexScan.ids || entity.indexes.indices.contains(scan.index),
                    scan.equal.count <= entity.scannedIndex(scan.index).keys.count,
                    let query = SQLSelectionWriter.find(
                        scan, limit: limit, plan.table, PostgreSQLDialect())
                else {
                    throw CRUDRepositoryError(
                        .unsupported,
                        "There is no index \(scan.index) over \(scan.equal.count) fields of '\(plan.table.name)'.",
                        table: plan.table.name)
                }
                let result = try await connection.run(
                    query.text, PostgreSQLValues.parameters(query.parameters))
                return try PostgreSQLRows.all(type, result, plan.table)
            }
        }

        /// Returns the entities that a scan of an index over an encrypted field finds, in the order of
        /// the values; `nil` for another index. The hashes only narrow them down.
        private static func hashed<E: Entity>(
            _ type: E.Type, _ scan: IndexScan, _ connection: PostgreSQLConnection,
            _ plan: PostgreSQLTable
        ) async throws -> [E]? {
            guard let selection = plan.table.hashed(scan, PostgreSQLDialect()) else { return nil }
            let found = try await PostgreSQLSelection(selection, connection, plan).entities(type)
            return try IndexScanOrder(scan, plan.table.entity).sorted(found)
        }

        // MARK: Writing

        /// Stores a new entity.
        ///
        /// - Throws: `recordAlreadyExists`, `constraintViolated`.
        public func create<E: Entity>(_ entity: E) async throws {
            try await write(E.self, isBatch: false, needsResult: false, entities: [entity]) {
                try await $0.create(entity)
            }
        }

        /// Replaces an entity. The statement that writes also compares the version.
        ///
        /// - Returns: the stored entity, with its new version.
        /// - Throws: `recordNotFound`, `versionConflict`.
        public func update<E: Entity>(_ entity: E) async throws -> E {
            try await write(E.self, isBatch: false, entities: [entity]) {
                try await $0.update(entity)
            }
        }

        /// Creates or replaces an entity.
        ///
        /// - Returns: the stored entity, with its new version.
        public func save<E: Entity>(_ entity: E) async throws -> E {
            let isVersioned = E.Mapper.version(of: entity) != nil
            return try await write(
                E.self, isBatch: false, needsResult: isVersioned, entities: [entity]
            ) {
                try await $0.save(entity)
            }
        }

        /// Deletes an entity and applies the `onDelete` actions of references to it.
        ///
        /// - Throws: `recordNotFound`; `constraintViolated` if a `restrict` reference prevents it.
        public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
            try await write(type, isBatch: false, ids: [id], isDeletion: true) { writer in
                guard try await writer.delete(id) else {
                    throw CRUDRepositoryError.recordNotFound(
                        id: id.description, table: E.Mapper.table.name)
                }
            }
        }

        /// Stores new entities in one transaction.
        public func createAll<E: Entity>(_ entities: [E]) async throws {
            guard !entities.isEmpty else { return }
            try await write(
                E.self, isBatch: true, isOneRound: entities.count <= Self.mostTogether,
                needsResult: false, entities: entities
            ) {
                try await $0.createAll(entities)
            }
        }

        /// Creates or replaces entities in one transaction.
        ///
        /// - Returns: the stored entities, with their new versions.
        public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
            guard let first = entities.first else { return [] }
            let isVersioned = E.Mapper.version(of: first) != nil
            return try await write(
                E.self, isBatch: true,
                isOneRound: !isVersioned && entities.count <= Self.mostTogether,
                needsResult: isVersioned, entities: entities
            ) { writer in
                let order = try await writer.releasingOrder(of: entities)
                if !isVersioned {
                    try await writer.upsertAll(order?.map { entities[$0] } ?? entities)
                    return entities
                }
                var stored = entities
                for place in order ?? Array(entities.indices) {
                    stored[place] = try await writer.save(entities[place])
                }
                return stored
            }
        }

        /// Deletes entities in one transaction.
        ///
        /// - Returns: the number of deleted entities.
        public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
            guard !ids.isEmpty else { return 0 }
            return try await write(type, isBatch: true, ids: ids, isDeletion: true) {
                try await $0.deleteAll(ids)
            }
        }

        /// Deletes all entities of a type.
        ///
        /// - Returns: the number of deleted entities.
        public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
            try await write(type, isBatch: true, isDeletion: true) { try await $0.deleteAll() }
        }
    }
#endif
