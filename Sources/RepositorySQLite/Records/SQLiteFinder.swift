internal import RepositoryRuntime

/// Finds records by a scan of a declared index.
struct SQLiteFinder {
    private let statements: EntityStatements
    private let scan: IndexScan
    private let index: TableIndex
    private let limit: Int

    init(_ statements: EntityStatements, _ scan: IndexScan, limit: Int) throws {
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

    func run<E: Entity>(_ type: E.Type) throws -> [E] {
        let (table, dialect) = (statements.table, SQLiteDialect())
        if let query = SQLSelectionWriter.find(scan, limit: limit, table, dialect) {
            let statement = try statements.statement(query)
            defer { statement.reset() }
            return try SQLiteRows.all(type, statement, table)
        }
        return try sorted(candidates(type))
    }

    /// The records with the values of the leading fields that SQLite compares as the runtime does.
    private func candidates<E: Entity>(_ type: E.Type) throws -> [E] {
        let (table, dialect) = (statements.table, SQLiteDialect())
        var conditions: [ConditionTree] = []
        for (key, value) in zip(index.keys, scan.equal) {
            conditions.append(.compare(FieldPath(key.field), .equal, value))
            let selection = StoreSelection(conditions)
            if SQLSelectionWriter.select(selection, table, dialect) == nil {
                conditions.removeLast()
            }
        }
        guard
            let query = SQLSelectionWriter.select(StoreSelection(conditions), table, dialect)
        else { return [] }
        let statement = try statements.statement(query)
        defer { statement.reset() }
        return try SQLiteRows.all(type, statement, table)
    }

    /// What of some records the scan finds, where SQLite's order is not that of the values: decimals without a scale.
    private func sorted<E: Entity>(_ entities: [E]) throws -> [E] {
        let order = IndexScanOrder(scan, statements.table.entity)
        var rows: [(place: [StoredValue], entity: E)] = []
        for entity in entities {
            let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            let place = order.place(of: row)
            if order.contains(row), order.isBehindStart(place) { rows.append((place, entity)) }
        }
        rows.sort { order.precedes($0.place, $1.place) }
        return rows.prefix(max(0, limit)).map(\.entity)
    }
}
