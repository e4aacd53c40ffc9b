/// Takes records and ids apart into ``StoredValue``s.
package enum StoredValueEncoder {
    /// The fields of a record, by index.
    package static func values<M: RecordMapper>(of record: M.Record, _ mapper: M.Type) throws
        -> [StoredValue]
    {
        var fields = StoredFields(count: mapper.layout.fields.count)
        try mapper.take(record, into: &fields)
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
    /// What is stored for a value.
    ///
    /// - Throws: what an embedded value's mapper throws.
    public init<V: FieldValue>(encoding value: V) throws {
        var encoder = SingleValueEncoder()
        try value.encode(to: &encoder, at: 0)
        self = encoder.value
    }

    /// What is stored for a record inside another one: an object of the fields that are not null.
    @usableFromInline
    init<M: RecordMapper>(encodingRecord record: M.Record, _ mapper: M.Type) throws {
        let values = try StoredValueEncoder.values(of: record, mapper)
        let pairs = zip(mapper.layout.fields, values).lazy.filter { $1 != .null }.map {
            ($0.name, $1)
        }
        self = .object(Dictionary(pairs, uniquingKeysWith: { $1 }))
    }
}

/// Takes one value apart: what ``StoredFields`` does for a record, without a list to hold it.
struct SingleValueEncoder: StoredValueCollector {
    /// The value written last.
    private(set) var value = StoredValue.null

    func wants(_ index: Int) -> Bool { true }

    mutating func set(_ value: StoredValue, at index: Int) { self.value = value }
}
