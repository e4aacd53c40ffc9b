internal import RepositoryRuntime
internal import RepositorySQLCore

/// The folded columns of one table, and its unfilled rows.
///
/// A folded column contains the case-folded text of another column. A row is unfilled if its folded
/// column is null although its text is not, because a program that does not know the column
/// inserted or changed it.
///
/// While a table has unfilled rows, reads compute folded text in SQL and use no index. Each write
/// first fills the columns, so that unique indexes apply to the new record. Rows that would violate
/// a unique index stay unfilled.
struct SQLiteFolding: Sendable {
    /// A column and its folded column. The names are not quoted.
    struct Column: Sendable {
        let name: String
        let folded: String
        let isOptional: Bool
    }

    /// The folded columns, in the order of the table. There is at least one.
    let columns: [Column]
    /// A query with one row: 1 if the table has unfilled rows, otherwise 0.
    let hasUnfilled: String
    /// The statements that fill the columns of unfilled rows, except where a unique index prevents
    /// it.
    let fill: [String]
    /// The statements that recompute the folded text of all rows.
    let refill: [String]
    /// The table, for the names and the primary key in the statements.
    private let table: SQLTable

    /// Creates the statements for a table; the result is `nil` if it has no folded columns.
    init?(_ table: SQLTable) {
        columns = table.columns.compactMap { column in
            column.foldedName.map {
                Column(name: column.name, folded: $0, isOptional: column.isOptional)
            }
        }
        guard !columns.isEmpty else { return nil }
        self.table = table
        let dialect = SQLiteDialect()
        let name = dialect.quoted(table.name)
        // Without INDEXED BY, SQLite prefers the index over the folded column, which contains every
        // null.
        let unfilled = columns.map { column in
            let index = dialect.quoted(Self.indexName(of: column, in: table))
            return (rows: "\(name) INDEXED BY \(index)", test: Self.isUnfilled(column))
        }
        let tests = unfilled.map { "EXISTS (SELECT 1 FROM \($0.rows) WHERE \($0.test))" }
        hasUnfilled = "SELECT \(tests.joined(separator: " OR "))"
        fill = zip(columns, unfilled).map {
            "UPDATE OR IGNORE \($1.rows) SET \(Self.setting($0)) WHERE \($1.test)"
        }
        // In two steps, because a unique index is checked row by row while other rows have their
        // old text.
        refill =
            columns.map {
                let (column, folded) = (dialect.quoted($0.name), dialect.quoted($0.folded))
                return "UPDATE \(name) SET \(folded) = NULL"
                    + " WHERE \(folded) IS NOT \(dialect.caseFolded(column))"
            }
            + zip(columns, unfilled).map {
                "UPDATE \($1.rows) SET \(Self.setting($0)) WHERE \($1.test)"
            }
    }

    /// Returns the name of the partial index over the unfilled rows of a column.
    private static func indexName(of column: Column, in table: SQLTable) -> String {
        let dialect = SQLiteDialect()
        return
            "\(objectPrefix)index: \(dialect.quoted(table.name)) (\(dialect.quoted(column.folded)))"
    }

    /// The prefix of the names of the indexes and triggers.
    static let objectPrefix = "repository_folding "

    /// The statements that create the store's own indexes and triggers, by the name of the object.
    ///
    /// Each folded column has a partial index over its unfilled rows. It also has a trigger that
    /// sets the folded text to null when an update changes only the text.
    ///
    /// The trigger also fires when the store itself changes a text to another spelling with the
    /// same folded text. The store then fills the column again.
    var objects: [String: String] {
        let dialect = SQLiteDialect()
        let table = dialect.quoted(self.table.name)
        var objects: [String: String] = [:]
        for column in columns {
            let (name, folded) = (dialect.quoted(column.name), dialect.quoted(column.folded))
            let suffix = "\(table) (\(folded))"
            let index = Self.indexName(of: column, in: self.table)
            objects[index] =
                "CREATE INDEX \(dialect.quoted(index)) ON \(table) (\(folded)) WHERE \(Self.isUnfilled(column))"
            let trigger = "\(Self.objectPrefix)trigger: \(suffix)"
            let isSame = self.table.keyNames.map { dialect.quoted($0) }.map { "\($0) = NEW.\($0)" }
            objects[trigger] = """
                CREATE TRIGGER \(dialect.quoted(trigger)) AFTER UPDATE OF \(name) ON \(table)
                WHEN NEW.\(name) IS NOT OLD.\(name) AND NEW.\(folded) IS OLD.\(folded)
                BEGIN UPDATE \(table) SET \(folded) = NULL WHERE \(isSame.joined(separator: " AND ")); END
                """
        }
        return objects
    }

    /// Returns the assignment that computes a folded column.
    private static func setting(_ column: Column) -> String {
        let dialect = SQLiteDialect()
        return
            "\(dialect.quoted(column.folded)) = \(dialect.caseFolded(dialect.quoted(column.name)))"
    }

    /// Returns the condition for unfilled rows.
    private static func isUnfilled(_ column: Column) -> String {
        let dialect = SQLiteDialect()
        let isNull = "\(dialect.quoted(column.folded)) IS NULL"
        // For a column that is NOT NULL, SQLite simplifies the condition `IS NOT NULL` away. The
        // condition would then no longer match that of the partial index.
        return column.isOptional
            ? "\(isNull) AND \(dialect.quoted(column.name)) IS NOT NULL" : isNull
    }
}

extension SQLiteConnection {
    /// Returns whether a table has unfilled rows.
    func hasUnfilled(_ folding: SQLiteFolding) throws -> Bool {
        let statement = try statement(folding.hasUnfilled)
        defer { statement.reset() }
        return try statement.step() && statement.integer(at: 0) != 0
    }

    /// Fills the folded columns of unfilled rows. Must be called inside a transaction.
    ///
    /// The changes are counted in ``hiddenChanges``.
    func fill(_ folding: SQLiteFolding) throws {
        guard try hasUnfilled(folding) else { return }
        let before = totalChanges
        for text in folding.fill { try statement(text).run() }
        hiddenChanges += totalChanges - before
    }
}
