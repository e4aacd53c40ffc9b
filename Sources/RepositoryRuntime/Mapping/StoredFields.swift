/// Collects the fields of a record as stored values.
///
/// One instance is reused for many records, so that no array is allocated per record, and it
/// collects only the wanted fields. A mapper fills it in ``RecordMapper/collect(_:into:)``.
public struct StoredFields: StoredValueCollector, Sendable {
    @usableFromInline
    var list: [StoredValue]
    /// A bit for each of the first 64 fields, which is set if the field is wanted. Further fields
    /// are always collected.
    @usableFromInline
    let mask: UInt64

    /// The values of the latest record by field index; null for fields that are not wanted.
    @inlinable public var values: [StoredValue] { list }

    /// Creates storage for records with a number of fields.
    ///
    /// - Parameters:
    ///   - count: the number of fields.
    ///   - wanted: the indexes of the fields to collect; nil for all.
    public init(count: Int, wanted: Set<Int>? = nil) {
        list = Array(repeating: .null, count: count)
        guard let wanted else {
            mask = .max
            return
        }
        mask = wanted.reduce(0) { $1 < 64 ? $0 | 1 << UInt64($1) : $0 }
    }

    /// Whether a field is collected.
    @inlinable
    @inline(__always)
    public func collects(_ index: Int) -> Bool {
        index >= 64 || (mask &>> UInt64(truncatingIfNeeded: index)) & 1 != 0
    }

    /// Stores the value of a field.
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
