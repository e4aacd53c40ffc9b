#if PostgreSQL
    internal import RepositoryRuntime

    /// Finds the record and the field because of which PostgreSQL rejected a write, after the write
    /// was undone.
    struct PostgreSQLDiagnosis {
        private let plan: PostgreSQLTable
        private let tables: PostgreSQLTables
        private let connection: PostgreSQLConnection

        init(
            _ plan: PostgreSQLTable, _ tables: PostgreSQLTables, _ connection: PostgreSQLConnection
        ) {
            self.plan = plan
            self.tables = tables
            self.connection = connection
        }

        /// Returns the error to throw.
        ///
        /// - Parameters:
        ///   - step: the number of the entity whose statement failed; `nil` if a check at the end
        ///     failed.
        ///   - entities: the entities that were written.
        ///   - ids: the ids of the records that were deleted.
        func error<E: Entity>(
            _ error: PostgreSQLError, step: Int?, entities: [E], ids: [E.ID], isDeletion: Bool
        ) async throws -> CRUDRepositoryError {
            let table = plan.table
            if isDeletion {
                let referrer = try await referrer(error)
                let id = try await held(ids, by: referrer)
                return PostgreSQLViolation(table: table, id: id?.description)
                    .deletion(error, referrer.map { ($0.plan.table.name, $0.field) })
            }
            guard error.isConstraint else {
                return PostgreSQLErrors.databaseError(
                    error, table: table.name, id: entities.first?.id.description)
            }
            var failed = step.flatMap { entities.indices.contains($0) ? entities[$0] : nil }
            if entities.count == 1 { failed = entities[0] }
            if error.isForeignKey {
                let columns = try await columns(of: error)
                if failed == nil || entities.count > 1 {
                    failed = try await dangling(among: entities, columns)
                }
                return PostgreSQLViolation(table: table, id: failed?.id.description)
                    .error(error, reference: columns)
            }
            if error.isUnique {
                // A duplicate id takes precedence over all other violations.
                if entities.count == 1, let entity = failed,
                    !plan.uniqueConstraints.contains(error.constraint ?? ""),
                    E.Mapper.version(of: entity) != nil || true
                {
                    return PostgreSQLViolation(table: table, id: entity.id.description).error(error)
                }
            }
            return PostgreSQLViolation(table: table, id: failed?.id.description).error(error)
        }

        /// Returns the columns of the constraint that an error names.
        private func columns(of error: PostgreSQLError) async throws -> [String]? {
            guard let name = error.constraint, let table = error.table else { return nil }
            return try await PostgreSQLCatalog.constraints(of: table, connection)
                .first { $0.name == name }?.columns
        }

        /// Returns the first entity that refers to a record which is neither stored nor among them.
        private func dangling<E: Entity>(among entities: [E], _ columns: [String]?) async throws
            -> E?
        {
            guard let reference = plan.table.references.first(where: { $0.columns == columns })
            else { return nil }
            // If several entities have the same id, the last one is stored.
            let last = Dictionary(entities.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            var own: Set<[StoredValue]> = []
            if reference.table == plan.table.name {
                for entity in entities { own.insert(try StoredValueEncoder.components(of: entity.id)) }
            }
            for entity in entities {
                guard let stored = last[entity.id] else { continue }
                let values = try StoredValueEncoder.values(of: stored, E.Mapper.self)
                let components = PostgreSQLValues.components(
                    values[reference.field], of: reference.field, in: plan.table)
                guard values[reference.field] != .null, !own.contains(components.map(\.value))
                else { continue }
                let found = try await connection.run(
                    plan.texts.target(reference), PostgreSQLValues.parameters(components))
                if found.count == 0 { return stored }
            }
            return nil
        }

        /// Returns the field that refers to a record which could not be deleted.
        private func referrer(
            _ error: PostgreSQLError
        ) async throws -> (plan: PostgreSQLTable, field: String, reference: SQLReference)? {
            guard error.isForeignKey, let name = error.table, let plan = tables.find(name),
                let columns = try await columns(of: error),
                let reference = plan.table.references.first(where: { $0.columns == columns })
            else { return nil }
            return (plan, plan.table.fieldName(reference.field), reference)
        }

        /// Returns the first of the ids that a record refers to.
        private func held<I: EntityIdentifier>(
            _ ids: [I], by referrer: (plan: PostgreSQLTable, field: String, reference: SQLReference)?
        ) async throws -> I? {
            if ids.count < 2 { return ids.first }
            guard let referrer else { return nil }
            for id in ids {
                var binder = PostgreSQLBinder(id: plan)
                try id.encodeComponents(to: &binder)
                let found = try await connection.run(
                    referrer.plan.texts.referrer(referrer.reference), binder.parameters)
                if found.count > 0 { return id }
            }
            return nil
        }
    }
#endif
