internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteEntityStore {
    /// Plans a query: SQLite evaluates every part for which its result is the same as the
    /// runtime's.
    public func plan<E: Entity>(_ query: Query<E>) -> QueryPlan {
        guard let plan = try? plans.plan(E.Mapper.table.name) else {
            // The schema is not open. The next operation throws an error for that.
            return QueryPlan(
                .scan, remainder: query.condition.tree.conjuncts, sortsInRuntime: true)
        }
        return SQLQueryPlanner(plan.table, SQLiteDialect()).plan(query, for: self)
    }

    /// Returns the entities of a selection.
    public func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        try await scan(type) { try $0.selecting(selection) { try $0.entities(type) } }
    }

    /// Returns the values at some paths of each entity of a selection.
    public func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        try await scan(type) { try $0.selecting(selection) { try $0.values(type, at: paths) } }
    }

    /// Returns the summary of a selection; `nil` if SQLite cannot compute it exactly.
    public func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? {
        try await scan(type) { try $0.selecting(selection) { try $0.summary(type, summary) } }
    }

    /// Returns the statement of a selection, followed by the lines of `EXPLAIN QUERY PLAN`.
    public func explain<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> [String] {
        try await scan(type) { try $0.selecting(selection) { try $0.explanation() } }
    }
}

extension EntityStatements {
    /// Runs a read of a selection.
    func selecting<R>(
        _ selection: StoreSelection, _ body: (SQLiteSelection) throws -> R
    ) throws -> R {
        try reading { try body(SQLiteSelection(selection, self, $0)) }
    }
}

/// A selection with the statements of a connection. It is valid during one read.
struct SQLiteSelection {
    private let selection: StoreSelection
    private let statements: EntityStatements
    /// The table that the statements use; see ``EntityStatements/reading(_:)``.
    private let table: SQLTable

    /// Creates a selection. The table comes from ``EntityStatements/reading(_:)``.
    fileprivate init(
        _ selection: StoreSelection, _ statements: EntityStatements, _ table: SQLTable
    ) {
        self.selection = selection
        self.statements = statements
        self.table = table
    }

    /// Returns the query that reads whole records.
    ///
    /// - Throws: `invalidQuery` if the cursor of the selection belongs to another order.
    private func query() throws -> SQLQuery { try Self.query(selection, table) }

    /// Returns the query that reads whole records of a table.
    ///
    /// - Throws: `invalidQuery` if the cursor of the selection belongs to another order.
    static func query(_ selection: StoreSelection, _ table: SQLTable) throws -> SQLQuery {
        guard let query = table.select(selection, SQLiteDialect()) else {
            // The selection was planned, so only its cursor, which the caller provides, can be
            // invalid.
            throw CRUDRepositoryError(
                .invalidQuery, "The query of '\(table.name)' has a cursor of another order.",
                table: table.name)
        }
        return query
    }

    /// Returns the entities of the selection.
    func entities<E: Entity>(_ type: E.Type) throws -> [E] {
        let statement = try statements.statement(query())
        defer { statement.reset() }
        return try SQLiteRows.all(type, statement, table)
    }

    /// Returns the values at paths. If SQLite cannot read them, whole records are decoded.
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

    /// Runs a read of some columns. If a value cannot be decoded, whole records are read, for an
    /// error that names the first invalid record.
    private func naming<E: Entity, R>(_ type: E.Type, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            if error.id == nil { _ = try entities(type) }
            throw error
        }
    }

    /// Returns a summary; `nil` if SQLite cannot compute it exactly.
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

    /// Returns the SQL and the query plan.
    func explanation() throws -> [String] {
        let query = try query()
        // Not cached: such statements are numerous and rarely run.
        let statement = try statements.unkept("EXPLAIN QUERY PLAN \(query.text)")
        for (index, parameter) in query.parameters.enumerated() {
            try SQLiteValues.bind(parameter, to: statement, at: index + 1)
        }
        var lines = [query.text]
        while try statement.step() { lines.append(statement.text(at: 3) ?? "") }
        return lines
    }

    /// Returns the values of all rows, in the given representations.
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
