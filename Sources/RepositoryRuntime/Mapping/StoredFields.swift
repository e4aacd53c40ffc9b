/// The fields of a record as stored values: of one record after the other in the same list, and only those that somebody
/// looks at.
///
/// A mapper fills it by ``RecordMapper/take(_:into:)``.
public struct StoredFields: StoredValueCollector, Sendable {
    @usableFromInline
    var list: [StoredValue]
    /// A bit for each of the first 64 fields, whether it is looked at; those behind them always are.
    @usableFromInline
    let mask: UInt64

    /// The values of the record taken last, by index; null for fields that nobody looks at.
    @inlinable public var values: [StoredValue] { list }

    /// Makes a list for records of so many fields.
    ///
    /// - Parameter wanted: the fields that are looked at; nil for all.
    public init(count: Int, wanted: Set<Int>? = nil) {
        list = Array(repeating: .null, count: count)
        guard let wanted else {
            mask = .max
            return
        }
        mask = wanted.reduce(0) { $1 < 64 ? $0 | 1 << UInt64($1) : $0 }
    }

    /// Whether a field is looked at.
    @inlinable
    @inline(__always)
    public func wants(_ index: Int) -> Bool {
        index >= 64 || (mask &>> UInt64(truncatingIfNeeded: index)) & 1 != 0
    }

    /// Takes the value of a field.
    @inlinable
    @inline(__always)
    public mutating func set(_ value: StoredValue, at index: Int) { list[index] = value }
}

extension StoredFields: CustomStringConvertible, CustomReflectable {
    /// How many fields there are.
    public var description: String { "StoredFields(\(list.count) fields)" }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
