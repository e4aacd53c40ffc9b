internal import RepositoryRuntime

/// Finds records by the leading fields of a declared index.
struct SQLiteFinder {
    private let statements: EntityStatements
    private let index: TableIndex
    private let values: [StoredValue]

    init(_ statements: EntityStatements, _ index: Int, _ values: [StoredValue]) throws {
        let indexes = statements.table.entity.indexes
        guard indexes.indices.contains(index), !values.isEmpty,
            values.count <= indexes[index].keys.count
        else {
            throw CRUDRepositoryError(
                .unsupported,
                "There is no index \(index) over \(values.count) fields of '\(statements.table.name)'.",
                table: statements.table.name)
        }
        self.statements = statements
        self.index = indexes[index]
        self.values = values
    }

    func run<E: Entity>(_ type: E.Type) throws -> [E] {
        let table = statements.table
        let columns = zip(index.keys, values).flatMap { key, value in
            SQLiteValues.components(value, of: key.field, in: table)
        }
        let text = statements.plan.texts.find(index, isNull: columns.map { $0.value == .null })
        let statement = try statements.statement(text)
        defer { statement.reset() }
        var number = 0
        for (value, form) in columns where value != .null {
            number += 1
            try SQLiteValues.bind(value, form, to: statement, at: number)
        }
        let found = try SQLiteRows.all(type, statement, table)
        let rest = index.keys.dropFirst(values.count)
        let dialect = SQLiteDialect()
        guard rest.contains(where: { !dialect.orders(table.columns[table.offsets[$0.field]].form) })
        else { return found }
        return try sorted(found, by: Array(rest))
    }

    /// Sorts where SQLite's order is not that of the values: decimals without a scale.
    private func sorted<E: Entity>(
        _ entities: [E], by keys: [TableIndex.Key]
    ) throws -> [E] {
        let rows = try entities.map { (try StoredValueEncoder.values(of: $0, E.Mapper.self), $0) }
        return rows.sorted { left, right in
            for key in keys {
                let (one, two) = (left.0[key.field], right.0[key.field])
                if one != two { return key.descending ? two < one : one < two }
            }
            return left.1.id < right.1.id
        }.map(\.1)
    }
}
