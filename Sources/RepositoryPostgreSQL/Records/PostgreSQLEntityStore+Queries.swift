#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    extension PostgreSQLEntityStore {
        /// Plans a query: PostgreSQL evaluates every part for which its result is the same as the
        /// runtime's.
        public func plan<E: Entity>(_ query: Query<E>) -> QueryPlan {
            guard let plan = try? tables.table(E.Mapper.table.name) else {
                // The schema is not open. The next operation throws an error for that.
                return QueryPlan(
                    .scan, remainder: query.condition.tree.conjuncts, sortsInRuntime: true)
            }
            var found = SQLQueryPlanner(plan.table, PostgreSQLDialect()).plan(query, for: self)
            if access.isSpread, query.sortsByRelatives,
                case .selection(var selection) = found.access
            {
                // Nodes have the values of related records only if those are theirs, too.
                selection.sortKeys = []
                found.access = .selection(selection)
                found.sortsInRuntime = true
            }
            return found
        }

        /// Returns the entities of a selection.
        public func select<E: Entity>(
            _ type: E.Type, _ selection: StoreSelection
        ) async throws -> [E] {
            try await scan(type) { connection, plan in
                try await PostgreSQLSelection(selection, connection, plan).entities(type)
            }
        }

        /// Returns the values at some paths of each entity of a selection.
        public func values<E: Entity>(
            _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
        ) async throws -> [[StoredValue]] {
            try await scan(type) { connection, plan in
                try await PostgreSQLSelection(selection, connection, plan).values(type, at: paths)
            }
        }

        /// Returns the summary of a selection; `nil` if PostgreSQL cannot compute it exactly.
        public func summary<E: Entity>(
            _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
        ) async throws -> [[StoredValue]]? {
            try await scan(type) { connection, plan in
                try await PostgreSQLSelection(selection, connection, plan).summary(type, summary)
            }
        }

        /// Returns the statement of a selection, followed by the lines of `EXPLAIN`.
        public func explain<E: Entity>(
            _ type: E.Type, _ selection: StoreSelection
        ) async throws -> [String] {
            let isSpread = access.isSpread
            return try await scan(type) { connection, plan in
                let selection = PostgreSQLSelection(selection, connection, plan)
                return isSpread
                    ? try await selection.distributedExplanation()
                    : try await selection.explanation(connection)
            }
        }

        /// Changes all entities that match a query, in one serializable transaction.
        ///
        /// - Returns: the number of changed entities.
        public func updateAll<E: Entity>(
            _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
        ) async throws -> Int {
            let evaluator = try QueryEvaluator(query)
            let access = self.plan(query)
            if access.access == .nothing { return 0 }
            let plan = try tables.table(E.Mapper.table.name)
            let tables = self.tables
            let (selection, _) = plan.table.selection(
                query.condition.tree.conjuncts, PostgreSQLDialect())
            return try await mapped(plan) {
                try await self.access.write(
                    .serializable(setting: plan.deferringUnique, check: plan.checkingUnique),
                    sharing: .never, place: nil
                ) { job in
                    try await job.start()
                    let selection = PostgreSQLSelection(selection, job, plan)
                    let found = try await PostgreSQLUnknownKey.reading(
                        plan.table, job
                    ) { try await selection.entities(E.self) }
                    let wanted = try Self.wanted(found, query, evaluator)
                    // All records are changed before the first one is written: an error of the
                    // closure takes precedence over constraints.
                    let changed = try wanted.map(change)
                    let writer = PostgreSQLRecordWriter<E>(job: job, plan: plan)
                    for entity in wanted { try await writer.requireUnchanged(entity) }
                    let order = try await writer.releasingOrder(of: changed)
                    for place in order ?? Array(changed.indices) {
                        _ = try await writer.update(changed[place])
                    }
                    return changed.count
                } diagnose: { error, step, connection in
                    try await PostgreSQLDiagnosis(plan, tables, connection).error(
                        error, step: step, entities: [E](), ids: [], isDeletion: false)
                }
            }
        }

        /// Returns the entities that the whole query selects, in its order if it has a limit.
        private static func wanted<E: Entity>(
            _ found: [E], _ query: Query<E>, _ evaluator: QueryEvaluator
        ) throws -> [E] {
            var rows: [(row: [StoredValue], entity: E)] = []
            for entity in found {
                let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
                if evaluator.matches(row) { rows.append((evaluator.position(of: row), entity)) }
            }
            guard query.maximum != nil || query.skipped > 0 else { return rows.map(\.entity) }
            rows.sort { evaluator.precedes($0.row, $1.row) }
            return rows.dropFirst(query.skipped).prefix(query.maximum ?? .max).map(\.entity)
        }
    }

    /// A selection on a connection.
    struct PostgreSQLSelection {
        private let selection: StoreSelection
        private let connection: any PostgreSQLRunner
        private let plan: PostgreSQLTable
        private let table: SQLTable
        private let dialect = PostgreSQLDialect()

        init(
            _ selection: StoreSelection, _ connection: any PostgreSQLRunner,
            _ plan: PostgreSQLTable
        ) {
            self.selection = selection
            self.connection = connection
            self.plan = plan
            table = plan.table
        }

        /// Returns the query that reads whole records.
        ///
        /// - Throws: `invalidQuery` if the cursor of the selection belongs to another order.
        private func query() throws -> SQLQuery {
            guard let query = table.select(selection, dialect) else {
                // The selection was planned, so only its cursor can be invalid.
                throw CRUDRepositoryError(
                    .invalidQuery, "The query of '\(table.name)' has a cursor of another order.",
                    table: table.name)
            }
            return query
        }

        private func run(_ query: SQLQuery) async throws -> PostgreSQLResult {
            try await connection.run(
                query.text, PostgreSQLValues.parameters(query.parameters))
        }

        /// Returns the entities of the selection.
        func entities<E: Entity>(_ type: E.Type) async throws -> [E] {
            try PostgreSQLRows.all(type, try await rows(), table)
        }

        /// Returns the rows of the selection.
        func rows() async throws -> PostgreSQLResult {
            let result = try await run(query())
            plan.noteSize(of: result)
            return result
        }

        /// Returns the values at paths. If PostgreSQL cannot read them, whole records are decoded.
        func values<E: Entity>(
            _ type: E.Type, at paths: [FieldPath]
        ) async throws -> [[StoredValue]] {
            guard
                let (query, forms) = SQLSelectionWriter.values(selection, at: paths, table, dialect)
            else {
                return try await entities(type).map { entity in
                    let values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
                    return paths.map { $0.value(in: values) }
                }
            }
            do {
                return try rows(try await run(query), forms, required: paths)
            } catch is RecordDecodingError {
                // Whole records are read, for an error that names the record.
                _ = try await entities(type)
                throw CRUDRepositoryError(
                    .invalidRecord, "A record of '\(table.name)' cannot be read.",
                    table: table.name)
            }
        }

        /// Returns a summary; `nil` if PostgreSQL cannot compute it exactly.
        func summary<E: Entity>(
            _ type: E.Type, _ summary: StoreSummary
        ) async throws -> [[StoredValue]]? {
            var writer = SQLSummaryWriter(table, dialect)
            guard let query = writer.query(selection, summary) else { return nil }
            let result = try await run(query)
            // A sum beyond 64 bits, or a value that cannot be read: the runtime finds out which.
            return try? rows(result, writer.forms, required: summary.groups)
        }

        /// Returns the SQL and the query plan.
        func explanation(_ connection: PostgreSQLConnection) async throws -> [String] {
            let query = try query()
            let lines = try await connection.explain(
                query.text, PostgreSQLValues.parameters(query.parameters))
            return [query.text] + lines
        }

        /// Returns the SQL and the query plan on a cluster, which depends on the values: they say
        /// which node it goes to.
        func distributedExplanation() async throws -> [String] {
            let query = try query()
            let result = try await connection.run(
                "EXPLAIN \(query.text)", PostgreSQLValues.parameters(query.parameters))
            let lines = (0..<result.count).compactMap { result.text($0, 0) }
            return [query.text] + CitusExplanation.summary(of: lines)
                + CitusExplanation.withoutValues(lines)
        }

        /// Returns the values of all rows, in the given representations.
        ///
        /// - Parameter paths: the paths of the first columns.
        /// - Throws: `RecordDecodingError` if a required field is null, which other programs can
        ///   make of it.
        private func rows(
            _ result: PostgreSQLResult, _ forms: [SQLColumnForm], required paths: [FieldPath]
        ) throws -> [[StoredValue]] {
            let isRequired = paths.map { path in
                path.names.isEmpty && !table.entity.layout.fields[path.field].isOptional
            }
            return try (0..<result.count).map { row in
                try forms.enumerated().map { column, form in
                    let value = try PostgreSQLValues.value(result, row, column, form)
                    if value == .null, column < isRequired.count, isRequired[column] {
                        throw RecordDecodingError("is null")
                    }
                    return value
                }
            }
        }
    }
#endif
