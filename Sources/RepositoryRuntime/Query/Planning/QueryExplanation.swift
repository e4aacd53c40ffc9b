/// A plan in words: what ``EntityRepository/explain(_:)`` answers.
public struct QueryExplanation: Sendable, Hashable, CustomStringConvertible {
    /// The plan.
    public let plan: QueryPlan
    /// The kind of store it is of.
    public let store: String
    /// The plan in lines. It names fields, never their values.
    public let description: String

    /// Explains a plan.
    ///
    /// - Parameter details: what the store itself says of a selection.
    init(_ plan: QueryPlan, _ table: EntityTable, store: String, details: [String] = []) {
        self.plan = plan
        self.store = store
        let lines = Self.lines(plan, table, store) + details.map { "\(store): \($0)" }
        description = lines.joined(separator: "\n")
    }

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
    /// Scans of one index after the other, in words.
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
    fileprivate func description(_ table: EntityTable) -> String {
        let isOverIDs = index == Self.ids
        let index = table.scannedIndex(index)
        let names = index.keys.map { table.layout.fields[$0.field].name }
        var parts = Array(names.prefix(equal.count))
        if equal.count < names.count {
            let field = names[equal.count]
            // That a field is not null goes without saying where it is below something.
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
