/// Writes the statement of a summary, where the database computes it exactly.
package struct SQLSummaryWriter {
    private let table: SQLTable
    private let dialect: any SQLDialect
    /// The forms of the columns of the result, in order.
    package private(set) var forms: [SQLColumnForm] = []

    /// Writes for a table in a dialect.
    package init(_ table: SQLTable, _ dialect: any SQLDialect) {
        self.table = table
        self.dialect = dialect
    }

    /// The statement: a row for each group, ordered by its values; nil where the runtime has to compute it.
    package mutating func query(_ selection: StoreSelection, _ summary: StoreSummary) -> SQLQuery? {
        forms = []
        var groups: [String] = []
        for path in summary.groups {
            guard let operand = value(path), dialect.orders(operand.form) else { return nil }
            groups.append(operand.text)
            forms.append(operand.form)
        }
        var columns = groups
        for function in summary.functions {
            guard let text = text(of: function) else { return nil }
            columns.append(text)
        }
        guard let parts = SQLSelectionWriter.parts(of: selection, table, dialect) else {
            return nil
        }
        var source = dialect.quoted(table.name) + parts.filter
        if selection.maximum != nil || selection.skipped > 0 {
            // Which records are meant depends on the order.
            let all = table.columns.flatMap { [$0.name, $0.foldedName].compactMap(\.self) }
                .map { dialect.quoted($0) }.joined(separator: ", ")
            source = "(SELECT \(all) FROM \(source)\(parts.rest)) AS selected"
        }
        var text = "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
        if !groups.isEmpty {
            let order = groups.map {
                dialect.orderTerm($0, isDescending: false, isOptional: true)
            }
            text += " GROUP BY \(groups.joined(separator: ", "))"
            text += " ORDER BY \(order.joined(separator: ", "))"
        }
        return SQLQuery(text: text, parameters: parts.parameters)
    }

    private mutating func text(of function: StoreSummary.Function) -> String? {
        switch function {
        case .count:
            forms.append(.count)
            return "count(*)"
        case .minimum(let path), .maximum(let path):
            guard let operand = value(path), dialect.orders(operand.form) else { return nil }
            forms.append(operand.form)
            if case .minimum = function { return "min(\(operand.text))" }
            return "max(\(operand.text))"
        case .sum(let path):
            guard let operand = value(path) else { return nil }
            switch operand.form {
            case .integer, .scaledDecimal: break
            // Sums of others depend on how they are added.
            default: return nil
            }
            forms.append(operand.form)
            return "coalesce(sum(\(operand.text)), 0)"
        }
    }

    private func value(_ path: FieldPath) -> SQLOperand? {
        guard let operands = table.operands(path, dialect), operands.count == 1,
            operands[0].form != .json
        else { return nil }
        return operands[0]
    }
}
