internal import CSQLite
internal import RepositoryRuntime

extension SQLiteEntityStore {
    /// Leaves to SQLite what it decides as the runtime does.
    public func plan<E: Entity>(_ query: Query<E>) -> QueryPlan {
        guard let plan = try? plans.plan(E.Mapper.table.name) else {
            // Not opened: whatever is asked next says so.
            return QueryPlan(
                .scan, remainder: query.condition.tree.conjuncts, sortsInRuntime: true)
        }
        return SQLQueryPlanner(plan.table, SQLiteDialect()).plan(query, capabilities)
    }

    /// The entities of a selection.
    public func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        try await scan(type) { try SQLiteSelection(selection, $0).entities(type) }
    }

    /// The values at some paths of each entity of a selection.
    public func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        try await scan(type) { try SQLiteSelection(selection, $0).values(type, at: paths) }
    }

    /// The summary of a selection, where SQLite computes it exactly.
    public func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        try await scan(type) { try SQLiteSelection(selection, $0).summary(type, summary) }
    }

    /// The statement of a selection and how SQLite runs it.
    public func explain<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [String] {
        try await scan(type) { try SQLiteSelection(selection, $0).explanation() }
    }
}

/// A selection on a connection.
struct SQLiteSelection {
    private let selection: StoreSelection
    private let statements: EntityStatements

    init(_ selection: StoreSelection, _ statements: EntityStatements) {
        self.selection = selection
        self.statements = statements
    }

    private var table: SQLTable { statements.table }

    /// The statement that reads whole records.
    private func query() throws -> SQLQuery {
        guard let query = SQLSelectionWriter.select(selection, table, SQLiteDialect()) else {
            // Of a selection that was planned only the place can be a wrong one: it comes from
            // outside.
            throw CRUDRepositoryError(
                .invalidQuery, "The query of '\(table.name)' has a cursor of another order.",
                table: table.name)
        }
        return query
    }

    func entities<E: Entity>(_ type: E.Type) throws -> [E] {
        let statement = try statements.statement(query())
        defer { statement.reset() }
        return try SQLiteRows.all(type, statement, table)
    }

    func values<E: Entity>(_ type: E.Type, at paths: [FieldPath]) throws -> [[StoredValue]] {
        guard
            let (query, forms) = SQLSelectionWriter.values(
                selection, at: paths, table, SQLiteDialect())
        else {
            return try entities(type).map { entity in
                let values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
                return paths.map { $0.value(in: values) }
            }
        }
        return try naming(E.self) {
            let statement = try statements.statement(query)
            defer { statement.reset() }
            return try rows(of: statement, forms)
        }
    }

    /// Runs a body that reads some columns of records. Where it meets a value that cannot be read, the records are read
    /// whole, for the error that names the first one that cannot be.
    private func naming<E: Entity, R>(_ type: E.Type, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            if error.id == nil { _ = try entities(type) }
            throw error
        }
    }

    func summary<E: Entity>(_ type: E.Type, _ summary: StoreSummary) throws -> [[StoredValue]]? {
        var writer = SQLSummaryWriter(table, SQLiteDialect())
        guard let query = writer.query(selection, summary) else { return nil }
        let statement = try statements.statement(query)
        defer { statement.reset() }
        do {
            return try naming(type) { try rows(of: statement, writer.forms) }
        } catch let error as SQLiteError
            where error.primaryCode == SQLITE_ERROR && error.message == "integer overflow"
        {
            // The runtime adds with more bits.
            return nil
        }
    }

    func explanation() throws -> [String] {
        let query = try query()
        // Its texts are many and rarely asked for.
        let statement = try statements.unkept("EXPLAIN QUERY PLAN \(query.text)")
        for (index, parameter) in query.parameters.enumerated() {
            try SQLiteValues.bind(parameter, to: statement, at: index + 1)
        }
        var lines = [query.text]
        while try statement.step() { lines.append(statement.text(at: 3) ?? "") }
        return lines
    }

    private func rows(
        of statement: SQLiteStatement, _ forms: [SQLColumnForm]
    ) throws -> [[StoredValue]] {
        var rows: [[StoredValue]] = []
        while try statement.step() {
            rows.append(
                try forms.enumerated().map { column, form in
                    try SQLiteValues.value(of: statement, at: column, form, table)
                })
        }
        return rows
    }
}
