/// The part of a query that a store answers by itself: which records, in which order, how many.
public struct StoreSelection: Sendable, Hashable {
    /// What a record must be like; all must hold.
    public var conditions: [ConditionTree]
    /// By what the records are sorted before the components of the id, which are always the last keys, ascending.
    public var sortKeys: [SortKey]
    /// Only what stands after this place: the values of the sort keys, then the components of the id.
    public var after: [StoredValue]?
    /// How many of the first are left out.
    public var skipped: Int
    /// How many there are at most after that; nil for all.
    public var maximum: Int?
    /// How many of each value of a field are wanted, in the order of the selection; nil for all. A store may give more: the
    /// runtime counts again.
    public var mostOfEach: Share?

    /// The first records of each value of a field.
    public struct Share: Sendable, Hashable {
        /// The field: a reference, mostly.
        public var path: FieldPath
        /// How many there are at most.
        public var maximum: Int

        /// Makes a share.
        public init(_ path: FieldPath, maximum: Int) {
            self.path = path
            self.maximum = maximum
        }
    }

    /// Makes a selection.
    public init(
        _ conditions: [ConditionTree] = [], sortKeys: [SortKey] = [], after: [StoredValue]? = nil,
        skipped: Int = 0, maximum: Int? = nil
    ) {
        self.conditions = conditions
        self.sortKeys = sortKeys
        self.after = after
        self.skipped = skipped
        self.maximum = maximum
    }
}

/// What is computed of the records of a selection.
public struct StoreSummary: Sendable, Hashable {
    /// One number or value of a group.
    public enum Function: Sendable, Hashable {
        /// How many records there are.
        case count
        /// The smallest value that is not null; null where there is none.
        case minimum(FieldPath)
        /// The largest value; null where there is none.
        case maximum(FieldPath)
        /// The sum of what is not null; 0 where there is none.
        case sum(FieldPath)
    }

    /// By what the records are grouped; one group, which is there even without records, where this is empty.
    public var groups: [FieldPath]
    /// What is computed of each group.
    public var functions: [Function]

    /// Makes a summary.
    public init(groups: [FieldPath] = [], _ functions: [Function]) {
        self.groups = groups
        self.functions = functions
    }
}
