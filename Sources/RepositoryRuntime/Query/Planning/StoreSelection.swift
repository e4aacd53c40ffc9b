/// The part of a query that a store evaluates itself: a condition, an order, and limits.
///
/// A store must apply the parts in this order: the conditions, the position, the sort keys, the
/// offset, and the limit.
public struct StoreSelection: Sendable, Hashable {
    /// The conditions, all of which a record must satisfy.
    public var conditions: [ConditionTree] { didSet { prepared.statement = nil } }
    /// Conditions that the runtime tests and by which a store may leave out records. A SQL store
    /// finds the records by the hashes of encrypted values.
    package var narrowing: [ConditionTree] = [] { didSet { prepared.statement = nil } }
    /// The sort keys before the components of the id, which are always the last keys, ascending.
    public var sortKeys: [SortKey] { didSet { prepared.statement = nil } }
    /// The position after which the records start: the values of the sort keys, then the components
    /// of the id. Nil for the beginning.
    public var after: [StoredValue]? { didSet { prepared.statement = nil } }
    /// The number of leading records to skip.
    public var skipped: Int
    /// The maximum number of records after the skipped ones; nil for no limit.
    public var maximum: Int?
    /// The maximum number of records for each value of a field, in the order of the selection; nil
    /// for no limit. A store may return more, because the runtime counts again.
    public var mostOfEach: Share? { didSet { prepared.statement = nil } }
    /// What the store has found while it planned the query. A selection that is changed afterwards
    /// loses it.
    package var prepared = PreparedStatement()

    /// A limit on the number of records with the same value of a field.
    public struct Share: Sendable, Hashable {
        /// The field, usually a reference.
        public var path: FieldPath
        /// The maximum number of records for each value.
        public var maximum: Int

        /// Creates a limit for each value of a field.
        ///
        /// - Parameters:
        ///   - path: the field.
        ///   - maximum: the maximum number of records for each value.
        public init(_ path: FieldPath, maximum: Int) {
            self.path = path
            self.maximum = maximum
        }
    }

    /// Creates a selection.
    ///
    /// - Parameters:
    ///   - conditions: the conditions, all of which must hold.
    ///   - sortKeys: the sort keys before the id.
    ///   - after: the position after which the records start.
    ///   - skipped: the number of leading records to skip.
    ///   - maximum: the maximum number of records after the skipped ones.
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

extension StoreSelection {
    /// Hashes a part of what `==` compares: as much as tells the queries of a program apart. The
    /// runtime keeps statements and plans by selections, and hashing a whole one takes longer than
    /// comparing it with the one that is found.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(conditions.count)
        for condition in conditions { condition.hashKind(into: &hasher) }
        hasher.combine(sortKeys.count)
        for key in sortKeys { hasher.combine(key.relative?.depth ?? key.path.field) }
        hasher.combine(maximum)
        hasher.combine(skipped)
    }

    /// The statement of a selection with certain limits. It follows from what the selection
    /// describes, so that selections are equal with and without one.
    package struct PreparedStatement: Sendable, Hashable {
        /// What the store that planned the query keeps of the statement; nil if it is not known.
        package var statement: (any AnyObject & Sendable)?
        /// The values of the selection, in the order in which the statement numbers them.
        package var values: [StoredValue] = []
        /// The limits of the selection.
        package var (skipped, maximum): (Int, Int?) = (0, nil)

        package static func == (left: Self, right: Self) -> Bool { true }
        package func hash(into hasher: inout Hasher) {}
    }

    /// Whether related records determine the order.
    var sortsByRelatives: Bool { sortKeys.contains { $0.relative != nil } }
}

extension ConditionTree {
    /// Hashes the kind of the condition and the fields that it compares.
    fileprivate func hashKind(into hasher: inout Hasher) {
        switch self {
        case .constant(let value): hasher.combine(value)
        case .compareFields(let path, _, let other):
            hasher.combine(path.field)
            hasher.combine(other.field)
        case .isIn(let path, let values):
            hasher.combine(path.field)
            hasher.combine(values.count)
        case .compare(let path, _, _), .text(let path, _), .hasElement(let path, _):
            hasher.combine(path.field)
        case .related(let related): related.condition.hashKind(into: &hasher)
        case .all(let conditions), .any(let conditions):
            hasher.combine(conditions.count)
            for condition in conditions { condition.hashKind(into: &hasher) }
        case .not(let condition): condition.hashKind(into: &hasher)
        case .invalid(let reason): hasher.combine(reason)
        }
    }
}

/// An aggregation over the records of a selection.
///
/// A store returns one row for each group, ordered by the values of the group fields. A row
/// consists of these values, followed by the results of the functions.
public struct StoreSummary: Sendable, Hashable {
    /// An aggregate function, with one result for each group.
    public enum Function: Sendable, Hashable {
        /// The number of records.
        case count
        /// The smallest value that is not null; null if there is none.
        case minimum(FieldPath)
        /// The largest value; null if there is none.
        case maximum(FieldPath)
        /// The sum of the values that are not null; 0 if there is none.
        case sum(FieldPath)
    }

    /// The fields by which the records are grouped. If this is empty, there is exactly one group,
    /// even without records.
    public var groups: [FieldPath]
    /// The functions computed for each group.
    public var functions: [Function]

    /// Creates a summary.
    ///
    /// - Parameters:
    ///   - groups: the fields by which the records are grouped.
    ///   - functions: the functions computed for each group.
    public init(groups: [FieldPath] = [], _ functions: [Function]) {
        self.groups = groups
        self.functions = functions
    }
}
