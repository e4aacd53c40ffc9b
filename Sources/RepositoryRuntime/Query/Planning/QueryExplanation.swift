/// A readable description of a query plan: the result of ``ReadableRepository/explain(_:)``.
///
/// For example, a query that uses an index over `status, year` and tests another field:
/// ```
/// memory: finds by the index status_year (status, year > ?)
/// runtime: tests pages > ?
/// reads as many records as it finds
/// ```
public struct QueryExplanation: Sendable, Hashable, CustomStringConvertible {
    /// The plan.
    public let plan: QueryPlan
    /// The name of the store.
    public let store: String
    /// The plan, one step per line. It names fields, but never contains their values.
    public let description: String

    /// Describes a plan.
    ///
    /// - Parameters:
    ///   - plan: the plan.
    ///   - table: the table of the query, for the field names.
    ///   - store: the name of the store.
    ///   - steps: lines about what is read before the records themselves.
    ///   - details: lines that the store itself returns for a selection, such as its query plan.
    init(
        _ plan: QueryPlan, _ table: EntityTable, store: String, steps: [String] = [],
        details: [String] = []
    ) {
        self.plan = plan
        self.store = store
        let lines = steps + Self.lines(plan, table, store) + details.map { "\(store): \($0)" }
        description = lines.joined(separator: "\n")
    }

    /// The lines of the description: the access, the work left to the runtime, and the number of
    /// reads.
    private static func lines(
        _ plan: QueryPlan, _ table: EntityTable, _ store: String
    ) -> [String] {
        var lines: [String] = []
        switch plan.access {
        case .nothing: lines.append("\(store): nothing is read, because no record can match")
        case .ids(let ids): lines.append("\(store): reads \(ids.count) ids of \(table.name)")
        case .index(let scans):
            lines += scans.descriptions(table).map { "\(store): finds by \($0)" }
        case .selection(let selection):
            let conditions = selection.conditions.map { $0.text(in: table.layout) }
            lines.append(
                "\(store): selects"
                    + (conditions.isEmpty ? "" : " where \(conditions.joined(separator: " && "))"))
            lines += selection.narrowing.map {
                "\(store): finds by the hash of \($0.text(in: table.layout))"
            }
        case .scan: lines.append("\(store): reads \(table.name) in id order")
        }
        if !plan.remainder.isEmpty {
            let conditions = plan.remainder.map { $0.text(in: table.layout) }
            lines.append("runtime: tests \(conditions.joined(separator: " && "))")
        }
        if plan.sortsInRuntime { lines.append("runtime: sorts") }
        lines.append(
            plan.maximumReads.map { "reads \($0) records at most" }
                ?? (plan.isFullScan ? "reads every record" : "reads as many records as it finds"))
        if plan.isFullScan, !plan.missingIndex.isEmpty {
            lines.append("an index over \(plan.missingIndex.joined(separator: ", ")) would help")
        }
        return lines
    }
}

extension Array where Element == IndexScan {
    /// Returns one line for each run of equal scans, with the number of scans.
    fileprivate func descriptions(_ table: EntityTable) -> [String] {
        var lines: [(text: String, count: Int)] = []
        for scan in self {
            let text = scan.description(table)
            if lines.last?.text == text {
                lines[lines.count - 1].count += 1
            } else {
                lines.append((text, 1))
            }
        }
        return lines.map { $0.count == 1 ? $0.text : "\($0.count) scans of \($0.text)" }
    }
}

extension IndexScan {
    /// Describes the index, the known fields and the bounds, with `?` for each value.
    fileprivate func description(_ table: EntityTable) -> String {
        let isOverIDs = index == Self.ids
        let index = table.scannedIndex(index)
        let names = index.keys.map { $0.path.text(in: table.layout) }
        var parts = Array(names.prefix(equal.count))
        if equal.count < names.count {
            let field = names[equal.count]
            // A lower bound of null means "is not null", which an upper bound already implies.
            if let lower, upper == nil || lower.value != .null {
                parts.append("\(field) \(lower.isIncluded ? ">=" : ">") ?")
            }
            if let upper { parts.append("\(field) \(upper.isIncluded ? "<=" : "<") ?") }
        }
        var text = isOverIDs ? "the id" : "the index \(index.name)"
        if !parts.isEmpty { text += " (\(parts.joined(separator: ", ")))" }
        if let condition = index.condition {
            text += ", which covers the records where \(condition.text(in: table.layout))"
        }
        return isReversed ? text + ", from its end" : text
    }
}
