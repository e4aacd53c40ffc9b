package import RepositoryRuntime

/// Writes the statement for the aggregates of a selection, if the database computes them exactly.
///
/// Counts, minima and maxima are exact for every representation that sorts by value. Sums are exact
/// for integers and scaled decimals only. A writer is used for one statement.
package struct SQLSummaryWriter {
    /// The table from which to select.
    private let table: SQLTable
    /// The dialect of the database.
    private let dialect: any SQLDialect
    /// The representations of the result columns, in order.
    package private(set) var forms: [SQLColumnForm] = []

    /// Creates a writer for a table and a dialect.
    package init(_ table: SQLTable, _ dialect: any SQLDialect) {
        self.table = table
        self.dialect = dialect
    }

    /// Returns the statement; nil if the runtime must compute the aggregates. The result has one
    /// row per group, ordered by the grouping values.
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
            // With a limit or offset, the selected records depend on the order, so they are
            // selected in a subquery.
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

    /// Returns the expression of an aggregate function and appends its representation; nil if the
    /// database does not compute it exactly.
    private mutating func text(of function: StoreSummary.Function) -> String? {
        switch function {
        case .count:
            forms.append(.count)
            return "count(*)"
        case .minimum(let path), .maximum(let path):
            guard let operand = value(path), dialect.orders(operand.form),
                dialect.hasMinimum(of: operand.form)
            else { return nil }
            forms.append(operand.form)
            if case .minimum = function { return "min(\(operand.text))" }
            return "max(\(operand.text))"
        case .sum(let path):
            guard let operand = value(path), let sum = dialect.sum(operand.text, as: operand.form)
            else { return nil }
            forms.append(operand.form)
            return sum
        }
    }

    /// Returns the operand of a path; nil if it has several columns or contains JSON.
    private func value(_ path: FieldPath) -> SQLOperand? {
        guard let operands = table.operands(path, dialect), operands.count == 1,
            !operands[0].form.isOpaque
        else { return nil }
        return operands[0]
    }
}
