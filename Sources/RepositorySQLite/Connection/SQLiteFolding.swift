internal import RepositoryRuntime

/// The folded columns of one table, and the rows whose folded columns are null because a program
/// inserted or changed them that does not know the columns.
///
/// Reads of a table that has such rows fold text themselves and use no index. Writes of the store
/// fill the columns first, except where a unique index refuses it, so that a unique index refuses
/// what is written next.
struct SQLiteFolding: Sendable {
    /// A column and the one that holds its folded text, not quoted.
    struct Column: Sendable {
        let name: String
        let folded: String
        let isOptional: Bool
    }

    let columns: [Column]
    /// A row with 1 where a row of the table lacks folded text, with 0 otherwise.
    let hasUnfilled: String
    /// The statements that fill the columns of such rows, as far as unique indexes allow it.
    let fill: [String]
    /// The statements that fold the text of all rows again.
    let refill: [String]
    private let table: SQLTable

    /// Describes a table; nil where it has no folded columns.
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
        // SQLite would rather use the index over the folded column, which holds every null.
        let unfilled = columns.map { column in
            let index = dialect.quoted(Self.indexName(of: column, in: table))
            return (rows: "\(name) INDEXED BY \(index)", test: Self.isUnfilled(column))
        }
        let tests = unfilled.map { "EXISTS (SELECT 1 FROM \($0.rows) WHERE \($0.test))" }
        hasUnfilled = "SELECT \(tests.joined(separator: " OR "))"
        fill = zip(columns, unfilled).map {
            "UPDATE OR IGNORE \($1.rows) SET \(Self.setting($0)) WHERE \($1.test)"
        }
        // In two steps: a unique index compares rows one by one, and some still have their old text.
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

    /// The name of the index that finds the rows without the folded text of a column.
    private static func indexName(of column: Column, in table: SQLTable) -> String {
        let dialect = SQLiteDialect()
        return "\(objectPrefix)index: \(dialect.quoted(table.name)) (\(dialect.quoted(column.folded)))"
    }

    /// What the names of the indexes and triggers begin with.
    static let objectPrefix = "repository_folding "

    /// The statements that make, for each column, an index that finds rows without folded text, and
    /// a trigger that makes the folded text null where a program changes the text alone; by the
    /// names of what they make.
    ///
    /// The trigger also acts where the store replaces a text by another spelling: the store fills
    /// the column afterwards.
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

    private static func setting(_ column: Column) -> String {
        let dialect = SQLiteDialect()
        return
            "\(dialect.quoted(column.folded)) = \(dialect.caseFolded(dialect.quoted(column.name)))"
    }

    private static func isUnfilled(_ column: Column) -> String {
        let dialect = SQLiteDialect()
        let isNull = "\(dialect.quoted(column.folded)) IS NULL"
        // SQLite simplifies a test of a column that is never null, and then finds that the index is
        // for another one.
        return column.isOptional
            ? "\(isNull) AND \(dialect.quoted(column.name)) IS NOT NULL" : isNull
    }
}

extension SQLiteConnection {
    /// Whether a table has rows without folded text.
    func hasUnfilled(_ folding: SQLiteFolding) throws -> Bool {
        let statement = try statement(folding.hasUnfilled)
        defer { statement.reset() }
        return try statement.step() && statement.integer(at: 0) != 0
    }

    /// Fills the folded columns of rows that another program inserted, inside a transaction.
    func fill(_ folding: SQLiteFolding) throws {
        guard try hasUnfilled(folding) else { return }
        let before = totalChanges
        for text in folding.fill { try statement(text).run() }
        hiddenChanges += totalChanges - before
    }
}
