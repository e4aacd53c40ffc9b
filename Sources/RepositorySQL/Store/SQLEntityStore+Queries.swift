internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLEntityStore {
    /// Plans a query: the database evaluates every part for which its result is the same as the
    /// runtime's.
    public func plan<E: Entity>(_ query: Query<E>) -> QueryPlan {
        guard let plan = plans.find(E.Mapper.table.name) else {
            // The schema is not open. The next operation throws an error for that.
            return QueryPlan(.scan, remainder: query.condition.tree.conjuncts, sortsInRuntime: true)
        }
        return SQLQueryPlanner(plan.table, plan.dialect).plan(query, for: self)
    }

    /// Returns the entities of a selection.
    public func select<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [E] {
        try await scan(type) { session, plan in
            try RecordRows.all(
                type, session.query(plan.query(selection)), plan.table, session)
        }
    }

    /// Returns the values at some paths of each entity of a selection. If the database cannot read
    /// them, whole records are decoded.
    public func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        try await scan(type) { session, plan in
            guard
                let (query, forms) = SQLSelectionWriter.values(
                    selection, at: paths, plan.table, plan.dialect)
            else {
                let rows = try session.query(plan.query(selection))
                return try RecordRows.all(type, rows, plan.table, session).map { entity in
                    let values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
                    return paths.map { $0.value(in: values) }
                }
            }
            do {
                return try plan.values(session.query(query), forms, required: paths)
            } catch is RecordDecodingError {
                // Whole records are read, for an error that names the record.
                _ = try RecordRows.all(
                    type, session.query(plan.query(selection)), plan.table, session)
                throw CRUDRepositoryError(
                    .invalidRecord, "A record of '\(plan.table.name)' cannot be read.",
                    table: plan.table.name)
            }
        }
    }

    /// Returns the summary of a selection; nil if the database cannot compute it exactly.
    public func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        // Databases differ in what a sum of 64-bit integers is.
        let hasSum = summary.functions.contains { function in
            if case .sum = function { true } else { false }
        }
        if hasSum { return nil }
        return try await scan(type) { session, plan in
            var writer = SQLSummaryWriter(plan.table, plan.dialect)
            guard let query = writer.query(selection, summary) else { return nil }
            let rows = try session.query(query)
            do {
                return try plan.values(rows, writer.forms, required: summary.groups)
            } catch is RecordDecodingError {
                // The runtime finds out which value cannot be read.
                return nil
            }
        }
    }

    /// Returns the statement of a selection, followed by the lines in which the database explains it.
    public func explain<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [String] {
        try await scan(type) { session, plan in
            let query = try plan.query(selection)
            let text = plan.dialect.positional(query.text)?.text ?? query.text
            return [text] + (try session.explain(query))
        }
    }
}

extension TablePlan {
    /// Returns the query that reads whole records.
    ///
    /// - Throws: `invalidQuery` if the cursor of the selection belongs to another order.
    func query(_ selection: StoreSelection) throws -> SQLQuery {
        guard let query = table.select(selection, dialect) else {
            // The selection was planned, so only its cursor can be invalid.
            throw CRUDRepositoryError(
                .invalidQuery, "The query of '\(table.name)' has a cursor of another order.",
                table: table.name)
        }
        return query
    }

    /// Returns the values of all rows, in the given representations.
    ///
    /// - Parameter paths: the paths of the first columns.
    /// - Throws: `RecordDecodingError` if a value cannot be read, or a required field is null, which
    ///   other programs can make of it.
    func values(
        _ rows: [[SQLValue]], _ forms: [SQLColumnForm], required paths: [FieldPath]
    ) throws -> [[StoredValue]] {
        let isRequired = paths.map { path in
            path.names.isEmpty && !table.entity.layout.fields[path.field].isOptional
        }
        return try rows.map { row in
            try zip(row, forms).enumerated().map { column, pair in
                let value = try pair.1.value(pair.0)
                if value == .null, column < isRequired.count, isRequired[column] {
                    throw RecordDecodingError("is null")
                }
                return value
            }
        }
    }
}
