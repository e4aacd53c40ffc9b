internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// The folded texts of the fields of a table that ignore case.
struct FoldedColumns {
    /// The number of records that are read at a time.
    private static let page = 500

    private let table: SQLTable
    private let session: Session

    init(_ table: SQLTable, _ session: Session) {
        self.table = table
        self.session = session
    }

    /// Adds the columns that are missing.
    func add() throws {
        let folded = table.columns.compactMap(\.foldedName)
        guard !folded.isEmpty else { return }
        let dialect = session.dialect
        let found = Set(try session.tables()[table.name] ?? [])
        for name in folded where !found.contains(name) {
            try session.execute(
                "ALTER TABLE \(dialect.quoted(table.name)) ADD COLUMN \(dialect.quoted(name)) \(dialect.syntax.textType)"
            )
        }
    }

    /// Computes the folded texts of all records, and writes those that differ.
    func fill() throws {
        for column in table.columns {
            if let name = column.foldedName { try fill(column.name, name) }
        }
    }

    private func fill(_ column: String, _ folded: String) throws {
        let dialect = session.dialect
        let key = dialect.list(table.keyNames)
        let count = table.key.count
        let places = (1...count + 1).map { dialect.placeholder($0) }
        let after = places.prefix(count).joined(separator: ", ")
        let isAfter = count == 1 ? "\(key) > \(after)" : "(\(key)) > (\(after))"
        let select =
            "SELECT \(key), \(dialect.quoted(column)), \(dialect.quoted(folded)) FROM \(dialect.quoted(table.name))"
        let isRecord = table.keyNames.enumerated().map {
            "\(dialect.quoted($1)) = \(places[$0 + 1])"
        }.joined(separator: " AND ")
        let update =
            "UPDATE \(dialect.quoted(table.name)) SET \(dialect.quoted(folded)) = \(places[0]) WHERE \(isRecord)"
        var last: [SQLValue]?
        while true {
            let rows = try session.query(
                select + (last == nil ? "" : " WHERE \(isAfter)")
                    + " ORDER BY \(key) LIMIT \(Self.page)", last ?? [])
            for row in rows {
                var wanted = SQLValue.null
                if case .text(let text) = row[count] { wanted = .text(CaseFolding.folded(text)) }
                if row[count + 1] != wanted {
                    try session.execute(update, [wanted] + row.prefix(count))
                }
            }
            guard rows.count == Self.page, let row = rows.last else { return }
            last = Array(row.prefix(count))
        }
    }
}
