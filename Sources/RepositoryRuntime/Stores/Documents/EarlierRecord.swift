internal import Foundation
internal import StoredSchema

/// The description of how to read the documents of a table that an earlier schema wrote.
///
/// While such documents are rewritten, they are decoded by the mapper of the current schema, with
/// the field names and defaults of the schemas that wrote them.
///
/// Mappers and layouts are static members of types. The current reading is therefore a task-local
/// value.
final class EarlierReading: Sendable {
    /// The reading that applies to the current task; nil outside of
    /// ``RecordCoder/decodeWaiting(_:_:id:as:)``.
    @TaskLocal static var current: EarlierReading?

    /// The layout of the mapper, with the field names used in the documents.
    let layout: FieldLayout
    /// The value of each field that may be missing in a document, by field index; null if the field
    /// has no default.
    let values: [Int: StoredValue]

    /// Creates the reading for the earlier forms of the fields of a layout.
    ///
    /// - Parameters:
    ///   - fields: The names and defaults of each field in the schemas that wrote the documents.
    ///   - layout: The layout of the current mapper.
    init(_ fields: EarlierFields, _ layout: FieldLayout) {
        var values: [Int: StoredValue] = [:]
        var descriptions: [FieldDescription] = []
        for (index, field) in layout.fields.enumerated() {
            let earlier = fields.fields[index]
            if earlier.mayLack { values[index] = earlier.value.map(StoredValue.init) ?? .null }
            // No document contains a new field. No property can have a name that contains spaces.
            let name = earlier.names.first ?? "the new field \(index)"
            descriptions.append(
                FieldDescription(
                    name, field.type, optional: field.isOptional || earlier.mayLack,
                    default: field.defaultValue, renamedFrom: Array(earlier.names.dropFirst()),
                    sensitive: field.isSensitive))
        }
        self.layout = FieldLayout(layout.name, descriptions)
        self.values = values
    }
}

/// An entity that is decoded according to the current ``EarlierReading``.
struct EarlierRecord<E: Entity>: MappedRecord {
    typealias Mapper = EarlierMapper<E>
    let entity: E
}

/// The mapper of an entity with the layout and the defaults of the current ``EarlierReading``.
enum EarlierMapper<E: Entity>: RecordMapper {
    /// The layout of the current reading; outside of a reading, the layout of the entity's own
    /// mapper.
    static var layout: FieldLayout { EarlierReading.current?.layout ?? E.Mapper.layout }

    static func encode<Encoder: FieldEncoder>(
        _ record: EarlierRecord<E>, to fields: inout Encoder
    ) throws {
        try E.Mapper.encode(record.entity, to: &fields)
    }

    /// Decodes the entity with its own mapper, through an ``EarlierFieldDecoder``.
    static func decode<Decoder: FieldDecoder>(
        from fields: inout Decoder
    ) throws -> EarlierRecord<E> {
        var earlier = EarlierFieldDecoder(
            base: fields, values: EarlierReading.current?.values ?? [:])
        defer { fields = earlier.base }
        return EarlierRecord(entity: try E.Mapper.decode(from: &earlier))
    }
}

/// A decoder that supplies the default of an earlier schema for each missing field.
///
/// All other fields are decoded by the base decoder.
private struct EarlierFieldDecoder<Base: FieldDecoder>: FieldDecoder {
    /// The decoder of the document.
    var base: Base
    /// The values of fields that may be missing, by field index.
    let values: [Int: StoredValue]

    /// Returns a decoder for the value of a missing field; nil if the document contains the field
    /// or no value is known.
    private mutating func missing(_ index: Int) throws -> StoredValueDecoder? {
        guard let value = values[index], try !base.contains(at: index) else { return nil }
        return StoredValueDecoder([value])
    }

    /// Decodes a field from its value if the field is missing, otherwise from the document.
    private mutating func value<V>(
        at index: Int, _ missing: (inout StoredValueDecoder) throws -> V,
        _ stored: (inout Base) throws -> V
    ) throws -> V {
        if var decoder = try self.missing(index) { return try missing(&decoder) }
        return try stored(&base)
    }

    /// Returns true also for a missing field whose value is known.
    mutating func contains(at index: Int) throws -> Bool {
        if try base.contains(at: index) { return true }
        return values[index] != nil
    }

    mutating func decodeNil(at index: Int) throws -> Bool {
        try value(at: index, { try $0.decodeNil(at: 0) }, { try $0.decodeNil(at: index) })
    }

    mutating func decodeBool(at index: Int) throws -> Bool {
        try value(at: index, { try $0.decodeBool(at: 0) }, { try $0.decodeBool(at: index) })
    }

    mutating func decodeInteger(at index: Int) throws -> Int64 {
        try value(at: index, { try $0.decodeInteger(at: 0) }, { try $0.decodeInteger(at: index) })
    }

    mutating func decodeFloat(at index: Int) throws -> Float {
        try value(at: index, { try $0.decodeFloat(at: 0) }, { try $0.decodeFloat(at: index) })
    }

    mutating func decodeDouble(at index: Int) throws -> Double {
        try value(at: index, { try $0.decodeDouble(at: 0) }, { try $0.decodeDouble(at: index) })
    }

    mutating func decodeDecimal(at index: Int) throws -> Decimal {
        try value(at: index, { try $0.decodeDecimal(at: 0) }, { try $0.decodeDecimal(at: index) })
    }

    mutating func decodeDate(at index: Int) throws -> Date {
        try value(at: index, { try $0.decodeDate(at: 0) }, { try $0.decodeDate(at: index) })
    }

    mutating func decodeUUID(at index: Int) throws -> UUID {
        try value(at: index, { try $0.decodeUUID(at: 0) }, { try $0.decodeUUID(at: index) })
    }

    mutating func decodeURL(at index: Int) throws -> URL {
        try value(at: index, { try $0.decodeURL(at: 0) }, { try $0.decodeURL(at: index) })
    }

    mutating func decodeString(at index: Int) throws -> String {
        try value(at: index, { try $0.decodeString(at: 0) }, { try $0.decodeString(at: index) })
    }

    mutating func decodeData(at index: Int) throws -> Data {
        try value(at: index, { try $0.decodeData(at: 0) }, { try $0.decodeData(at: index) })
    }

    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        try value(
            at: index, { try $0.decodeComposite(type, at: 0) },
            { try $0.decodeComposite(type, at: index) })
    }

    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        try value(
            at: index, { try $0.decodeObject(type, at: 0) },
            { try $0.decodeObject(type, at: index) })
    }

    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        try value(
            at: index, { try $0.decodeList(type, at: 0) }, { try $0.decodeList(type, at: index) })
    }

    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        try value(
            at: index, { try $0.decodeMap(type, at: 0) }, { try $0.decodeMap(type, at: index) })
    }
}
