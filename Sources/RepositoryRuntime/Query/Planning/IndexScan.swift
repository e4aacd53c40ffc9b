/// A walk along a declared index, or along the ids: the records whose leading fields have given values, and whose next field lies between
/// bounds.
///
/// They are found in the order of the index's fields, each in its declared direction, or the other way round where it
/// is reversed; records equal in all fields stand in ascending id order either way. The values given for a field that ignores
/// case are folded.
public struct IndexScan: Sendable, Hashable {
    /// One end of a range. The order is that of ``StoredValue``, in which null is the smallest.
    public struct Bound: Sendable, Hashable {
        /// Where the range ends.
        public var value: StoredValue
        /// Whether the value itself belongs to it.
        public var isIncluded: Bool

        /// Makes a bound.
        public init(_ value: StoredValue, isIncluded: Bool) {
            self.value = value
            self.isIncluded = isIncluded
        }
    }

    /// The ``index`` of a scan over the ids: their components serve as the fields of a unique index.
    ///
    /// Only a store with the capability ``StoreCapability/idScans`` is asked for such a scan.
    public static let ids = -1

    /// The position of the index in `E.Mapper.table.indexes`, or ``ids``.
    public var index: Int
    /// What the leading fields equal, null included; there may be none.
    public var equal: [StoredValue]
    /// The smallest values of the field after them, whatever its direction in the index; nil for no bound.
    public var lower: Bound?
    /// The largest values of that field.
    public var upper: Bound?
    /// Whether the index is walked from its end.
    public var isReversed: Bool
    /// Only what stands after this place in the order of the scan: the values of all fields of the index, then the components
    /// of the id. Nil for the beginning.
    public var after: [StoredValue]?

    /// Makes a scan.
    public init(
        _ index: Int, equal: [StoredValue] = [], lower: Bound? = nil, upper: Bound? = nil,
        isReversed: Bool = false, after: [StoredValue]? = nil
    ) {
        self.index = index
        self.equal = equal
        self.lower = lower
        self.upper = upper
        self.isReversed = isReversed
        self.after = after
    }
}
