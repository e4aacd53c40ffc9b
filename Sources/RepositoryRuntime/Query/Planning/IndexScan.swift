/// A scan of a declared index or of the ids. It finds the records whose leading fields have given
/// values and whose next field lies within bounds.
///
/// The records are in the order of the index fields, each in its declared direction, or in the
/// opposite direction if the scan is reversed. Records that are equal in all fields are in
/// ascending id order in both cases. The values for a field that ignores case are folded.
///
/// For example, the records of an index over `status, -year` with `status == .available && year >=
/// 2000` are found by a scan whose `equal` contains the value of `available` and whose `lower` is
/// 2000, included. The newest records come first; in a reversed scan, the oldest come first.
public struct IndexScan: Sendable, Hashable {
    /// One end of a range. The order is that of ``StoredValue``, in which null is the smallest
    /// value.
    public struct Bound: Sendable, Hashable {
        /// The value at the end of the range.
        public var value: StoredValue
        /// Whether the range includes the value.
        public var isIncluded: Bool

        /// Creates a bound.
        ///
        /// - Parameters:
        ///   - value: the value at the end of the range.
        ///   - isIncluded: whether the range includes the value.
        public init(_ value: StoredValue, isIncluded: Bool) {
            self.value = value
            self.isIncluded = isIncluded
        }
    }

    /// The ``index`` of a scan over the ids. The components of the id act as the fields of a unique
    /// index.
    ///
    /// Only a store with the capability ``StoreCapability/idScans`` receives such a scan.
    public static let ids = -1

    /// The position of the index in `E.Mapper.table.indexes`, or ``ids``.
    public var index: Int
    /// The values that the leading fields equal. Null is a value; the array may be empty.
    public var equal: [StoredValue]
    /// The lower bound of the next field, independent of its direction in the index; nil for no
    /// bound.
    public var lower: Bound?
    /// The upper bound of the next field; nil for no bound.
    public var upper: Bound?
    /// Whether the index is scanned backward.
    public var isReversed: Bool
    /// The position after which the scan starts, in the order of the scan: the values of all fields
    /// of the index, then the components of the id. Nil for the beginning.
    public var after: [StoredValue]?

    /// Creates a scan.
    ///
    /// - Parameters:
    ///   - index: the position of the index in the table, or ``ids``.
    ///   - equal: the values of the leading fields.
    ///   - lower: the lower bound of the next field.
    ///   - upper: the upper bound of the next field.
    ///   - isReversed: whether the index is scanned backward.
    ///   - after: the position after which the scan starts.
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
