internal import Foundation
internal import RepositoryRuntime

/// Decodes a record from the values that `StoredValueEncoder` produces.
struct StoredValueDecoder: FieldDecoder {
    private let values: [StoredValue]
    private let layout: FieldLayout?

    /// Creates a decoder of a record's fields.
    init(_ values: [StoredValue], layout: FieldLayout? = nil) {
        self.values = values
        self.layout = layout
    }

    /// Decodes a record from an object.
    private static func record<M: RecordMapper>(
        _ object: [String: StoredValue], _ mapper: M.Type
    ) throws -> M.Record {
        var fields = StoredValueDecoder(
            mapper.layout.fields.map { object[$0.name] ?? .null }, layout: mapper.layout)
        return try mapper.decode(from: &fields)
    }

    private static func element<V: FieldValue>(_ value: StoredValue, _ type: V.Type) throws -> V {
        var fields = StoredValueDecoder([value])
        return try V.decode(from: &fields, at: 0)
    }

    private func mismatch(_ index: Int, _ type: String) -> RecordDecodingError {
        RecordDecodingError(path: layout?.fields[index].name ?? "", "is not of type \(type)")
    }

    mutating func contains(at index: Int) throws -> Bool { true }

    mutating func decodeNil(at index: Int) throws -> Bool { values[index] == .null }

    mutating func decodeBool(at index: Int) throws -> Bool {
        guard case .bool(let value) = values[index] else { throw mismatch(index, "Boolean") }
        return value
    }

    mutating func decodeInteger(at index: Int) throws -> Int64 {
        guard case .integer(let value) = values[index] else { throw mismatch(index, "integer") }
        return value
    }

    mutating func decodeFloat(at index: Int) throws -> Float {
        Float(try decodeDouble(at: index))
    }

    mutating func decodeDouble(at index: Int) throws -> Double {
        guard case .double(let value) = values[index] else { throw mismatch(index, "number") }
        return value
    }

    mutating func decodeDecimal(at index: Int) throws -> Decimal {
        guard case .decimal(let value) = values[index] else { throw mismatch(index, "decimal") }
        return value
    }

    mutating func decodeDate(at index: Int) throws -> Date {
        guard case .date(let value) = values[index] else { throw mismatch(index, "date") }
        return value
    }

    mutating func decodeUUID(at index: Int) throws -> UUID {
        guard case .uuid(let value) = values[index] else { throw mismatch(index, "UUID") }
        return value
    }

    mutating func decodeURL(at index: Int) throws -> URL {
        guard let url = URL(string: try decodeString(at: index)) else {
            throw mismatch(index, "URL")
        }
        return url
    }

    mutating func decodeString(at index: Int) throws -> String {
        guard case .text(let value) = values[index] else { throw mismatch(index, "string") }
        return value
    }

    mutating func decodeData(at index: Int) throws -> Data {
        guard case .data(let value) = values[index] else { throw mismatch(index, "data") }
        return value
    }

    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        guard case .object(let object) = values[index] else { throw mismatch(index, "object") }
        return try Self.record(object, V.Mapper.self)
    }

    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        guard case .object(let object) = values[index] else { throw mismatch(index, "object") }
        return try Self.record(object, V.Mapper.self)
    }

    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        guard case .list(let elements) = values[index] else { throw mismatch(index, "list") }
        return try elements.map { try Self.element($0, type) }
    }

    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        guard case .object(let elements) = values[index] else { throw mismatch(index, "map") }
        return try elements.mapValues { try Self.element($0, type) }
    }
}
