package import Foundation

/// Decodes fields from the values that ``StoredValueEncoder`` produces.
package struct StoredValueDecoder: FieldDecoder {
    private let values: [StoredValue]
    private let layout: FieldLayout?

    package init(_ values: [StoredValue], layout: FieldLayout? = nil) {
        self.values = values
        self.layout = layout
    }

    /// Decodes a single value.
    static func value<V: FieldValue>(_ type: V.Type, _ stored: StoredValue) throws -> V {
        var fields = StoredValueDecoder([stored])
        return try V.decode(from: &fields, at: 0)
    }

    /// Decodes a record from an object.
    private static func record<M: RecordMapper>(
        _ object: [String: StoredValue], _ mapper: M.Type
    ) throws -> M.Record {
        let values = mapper.layout.fields.map { object[$0.name] ?? .null }
        var fields = StoredValueDecoder(values, layout: mapper.layout)
        return try mapper.decode(from: &fields)
    }

    private func failure(_ index: Int, _ kind: String) -> RecordDecodingError {
        RecordDecodingError(
            path: layout?.fields[index].name ?? "", "is not of type \(kind)", isMismatch: true)
    }

    private func object(at index: Int) throws -> [String: StoredValue] {
        guard case .object(let value) = values[index] else { throw failure(index, "object") }
        return value
    }

    package mutating func contains(at index: Int) throws -> Bool { true }
    package mutating func decodeNil(at index: Int) throws -> Bool { values[index] == .null }

    package mutating func decodeBool(at index: Int) throws -> Bool {
        guard case .bool(let value) = values[index] else { throw failure(index, "Boolean") }
        return value
    }

    package mutating func decodeInteger(at index: Int) throws -> Int64 {
        guard case .integer(let value) = values[index] else { throw failure(index, "integer") }
        return value
    }

    package mutating func decodeFloat(at index: Int) throws -> Float {
        Float(try decodeDouble(at: index))
    }

    package mutating func decodeDouble(at index: Int) throws -> Double {
        guard case .double(let value) = values[index] else { throw failure(index, "number") }
        return value
    }

    package mutating func decodeDecimal(at index: Int) throws -> Decimal {
        guard case .decimal(let value) = values[index] else { throw failure(index, "decimal") }
        return value
    }

    package mutating func decodeDate(at index: Int) throws -> Date {
        guard case .date(let value) = values[index] else { throw failure(index, "date") }
        return value
    }

    package mutating func decodeUUID(at index: Int) throws -> UUID {
        guard case .uuid(let value) = values[index] else { throw failure(index, "UUID") }
        return value
    }

    package mutating func decodeURL(at index: Int) throws -> URL {
        guard let url = URL(string: try decodeString(at: index)) else {
            throw failure(index, "URL")
        }
        return url
    }

    package mutating func decodeString(at index: Int) throws -> String {
        guard case .text(let value) = values[index] else { throw failure(index, "string") }
        return value
    }

    package mutating func decodeData(at index: Int) throws -> Data {
        guard case .data(let value) = values[index] else { throw failure(index, "data") }
        return value
    }

    package mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int)
        throws -> V
    {
        try Self.record(object(at: index), V.Mapper.self)
    }

    package mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V
    {
        try Self.record(object(at: index), V.Mapper.self)
    }

    package mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        guard case .list(let elements) = values[index] else { throw failure(index, "list") }
        return try elements.map { try Self.value(type, $0) }
    }

    package mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String:
        V]
    {
        try object(at: index).mapValues { try Self.value(type, $0) }
    }
}
