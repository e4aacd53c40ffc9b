package import RepositoryRuntime

/// Writes the statements for selections and index scans.
///
/// The functions return nil if the database cannot answer exactly.
///
/// A writer is used for one statement: the `add` methods collect clauses and parameters, and
/// `query` assembles them. Parameters are numbered in the order in which they are bound.
package struct SQLSelectionWriter {
    /// The table from which to select.
    private let table: SQLTable
    /// The dialect of the database.
    private let dialect: any SQLDialect
    /// Translates the conditions and collects the parameters.
    private var writer: SQLConditionWriter
    /// The conditions of the `WHERE` clause, joined by `AND`.
    private var conditions: [String] = []
    /// The terms of the `ORDER BY` clause.
    private var order: [SQLOrderTerm] = []
    /// The `LIMIT` clause with a leading space, or an empty string.
    private var limit = ""
    /// The `FROM` clause, if the selection takes only the first records for each value of a field;
    /// otherwise nil.
    private var source: String?
    /// The joined tables.
    private var joins: SQLJoins

    /// Creates a writer without clauses.
    ///
    /// - Parameter sortKeys: the sort keys for which tables may be joined.
    private init(
        _ table: SQLTable, _ dialect: any SQLDialect, joiningFor sortKeys: [SortKey] = []
    ) {
        self.table = table
        self.dialect = dialect
        joins = SQLJoins(sortKeys, table, dialect)
        writer = SQLConditionWriter(table, dialect)
    }

    /// Returns the statement that selects the records of a selection.
    package static func select(
        _ selection: StoreSelection, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> SQLQuery? {
        select(table.columns.map { table.selected($0, dialect) }, selection, table, dialect)
    }

    /// Returns the statement that selects the values at the given paths, and the representations of
    /// its result columns.
    package static func values(
        _ selection: StoreSelection, at paths: [FieldPath], _ table: SQLTable,
        _ dialect: any SQLDialect
    ) -> (query: SQLQuery, forms: [SQLColumnForm])? {
        var operands: [SQLOperand] = []
        for path in paths {
            guard let found = table.operands(path, dialect), found.count == 1,
                !found[0].form.isOpaque
            else { return nil }
            var operand = found[0]
            // The result is the stored string. The expression used for comparison is not needed.
            if let source = operand.source, source.form == .text { operand.text = source.text }
            operands.append(operand)
        }
        let query = select(operands.map(\.text), selection, table, dialect)
        return query.map { ($0, operands.map(\.form)) }
    }

    /// Returns the statement that selects the given expressions of a selection.
    private static func select(
        _ columns: [String], _ selection: StoreSelection, _ table: SQLTable,
        _ dialect: any SQLDialect
    ) -> SQLQuery? {
        // The first records of each value are numbered in a subquery, which has no joined tables.
        let joined = selection.mostOfEach == nil ? selection.sortKeys : []
        var writer = Self(table, dialect, joiningFor: joined)
        guard writer.add(selection) else { return nil }
        return writer.query(columns)
    }

    /// Returns the statement that selects the first records of an index scan.
    package static func find(
        _ scan: IndexScan, limit: Int, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> SQLQuery? {
        var writer = Self(table, dialect)
        guard writer.add(scan) else { return nil }
        if limit < .max {
            writer.limit = " LIMIT \(writer.writer.bind(.integer(Int64(max(0, limit))), .count))"
        }
        return writer.query(table.columns.map { table.selected($0, dialect) })
    }

    /// Returns whether the database sorts by a key exactly as the runtime does.
    package static func sorts(
        by key: SortKey, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> Bool {
        operand(key, table, dialect) != nil
    }

    /// Returns the expression for a sort key; nil if the database does not sort by it exactly as
    /// the runtime does.
    private static func operand(
        _ key: SortKey, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> SQLOperand? {
        if let relative = key.relative {
            // The runtime sorts by the values that it has looked up.
            return key.isLookedUp ? nil : table.operand(relative, dialect)
        }
        guard let operands = table.operands(key.path, dialect), operands.count == 1,
            dialect.orders(operands[0].form)
        else { return nil }
        return operands[0]
    }

    /// Returns the clauses after `FROM`, for use in another statement, and the parameters.
    package static func parts(
        of selection: StoreSelection, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> (filter: String, rest: String, parameters: [SQLParameter])? {
        var writer = Self(table, dialect)
        guard writer.add(selection) else { return nil }
        return (
            writer.filter, writer.orderText + writer.limit, writer.writer.parameters
        )
    }

    /// The `WHERE` clause with a leading space, or an empty string.
    private var filter: String {
        conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    }

    /// The `ORDER BY` clause with a leading space. There is always at least the id to sort by.
    private var orderText: String {
        " ORDER BY " + order.map { $0.text(dialect) }.joined(separator: ", ")
    }

    /// Assembles the statement.
    private func query(_ columns: [String]) -> SQLQuery {
        let source = source ?? dialect.quoted(table.name) + joins.text + filter
        return SQLQuery(
            text: "SELECT \(columns.joined(separator: ", ")) FROM \(source)\(orderText)\(limit)",
            parameters: writer.parameters)
    }

    /// Restricts the selection to the first records for each value of a field, by `row_number()`
    /// within the value.
    ///
    /// The numbered rows become a subquery with the name of the table, so that the order and the
    /// columns of the outer statement need no change.
    ///
    /// ```sql
    /// SELECT … FROM (SELECT *, row_number() OVER (PARTITION BY "author" ORDER BY "title", "id")
    ///     AS "repository number" FROM "book" WHERE …) AS "book"
    /// WHERE "repository number" <= ?2 ORDER BY "title", "id"
    /// ```
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

    /// Adds a selection; false if the database cannot answer it exactly.
    ///
    /// The order of the clauses matters, because parameters are numbered as they are bound:
    /// conditions, the position, the share per value, the limit, and the offset.
    private mutating func add(_ selection: StoreSelection) -> Bool {
        for condition in selection.conditions {
            if let isJoined = joins.add(condition, &writer) {
                guard isJoined else { return false }
                continue
            }
            guard let text = writer.condition(condition) else { return false }
            conditions.append(text)
        }
        for condition in selection.narrowing {
            if let text = writer.narrowing(condition) { conditions.append(text) }
        }
        // The conditions of matching partial indexes are repeated as constants, because the query
        // planner of a database does not use the value of a parameter to match an index condition.
        for index in table.entity.indexes where index.condition != nil {
            guard index.covers(whereAll: selection.conditions + selection.narrowing),
                let text = SQLSchemaText(table, dialect).condition(of: index)
            else { continue }
            conditions.append(text)
        }
        for key in selection.sortKeys {
            guard
                let operand = key.relative.flatMap({ joins.operand($0) })
                    ?? Self.operand(key, table, dialect)
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

    /// The terms of the id, which come last in every order and make it total.
    private var keyTerms: [SQLOrderTerm] {
        table.key.map { position in
            var operand = table.operand(table.columns[position], dialect)
            operand.isOptional = false
            return SQLOrderTerm(operand, false)
        }
    }

    /// Returns the terms without those determined by earlier terms, and the position's values for
    /// the remaining terms.
    ///
    /// - Parameters:
    ///   - values: the position: a value for each term, or nil if the statement starts at the
    ///     beginning.
    ///   - terms: the order, in which an expression may occur several times.
    ///   - skipping: the expressions that equalities fix to one value.
    /// - Returns: Nil if the number of values is not that of the terms.
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

    /// Adds an index scan; false if the database cannot answer it exactly.
    ///
    /// The equalities and bounds become conditions on the columns of the index, and the position of
    /// the scan becomes a condition on the order. Null values of the position and of the equalities
    /// are supported.
    private mutating func add(_ scan: IndexScan) -> Bool {
        let index = table.entity.scannedIndex(scan.index)
        if index.condition != nil {
            guard let text = SQLSchemaText(table, dialect).condition(of: index) else {
                return false
            }
            conditions.append(text)
        }
        var keys: [[SQLOperand]] = []
        for key in index.keys {
            guard let operands = table.operands(key.path, dialect) else { return false }
            keys.append(operands)
        }
        var fixed: Set<String> = []
        for (position, value) in scan.equal.enumerated() where position < keys.count {
            guard let values = components(value, index.keys[position], keys[position]) else {
                return false
            }
            for (operand, value) in zip(keys[position], values) {
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
            guard scan.equal.count < keys.count, keys[scan.equal.count].count == 1,
                addBounds(of: scan, keys[scan.equal.count][0])
            else { return false }
        }
        for (key, operands) in zip(index.keys, keys) {
            for operand in operands {
                order.append(SQLOrderTerm(operand, key.descending != scan.isReversed))
            }
        }
        order += keyTerms
        var after: [StoredValue]?
        if let place = scan.after {
            guard place.count == keys.count + table.key.count else { return false }
            var values: [StoredValue] = []
            for (position, operands) in keys.enumerated() {
                guard let parts = components(place[position], index.keys[position], operands)
                else { return false }
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

    /// Returns the values for the operands of an index key; nil if the columns cannot hold the
    /// value.
    private func components(
        _ value: StoredValue, _ key: TableIndex.Key, _ operands: [SQLOperand]
    ) -> [StoredValue]? {
        if operands.count == 1 { return [value] }
        if value == .null { return operands.map { _ in .null } }
        guard case .composite(let layout) = table.entity.layout.fields[key.field].type,
            case .object(let members) = value
        else { return nil }
        return layout.fields.map { members[$0.name] ?? .null }
    }

    /// Adds the bounds of a scan. Null is the smallest value: it is below every upper bound and
    /// above no lower bound.
    ///
    /// - Returns: False if the database does not sort the operand as the runtime does, or cannot
    ///   compare it with a bound.
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
    /// The representation of a number of records.
    static var count: Self { .integer(bits: 64) }
}
