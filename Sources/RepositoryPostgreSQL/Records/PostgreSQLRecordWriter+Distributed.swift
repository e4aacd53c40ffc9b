#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// What the writes to distributed tables need besides.
    extension PostgreSQLRecordWriter {
        /// Notes the references of a record that is written.
        func noteReferences(_ entity: E) throws {
            guard let references = job.references, !plan.table.references.isEmpty else { return }
            references.noteWritten(
                try StoredValueEncoder.values(of: entity, E.Mapper.self), plan)
        }

        /// Notes that a record was deleted.
        func noteDeleted(_ id: E.ID) throws {
            guard let references = job.references, !plan.referrers.isEmpty else { return }
            references.noteDeleted(try StoredValueEncoder.components(of: id), plan)
        }

        /// Returns the positions of the records of a call, in an order in which each unique value
        /// is released before another record takes it, because nodes check unique values at each
        /// statement; `nil` if any order will do. Of several records without a version that have
        /// one id, only the last one is written.
        ///
        /// - Throws: `unsupported` if records of a distributed table exchange values in a cycle.
        func releasingOrder(of entities: [E]) async throws -> [Int]? {
            let table = plan.table
            guard job.references != nil, table.entity.distribution != nil, entities.count > 1,
                table.entity.indexes.contains(where: \.isUnique)
            else { return nil }
            let last = Dictionary(
                entities.indices.map { (entities[$0].id, $0) }, uniquingKeysWith: { $1 })
            let places = entities.indices.filter {
                last[entities[$0].id] == $0 || E.Mapper.version(of: entities[$0]) != nil
            }
            var release = UniqueRelease<E.ID>(table.entity)
            for entity in places.map({ entities[$0] }) {
                release.add(
                    id: entity.id, from: try await storedRow(entity.id),
                    to: try StoredValueEncoder.values(of: entity, E.Mapper.self))
            }
            switch release.order() {
            case .unchanged: return places
            case .sorted(let order): return order.map { places[$0] }
            case .cycle:
                var cycle = CRUDRepositoryError.unsupported(
                    "an exchange of unique values in a cycle in the distributed table "
                        + "'\(table.name)': give one of the records another value first",
                    by: "PostgreSQL with Citus")
                cycle.table = table.name
                throw cycle
            }
        }

        /// Locks the record of an entity and checks that nobody has changed it since it was read:
        /// nodes do not report conflicts of serializable transactions.
        ///
        /// - Throws: a conflict, after which the whole transaction runs again.
        func requireUnchanged(_ entity: E) async throws {
            guard job.references != nil, plan.table.entity.distribution != nil else { return }
            let result = try await job.run(
                texts.select + " FOR UPDATE", parameters(entity.id))
            let read = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            guard let stored = try PostgreSQLRows.all(E.self, result, plan.table).first,
                try StoredValueEncoder.values(of: stored, E.Mapper.self) == read
            else {
                throw PostgreSQLError(
                    state: "40001", message: "the record was changed", constraint: nil,
                    table: plan.table.name, column: nil, isConnectionLost: false, routine: nil)
            }
        }

        /// Returns the values of the stored record with an id; `nil` if there is none.
        private func storedRow(_ id: E.ID) async throws -> [StoredValue]? {
            let result = try await job.run(texts.select, parameters(id))
            return try PostgreSQLRows.all(E.self, result, plan.table).first.map {
                try StoredValueEncoder.values(of: $0, E.Mapper.self)
            }
        }
    }
#endif
