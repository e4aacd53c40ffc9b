/// A plan for finding the records of a query: the access to the store, and the work left to the
/// runtime.
///
/// The access may find more records than the query selects. The runtime tests the conditions in
/// ``remainder``, sorts if ``sortsInRuntime`` is true, and applies the offset and the limit. A
/// store returns plans from ``EntityStore/plan(_:)``.
public struct QueryPlan: Sendable, Hashable {
    /// The way in which a store is asked for records.
    public enum Access: Sendable, Hashable {
        /// No record can match; nothing is read.
        case nothing
        /// The records with these ids are read one by one. Each id is given by its components.
        case ids([[StoredValue]])
        /// The records are found by index scans, which run one after the other. A record found by
        /// several scans is returned once, at its first occurrence.
        case index([IndexScan])
        /// The store evaluates the selection itself. The runtime sets the position, the offset and
        /// the limit of each page.
        case selection(StoreSelection)
        /// All records are read in id order, one page at a time.
        case scan
    }

    /// The access to the store.
    public var access: Access
    /// The conditions that the runtime must test on each record found.
    public var remainder: [ConditionTree]
    /// Whether the runtime sorts the records. Otherwise they are found in the order of the query.
    public var sortsInRuntime: Bool
    /// An upper bound for the number of records read; nil if it depends on the data.
    public var maximumReads: Int?
    /// For a full scan, the fields of an index that would avoid it, with `-` before a descending
    /// one. Empty if no index would.
    public var missingIndex: [String]
    /// Whether ``remainder`` only leaves out deleted records. Hardly any record is deleted, so that
    /// the test costs nothing that an index could save.
    package var testsOnlyPresence = false
    /// For a selection, whether no declared index serves it, so that the store examines every
    /// record.
    var selectsFromAll = false
    /// Whether the store has already determined ``selectsFromAll``.
    package var judgement = Judgement()

    /// Whether a plan is judged. Plans are equal, and described alike, whoever judges them.
    package struct Judgement: Sendable, Hashable, CustomStringConvertible {
        package var isKnown = false
        package var description: String { "Judgement()" }
        package static func == (left: Self, right: Self) -> Bool { true }
        package func hash(into hasher: inout Hasher) {}
    }

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - access: the access to the store.
    ///   - remainder: the conditions that the runtime must test.
    ///   - sortsInRuntime: whether the runtime must sort.
    ///   - maximumReads: an upper bound for the number of records read.
    ///   - missingIndex: the fields of an index that would avoid a full scan.
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

    /// Whether every record of the table is read, even if the query selects only a few.
    public var isFullScan: Bool {
        let selects = !remainder.isEmpty && !testsOnlyPresence
        return switch access {
        case .nothing, .ids: false
        case .scan: selects || sortsInRuntime
        // A scan of a whole index, used only for its order.
        case .index(let scans):
            selects
                && scans.contains { $0.equal.isEmpty && $0.lower == nil && $0.upper == nil }
        case .selection: selectsFromAll
        }
    }
}
