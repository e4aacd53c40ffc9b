#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Finds the record and the field because of which PostgreSQL rejected a write, after the write
    /// was undone.
    struct PostgreSQLDiagnosis {
        private let plan: PostgreSQLTable
        private let tables: PostgreSQLTables
        private let connection: any PostgreSQLRunner

        init(
            _ plan: PostgreSQLTable, _ tables: PostgreSQLTables,
            _ connection: any PostgreSQLRunner
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
            let error = CitusErrors.named(error, among: tables)
            if isDeletion {
                let referrer = try await referrer(error)
                let id = try await held(ids, by: referrer)
                return PostgreSQLViolation(table: table, id: id?.description)
                    .deletion(error, referrer.map { ($0.plan.table.name, $0.field) })
            }
            guard error.isConstraint || error.isTooLong || !table.entity.isManaged else {
                return PostgreSQLErrors.databaseError(
                    error, table: table.name, id: entities.first?.id.description)
            }
            var failed = step.flatMap { entities.indices.contains($0) ? entities[$0] : nil }
            if entities.count == 1 { failed = entities[0] }
            // The names of the constraints of a managed table tell enough.
            let isNamed = table.entity.isManaged && !error.isForeignKey
            let columns = isNamed ? nil : try await columns(of: error)
            if error.isForeignKey, failed == nil || entities.count > 1 {
                failed = try await dangling(among: entities, columns)
            }
            if failed == nil, error.isUnique {
                failed = try await sharing(entities, table.uniqueIndex(of: error, columns))
            }
            return PostgreSQLViolation(table: table, id: failed?.id.description)
                .error(error, columns: columns)
        }

        /// Returns the columns of the constraint or unique index that an error names.
        func columns(of error: PostgreSQLError) async throws -> [String]? {
            guard let name = error.constraint, let table = error.table else { return nil }
            let found = try await PostgreSQLCatalog.constraints(of: table, connection)
                .first { $0.name == name }?.columns
            if let found { return found }
            guard error.isUnique else {
                // The store reports dangling references of distributed tables under their declared
                // names. The constraint has another one if the table had another name when it was
                // added: Citus renames no constraints.
                guard let declared = tables.find(table)?.table else { return nil }
                return declared.references.first { declared.constraintName(of: $0) == name }?
                    .columns
            }
            return try await PostgreSQLCatalog.indexes(of: table, connection)
                .first { $0.name == name }?.columns
        }

        /// Returns the first entity that refers to a record which is neither stored nor among them.
        private func dangling<E: Entity>(among entities: [E], _ columns: [String]?) async throws
            -> E?
        {
            guard let reference = plan.table.reference(over: columns) else { return nil }
            // If several entities have the same id, the last one is stored.
            let last = Dictionary(entities.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            var own: Set<[StoredValue]> = []
            if reference.table == plan.table.name {
                for entity in entities {
                    own.insert(try StoredValueEncoder.components(of: entity.id))
                }
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
                let reference = plan.table.reference(over: columns)
            else { return nil }
            return (plan, plan.table.fieldName(reference.field), reference)
        }

        /// Returns the first of the ids that a record refers to which was not deleted with it.
        private func held<I: EntityIdentifier>(
            _ ids: [I],
            by referrer: (plan: PostgreSQLTable, field: String, reference: SQLReference)?
        ) async throws -> I? {
            if ids.count < 2 { return ids.first }
            guard let referrer, referrer.reference.table == plan.table.name else { return nil }
            let deleted = try Set(ids.map { try StoredValueEncoder.components(of: $0) })
            let dialect = PostgreSQLDialect()
            let table = referrer.plan.table
            let conditions = referrer.reference.columns.enumerated().map {
                "\(dialect.quoted($1)) = $\($0 + 1)"
            }
            let text =
                "SELECT \(dialect.list(table.keyNames)) FROM \(dialect.quoted(table.name)) "
                + "WHERE \(conditions.joined(separator: " AND "))"
            for id in ids {
                var binder = PostgreSQLBinder(id: plan)
                try id.encodeComponents(to: &binder)
                let found = try await connection.run(text, binder.parameters)
                for row in 0..<found.count {
                    if table.name != plan.table.name { return id }
                    let key = try table.key.enumerated().map {
                        try PostgreSQLValues.value(found, row, $0, table.columns[$1].form)
                    }
                    if !deleted.contains(key) { return id }
                }
            }
            return nil
        }

        /// Returns the first entity that shares the values of a unique index with an earlier one, or
        /// with a stored record that is not written.
        private func sharing<E: Entity>(
            _ entities: [E], _ index: TableIndex?
        ) async throws -> E? {
            let table = plan.table
            guard let index else { return nil }
            // If several entities have the same id, the last one is stored.
            let last = Dictionary(entities.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            var seen: [[StoredValue]: E.ID] = [:]
            for entity in entities {
                guard let stored = last[entity.id] else { continue }
                let row = try StoredValueEncoder.values(of: stored, E.Mapper.self)
                guard index.covers(row) else { continue }
                let key = index.keys.map { key in
                    let value = key.path.value(in: row)
                    guard table.entity.ignoresCase(key.field), case .text(let text) = value else {
                        return value
                    }
                    return .text(CaseFolding.folded(text))
                }
                if key.contains(.null) { continue }
                if let other = seen[key], other != stored.id { return entity }
                seen[key] = stored.id
                let conditions = zip(index.keys, key).map {
                    ConditionTree.compare(table.entity.comparable($0.path), .equal, $1)
                }
                // A hash has found the records whose encrypted value is the same.
                let (found, _) = table.selection(conditions, PostgreSQLDialect())
                let selection = PostgreSQLSelection(found, connection, plan)
                let others = try await selection.entities(E.self)
                if others.contains(where: { last[$0.id] == nil }) { return entity }
            }
            return nil
        }
    }
#endif
