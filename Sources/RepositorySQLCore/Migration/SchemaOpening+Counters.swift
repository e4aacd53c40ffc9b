package import RepositoryRuntime

extension SchemaOpening {
    /// Gives the counters of given ids the new names of their tables, inside the transaction of the
    /// upgrade.
    package func moveCounters(_ session: any SQLSession) throws {
        let dialect = session.dialect
        let counters = dialect.quoted(Self.counters.name)
        let columns = Self.counters.fields.map { dialect.quoted($0.column) }
        func isOf(_ table: String) -> String {
            "\(columns[0]) = \(dialect.literal(.text(table), as: .text) ?? "NULL")"
        }
        let moved = try movedCounters { table in
            try session.texts("SELECT \(columns[1]) FROM \(counters) WHERE \(isOf(table))")
                .first.flatMap { Int64($0) }
        }
        for (table, last) in moved {
            try session.change("DELETE FROM \(counters) WHERE \(isOf(table))")
            guard let last else { continue }
            try session.change(
                "INSERT INTO \(counters) (\(columns.joined(separator: ", "))) VALUES (\(dialect.placeholder(1)), \(last))",
                [SQLParameter(.text(table), .text)])
        }
    }
}
