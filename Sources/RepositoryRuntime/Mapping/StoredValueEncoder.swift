/// Converts records and ids to arrays of ``StoredValue``.
package enum StoredValueEncoder {
    /// The field values of a record, by field index.
    package static func values<M: RecordMapper>(of record: M.Record, _ mapper: M.Type) throws
        -> [StoredValue]
    {
        var fields = StoredFields(count: mapper.layout.fields.count)
        try mapper.collect(record, into: &fields)
        return fields.values
    }

    /// The components of an id, in order.
    package static func components<ID: EntityIdentifier>(of id: ID) throws -> [StoredValue] {
        var components = StoredFields(count: ID.componentCount)
        try id.encodeComponents(to: &components)
        return components.values
    }
}

extension StoredValue {
    /// Creates the stored representation of a value.
    ///
    /// - Throws: errors of an embedded value's mapper.
    public init<V: FieldValue>(encoding value: V) throws {
        var encoder = SingleValueEncoder()
        try value.encode(to: &encoder, at: 0)
        self = encoder.value
    }

    /// Creates the stored representation of an embedded record: an object with the fields that are
    /// not null.
    @usableFromInline
    init<M: RecordMapper>(encodingRecord record: M.Record, _ mapper: M.Type) throws {
        let values = try StoredValueEncoder.values(of: record, mapper)
        let pairs = zip(mapper.layout.fields, values).lazy.filter { $1 != .null }.map {
            ($0.name, $1)
        }
        self = .object(Dictionary(pairs, uniquingKeysWith: { $1 }))
    }
}

/// Converts one value to a ``StoredValue``, without the array that ``StoredFields`` allocates.
struct SingleValueEncoder: StoredValueCollector {
    /// The value encoded last.
    private(set) var value = StoredValue.null

    func collects(_ index: Int) -> Bool { true }

    mutating func set(_ value: StoredValue, at index: Int) { self.value = value }
}
