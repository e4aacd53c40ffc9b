#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import Synchronization

    /// The metadata of an entity's table: its statements, and the types of their parameters.
    final class PostgreSQLTable: Sendable {
        /// The table.
        let table: SQLTable
        /// The SQL of the table's statements.
        let texts: SQLStatements
        /// The statements that store new records by `COPY`. `nil` for an unmanaged table, whose
        /// columns may have other types.
        let copy: Copy?

        /// The statements that store new records by `COPY`.
        struct Copy {
            /// Stores the records. Its columns are the parameters of a record.
            let text: String
            /// Returns the same columns of no row.
            let columns: String
        }

        /// The types of the parameters of a record: its columns, then its folded columns.
        let recordTypes: [UInt32]
        /// The types of the parameters of an id.
        let keyTypes: [UInt32]
        /// The parameter of the folded text of a column, by the position of the column.
        let foldedParameter: [Int: Int]
        /// The names of the constraints that check unique values. They can be deferred to the end of
        /// a call.
        let uniqueConstraints: [String]
        /// The tables whose records a deletion may delete or change, because of `cascade` and
        /// `setNull` references. Sorted by name.
        let reached: [String]
        /// The references to the table.
        let referrers: [(table: SQLTable, reference: SQLReference)]
        /// The memory of a row of the last large result; 0 before there is one.
        private let rowBytes = Atomic(0)

        /// The memory of a row, as far as results have shown it.
        var bytesPerRow: Int? {
            let bytes = rowBytes.load(ordering: .relaxed)
            return bytes > 0 ? bytes : nil
        }

        /// Notes the memory of the rows of a result.
        func noteSize(of result: PostgreSQLResult) {
            // The memory of few rows is mostly that of the result itself.
            guard result.count >= 64 else { return }
            rowBytes.store(max(1, result.bytes / result.count), ordering: .relaxed)
        }

        /// - Parameters:
        ///   - tables: all tables of the schema, whose references to the table count.
        ///   - jsonColumns: the columns of an unmanaged table that contain JSON, by name.
        init(_ table: SQLTable, among tables: [SQLTable], jsonColumns: Set<String> = []) {
            self.table = table
            texts = SQLStatements(table, PostgreSQLDialect())
            let folded = table.columns.indices.filter { table.columns[$0].foldedName != nil }
            let dialect = PostgreSQLDialect()
            let names =
                table.columns.map(\.name) + folded.compactMap { table.columns[$0].foldedName }
            let (quoted, list) = (dialect.quoted(table.name), dialect.list(names))
            copy =
                table.entity.isManaged
                ? Copy(
                    text: "COPY \(quoted) (\(list)) FROM STDIN (FORMAT binary)",
                    columns: "SELECT \(list) FROM \(quoted) LIMIT 0") : nil
            recordTypes =
                table.columns.map { Self.parameterType($0, table, jsonColumns) }
                + folded.map { _ in PostgreSQLType.text }
            keyTypes = table.key.map { PostgreSQLValues.type(table.columns[$0].form) }
            foldedParameter = Dictionary(
                uniqueKeysWithValues: folded.enumerated().map {
                    ($0.element, table.columns.count + $0.offset)
                })
            uniqueConstraints =
                table.entity.isManaged
                ? table.entity.indexes.filter(\.isUnique).map { table.constraintName($0.name) }
                : []
            reached = table.reached(among: tables)
            referrers = tables.flatMap { other in
                other.references.filter { $0.table == table.name }.map { (other, $0) }
            }
        }

        /// Returns the type of the parameter of a column.
        ///
        /// The server infers the type of text in an unmanaged table, such as an enum, whose binary
        /// format is that of text. The binary format of `jsonb` is not, so that its text is sent as
        /// `json`.
        private static func parameterType(
            _ column: SQLColumn, _ table: SQLTable, _ jsonColumns: Set<String>
        ) -> UInt32 {
            // Nothing would tell the type of a parameter that no statement uses.
            guard column.form == .text, !table.entity.isManaged, column.isWritten else {
                return PostgreSQLValues.type(column.form)
            }
            return jsonColumns.contains(column.name)
                ? PostgreSQLType.json : PostgreSQLType.inferred
        }

        /// The statement that puts off the check of unique values; `nil` if there are none.
        var deferringUnique: String? { setting("DEFERRED") }
        /// The statement that checks unique values; `nil` if there are none.
        var checkingUnique: String? { setting("IMMEDIATE") }

        private func setting(_ mode: String) -> String? {
            uniqueConstraints.isEmpty
                ? nil : "SET CONSTRAINTS \(PostgreSQLDialect().list(uniqueConstraints)) \(mode)"
        }
    }

    /// The tables of all schemas that a store was opened with. Any thread may use it.
    final class PostgreSQLTables: Sendable {
        private let tables = Mutex<[String: PostgreSQLTable]>([:])
        /// The number of records of each page of a stream; `nil` if it follows from their size.
        let pageSize: Int?

        init(pageSize: Int? = nil) { self.pageSize = pageSize }

        /// Adds the tables of a schema, replacing those of the same names.
        ///
        /// - Parameter jsonColumns: the columns of unmanaged tables that contain JSON, by table.
        func add(_ new: [SQLTable], jsonColumns: [String: Set<String>]) {
            tables.withLock { tables in
                for table in new {
                    tables[table.name] = PostgreSQLTable(
                        table, among: new, jsonColumns: jsonColumns[table.name] ?? [])
                }
            }
        }

        /// Returns a table.
        ///
        /// - Throws: `databaseError` if the store was not opened with a schema that contains it.
        func table(_ name: String) throws -> PostgreSQLTable {
            guard let table = tables.withLock({ $0[name] }) else {
                throw CRUDRepositoryError(
                    .databaseError, "The store was not opened with a schema that has '\(name)'.",
                    table: name)
            }
            return table
        }

        /// Returns the table with a name; `nil` if there is none.
        func find(_ name: String) -> PostgreSQLTable? { tables.withLock { $0[name] } }

        /// All tables, in no particular order.
        var all: [PostgreSQLTable] { tables.withLock { Array($0.values) } }
    }
#endif
