/// Writes the statements of selections and of scans of indexes.
///
/// A statement is nil where the database cannot answer exactly.
package struct SQLSelectionWriter {
    private let table: SQLTable
    private let dialect: any SQLDialect
    private var writer: SQLConditionWriter
    private var conditions: [String] = []
    private var order: [SQLOrderTerm] = []
    private var limit = ""
    /// Behind `FROM`, where only the first of each value of a field are taken.
    private var source: String?

    private init(_ table: SQLTable, _ dialect: any SQLDialect) {
        self.table = table
        self.dialect = dialect
        writer = SQLConditionWriter(table, dialect)
    }

    /// The records of a selection.
    package static func select(
        _ selection: StoreSelection, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> SQLQuery? {
        select(table.columns.map { dialect.quoted($0.name) }, selection, table, dialect)
    }

    /// The values at some paths of the records of a selection, and their forms.
    package static func values(
        _ selection: StoreSelection, at paths: [FieldPath], _ table: SQLTable,
        _ dialect: any SQLDialect
    ) -> (query: SQLQuery, forms: [SQLColumnForm])? {
        var operands: [SQLOperand] = []
        for path in paths {
            guard let found = table.operands(path, dialect), found.count == 1,
                found[0].form != .json
            else { return nil }
            var operand = found[0]
            // Asked for is the text as it is stored; how it compares does not matter.
            if let source = operand.source, source.form == .text { operand.text = source.text }
            operands.append(operand)
        }
        let query = select(operands.map(\.text), selection, table, dialect)
        return query.map { ($0, operands.map(\.form)) }
    }

    private static func select(
        _ columns: [String], _ selection: StoreSelection, _ table: SQLTable,
        _ dialect: any SQLDialect
    ) -> SQLQuery? {
        var writer = Self(table, dialect)
        guard writer.add(selection) else { return nil }
        return writer.query(columns)
    }

    /// The records that a scan of an index finds.
    package static func find(
        _ scan: IndexScan, limit: Int, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> SQLQuery? {
        var writer = Self(table, dialect)
        guard writer.add(scan) else { return nil }
        if limit < .max {
            writer.limit = " LIMIT \(writer.writer.bind(.integer(Int64(max(0, limit))), .count))"
        }
        return writer.query(table.columns.map { dialect.quoted($0.name) })
    }

    /// Whether the database sorts by a path as the runtime does.
    package static func sorts(
        by path: FieldPath, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> Bool {
        guard let operands = table.operands(path, dialect) else { return false }
        return operands.count == 1 && dialect.orders(operands[0].form)
    }

    /// The parts after `FROM`, for a statement around them, and the parameters.
    package static func parts(
        of selection: StoreSelection, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> (filter: String, rest: String, parameters: [SQLParameter])? {
        var writer = Self(table, dialect)
        guard writer.add(selection) else { return nil }
        return (
            writer.filter, writer.orderText + writer.limit, writer.writer.parameters
        )
    }

    private var filter: String {
        conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    }

    private var orderText: String {
        " ORDER BY " + order.map { $0.text(dialect) }.joined(separator: ", ")
    }

    private func query(_ columns: [String]) -> SQLQuery {
        let source = source ?? dialect.quoted(table.name) + filter
        return SQLQuery(
            text: "SELECT \(columns.joined(separator: ", ")) FROM \(source)\(orderText)\(limit)",
            parameters: writer.parameters)
    }

    /// Takes the first of each value of a field, as many as are wanted, by their number within it.
    private mutating func take(_ share: StoreSelection.Share) -> Bool {
        guard let operands = table.operands(share.path, dialect) else { return false }
        let group = operands.map(\.text).joined(separator: ", ")
        let number = dialect.quoted("repository number")
        let rows =
            "SELECT *, row_number() OVER (PARTITION BY \(group)\(orderText)) AS \(number) "
            + "FROM \(dialect.quoted(table.name))\(filter)"
        let most = writer.bind(.integer(Int64(max(0, share.maximum))), .count)
        source = "(\(rows)) AS \(dialect.quoted(table.name)) WHERE \(number) <= \(most)"
        return true
    }

    private mutating func add(_ selection: StoreSelection) -> Bool {
        for condition in selection.conditions {
            guard let text = writer.condition(condition) else { return false }
            conditions.append(text)
        }
        // A database does not know that a parameter has the value that an index's condition asks for.
        for index in table.entity.indexes where index.condition != nil {
            guard index.covers(whereAll: selection.conditions),
                let text = SQLSchemaText(table, dialect).condition(of: index)
            else { continue }
            conditions.append(text)
        }
        for key in selection.sortKeys {
            guard Self.sorts(by: key.path, table, dialect),
                let operand = table.operands(key.path, dialect)?.first
            else { return false }
            order.append(SQLOrderTerm(operand, key.direction == .descending))
        }
        order += keyTerms
        guard let places = placed(selection.after, order) else { return false }
        order = places.terms
        if let values = places.values {
            guard let text = writer.after(values, order) else { return false }
            conditions.append(text)
        }
        if let share = selection.mostOfEach, !take(share) { return false }
        if selection.maximum != nil || selection.skipped > 0 {
            let maximum = Int64(max(0, selection.maximum ?? .max))
            limit = " LIMIT \(writer.bind(.integer(maximum), .count))"
            if selection.skipped > 0 {
                limit += " OFFSET \(writer.bind(.integer(Int64(selection.skipped)), .count))"
            }
        }
        return true
    }

    private var keyTerms: [SQLOrderTerm] {
        table.key.map { position in
            var operand = operand(position)
            operand.isOptional = false
            return SQLOrderTerm(operand, false)
        }
    }

    /// The terms without those that others before them decide, and the values of the rest.
    private func placed(
        _ values: [StoredValue]?, _ terms: [SQLOrderTerm], skipping: Set<String> = []
    ) -> (terms: [SQLOrderTerm], values: [StoredValue]?)? {
        if let values, values.count != terms.count { return nil }
        var seen = skipping
        var kept: (terms: [SQLOrderTerm], values: [StoredValue]) = ([], [])
        for (position, term) in terms.enumerated() where seen.insert(term.operand.text).inserted {
            kept.terms.append(term)
            if let values { kept.values.append(values[position]) }
        }
        return (kept.terms, values == nil ? nil : kept.values)
    }

    private mutating func add(_ scan: IndexScan) -> Bool {
        let index = table.entity.scannedIndex(scan.index)
        if index.condition != nil {
            guard let text = SQLSchemaText(table, dialect).condition(of: index) else {
                return false
            }
            conditions.append(text)
        }
        let fields = index.keys.map { table.columns(ofField: $0.field) }
        var fixed: Set<String> = []
        for (columns, value) in zip(fields, scan.equal) {
            guard let values = components(value, columns) else { return false }
            for (column, value) in zip(columns, values) {
                let operand = operand(column)
                fixed.insert(operand.text)
                if value == .null {
                    conditions.append("\(operand.text) IS NULL")
                } else if let text = writer.equals(operand, value) {
                    conditions.append(text)
                } else {
                    return false
                }
            }
        }
        if scan.lower != nil || scan.upper != nil {
            guard scan.equal.count < fields.count, fields[scan.equal.count].count == 1,
                addBounds(of: scan, operand(fields[scan.equal.count].lowerBound))
            else { return false }
        }
        for (key, columns) in zip(index.keys, fields) {
            for column in columns {
                order.append(SQLOrderTerm(operand(column), key.descending != scan.isReversed))
            }
        }
        order += keyTerms
        var after: [StoredValue]?
        if let place = scan.after {
            guard place.count == fields.count + table.key.count else { return false }
            var values: [StoredValue] = []
            for (columns, value) in zip(fields, place) {
                guard let parts = components(value, columns) else { return false }
                values += parts
            }
            after = values + place.suffix(table.key.count)
        }
        guard let places = placed(after, order, skipping: fixed) else { return false }
        order = places.terms
        guard order.allSatisfy({ dialect.orders($0.operand.form) }) else { return false }
        if let values = places.values {
            guard let text = writer.after(values, order) else { return false }
            conditions.append(text)
        }
        return true
    }

    private func operand(_ column: Int) -> SQLOperand {
        table.operand(table.columns[column], dialect)
    }

    /// The values of a field's columns; nil for what none of them holds.
    private func components(_ value: StoredValue, _ columns: Range<Int>) -> [StoredValue]? {
        if columns.count == 1 { return [value] }
        if value == .null { return columns.map { _ in .null } }
        let field = table.columns[columns.lowerBound].field
        guard case .composite(let layout) = table.entity.layout.fields[field].type,
            case .object(let members) = value
        else { return nil }
        return layout.fields.map { members[$0.name] ?? .null }
    }

    /// Null is the smallest value, so that it lies above no bound and below every one.
    private mutating func addBounds(of scan: IndexScan, _ operand: SQLOperand) -> Bool {
        guard dialect.orders(operand.form) else { return false }
        if let lower = scan.lower {
            if lower.value != .null {
                let comparison: ConditionTree.Comparison =
                    lower.isIncluded ? .greaterOrEqual : .greater
                guard let text = writer.compare(operand, comparison, lower.value) else {
                    return false
                }
                conditions.append(text)
            } else if !lower.isIncluded {
                conditions.append("\(operand.text) IS NOT NULL")
            }
        }
        guard let upper = scan.upper else { return true }
        if upper.value == .null {
            conditions.append(upper.isIncluded ? "\(operand.text) IS NULL" : "FALSE")
            return true
        }
        let comparison: ConditionTree.Comparison = upper.isIncluded ? .lessOrEqual : .less
        guard let text = writer.compare(operand, comparison, upper.value) else { return false }
        let holdsNull = operand.isOptional && (scan.lower == nil || scan.lower?.value == .null)
        conditions.append(holdsNull ? "(\(text) OR \(operand.text) IS NULL)" : text)
        return true
    }
}

extension SQLColumnForm {
    /// The form of a number of records.
    static var count: Self { .integer(bits: 64) }
}
