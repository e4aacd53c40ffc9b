internal import RepositoryRuntime
internal import RepositorySQLCore

/// Finds records by a scan of a declared index.
///
/// SQLite runs the scan if its comparison and order are those of the runtime. Otherwise SQLite only
/// narrows down the records, which are then filtered and sorted in memory.
struct SQLiteFinder {
    private let statements: EntityStatements
    private let scan: IndexScan
    /// The declared index, or the primary key for a scan of the ids.
    private let index: TableIndex
    private let limit: Int
    /// The table that the statements use; see ``EntityStatements/reading(_:)``.
    private let written: SQLTable

    /// Creates a finder.
    ///
    /// - Throws: `unsupported` if the table has no such index, or the index has fewer keys than the
    ///   scan.
    init(
        _ statements: EntityStatements, _ written: SQLTable, _ scan: IndexScan, limit: Int
    ) throws {
        self.written = written
        let table = statements.table.entity
        guard scan.index == IndexScan.ids || table.indexes.indices.contains(scan.index),
            scan.equal.count <= table.scannedIndex(scan.index).keys.count
        else {
            throw CRUDRepositoryError(
                .unsupported,
                "There is no index \(scan.index) over \(scan.equal.count) fields of '\(statements.table.name)'.",
                table: statements.table.name)
        }
        self.statements = statements
        self.scan = scan
        index = table.scannedIndex(scan.index)
        self.limit = limit
    }

    /// Returns the found entities, in the order of the scan.
    func run<E: Entity>(_ type: E.Type) throws -> [E] {
        let (table, dialect) = (written, SQLiteDialect())
        if let query = SQLSelectionWriter.find(scan, limit: limit, table, dialect) {
            let statement = try statements.statement(query)
            defer { statement.reset() }
            return try SQLiteRows.all(type, statement, table)
        }
        return try sorted(candidates(type))
    }

    /// Returns the records that match the leading values of the scan, as far as SQLite compares
    /// them as the runtime does.
    private func candidates<E: Entity>(_ type: E.Type) throws -> [E] {
        let (table, dialect) = (written, SQLiteDialect())
        let conditions = zip(index.keys, scan.equal).map {
            ConditionTree.compare(FieldPath($0.field), .equal, $1)
        }
        let selection = table.selection(conditions, dialect).selection
        guard let query = SQLSelectionWriter.select(selection, table, dialect) else { return [] }
        let statement = try statements.statement(query)
        defer { statement.reset() }
        return try SQLiteRows.all(type, statement, table)
    }

    /// Filters and sorts records in memory, and applies the limit of the scan.
    ///
    /// It is used if SQLite's order differs from that of the values, as for decimals without a
    /// scale.
    private func sorted<E: Entity>(_ entities: [E]) throws -> [E] {
        let order = IndexScanOrder(scan, statements.table.entity)
        return Array(try order.sorted(entities).prefix(max(0, limit)))
    }
}
