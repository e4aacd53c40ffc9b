/// How the records of a query are found, and what is then left to the runtime.
public struct QueryPlan: Sendable, Hashable {
    /// The way in which a store is asked for records.
    public enum Access: Sendable, Hashable {
        /// No record can match; none is read.
        case nothing
        /// The records of these ids, each as its components, are read one by one.
        case ids([[StoredValue]])
        /// The records are found by scans of declared indexes, one after the other; one that lies in several counts where it
        /// is found first.
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
    /// Where every record is read: the fields of an index that would make it unnecessary, `-` before a descending one;
    /// empty where none would.
    public var missingIndex: [String]
    /// For a selection: whether no declared index serves it, so that the store, too, looks at every record.
    var selectsFromAll = false

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
        switch access {
        case .nothing, .ids: false
        case .scan: !remainder.isEmpty || sortsInRuntime
        // A walk along a whole index, for its order alone.
        case .index(let scans):
            !remainder.isEmpty
                && scans.contains { $0.equal.isEmpty && $0.lower == nil && $0.upper == nil }
        case .selection: selectsFromAll
        }
    }
}
