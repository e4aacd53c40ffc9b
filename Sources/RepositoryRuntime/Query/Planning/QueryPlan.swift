/// How the records of a query are found, and what is then left to the runtime.
public struct QueryPlan: Sendable, Hashable {
    /// The way in which a store is asked for records.
    public enum Access: Sendable, Hashable {
        /// No record can match; none is read.
        case nothing
        /// The records of these ids, each as its components, are read one by one.
        case ids([[StoredValue]])
        /// The records are found by scans of a declared index, which find no record twice.
        case index([IndexScan])
        /// The store finds them by itself: what the selection says is not left over. The runtime sets the place, the offset
        /// and the limit of each page.
        case selection(StoreSelection)
        /// All records are read, in id order, a page at a time.
        case scan
    }

    /// How records are found.
    public var access: Access
    /// What the access leaves to be tested on each record found.
    public var remainder: [ConditionTree]
    /// Whether the records found are sorted in the runtime, rather than taken in the order in which they are found.
    public var sortsInRuntime: Bool
    /// How many records are read at most; nil where only the data could say.
    public var maximumReads: Int?
    /// For a scan: the fields of an index that would make it unnecessary; empty where none would.
    public var missingIndex: [String]

    /// Makes a plan.
    public init(
        _ access: Access, remainder: [ConditionTree], sortsInRuntime: Bool,
        maximumReads: Int? = nil, missingIndex: [String] = []
    ) {
        self.access = access
        self.remainder = remainder
        self.sortsInRuntime = sortsInRuntime
        self.maximumReads = maximumReads
        self.missingIndex = missingIndex
    }

    /// Whether every record of the table is read, however few the query asks for.
    public var isFullScan: Bool {
        access == .scan && (!remainder.isEmpty || sortsInRuntime)
    }
}

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
            guard let scan = scans.first else { break }
            let index = table.indexes[scan.index]
            let count = scan.equal.count + (scan.lower == nil && scan.upper == nil ? 0 : 1)
            let fields = index.keys.prefix(count).map { table.layout.fields[$0.field].name }
            lines.append(
                "\(store): finds by the index \(index.name) (\(fields.joined(separator: ", ")))")
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
