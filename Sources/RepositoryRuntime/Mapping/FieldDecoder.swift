public import Foundation

/// Puts a record together, one field at a time: a statement's row, a JSON reader.
///
/// A generated mapper asks for each field once, in the order of its ``FieldLayout``; the stored form may hold them in
/// any order, may lack some, and may hold others. Reading never validates.
///
/// Implementers: what is malformed throws ``RecordDecodingError``.
public protocol FieldDecoder {
    /// Whether the stored form has this field at all, be it null.
    mutating func contains(at index: Int) throws -> Bool
    /// Whether the field is null or absent; if true, the field counts as read.
    mutating func decodeNil(at index: Int) throws -> Bool
    /// Reads a truth value.
    mutating func decodeBool(at index: Int) throws -> Bool
    /// Reads an integer.
    mutating func decodeInteger(at index: Int) throws -> Int64
    /// Reads a single-precision number.
    mutating func decodeFloat(at index: Int) throws -> Float
    /// Reads a double-precision number.
    mutating func decodeDouble(at index: Int) throws -> Double
    /// Reads an exact decimal.
    mutating func decodeDecimal(at index: Int) throws -> Decimal
    /// Reads a moment.
    mutating func decodeDate(at index: Int) throws -> Date
    /// Reads a UUID.
    mutating func decodeUUID(at index: Int) throws -> UUID
    /// Reads a URL.
    mutating func decodeURL(at index: Int) throws -> URL
    /// Reads text.
    mutating func decodeString(at index: Int) throws -> String
    /// Reads bytes.
    mutating func decodeData(at index: Int) throws -> Data
    /// Reads a reference to an entity with a composite id.
    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V
    /// Reads an embedded record.
    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V
    /// Reads a list.
    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V]
    /// Reads a map.
    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V]
}

extension FieldDecoder {
    /// Reads any value that a field can hold.
    @inlinable
    @inline(__always)
    public mutating func decode<V: FieldValue>(_ type: V.Type, at index: Int) throws -> V {
        try V.decode(from: &self, at: index)
    }

    /// Reads a value, or takes the constant default where the stored form lacks the field.
    ///
    /// A field that is there and null is not lacking: for a type that is not optional it is an error.
    @inlinable
    @inline(__always)
    public mutating func decode<V: FieldValue>(
        _ type: V.Type, at index: Int, default value: @autoclosure () throws -> V
    ) throws -> V {
        guard try contains(at: index) else { return try value() }
        return try V.decode(from: &self, at: index)
    }
}

/// What a decoder throws when a stored record cannot be read; stores wrap it in `invalidRecord` with the record's id.
public struct RecordDecodingError: Error, Sendable, CustomStringConvertible {
    /// The path of the field from the record down, such as `shelf.room`; empty for the whole record.
    public var path: String
    /// What is wrong, as a sentence without a final stop. Never holds a sensitive value.
    public var reason: String
    /// Whether the bytes are well-formed, and only of another shape than the record's.
    public var isMismatch: Bool

    /// Makes an error about the field at `path`.
    public init(path: String = "", _ reason: String, isMismatch: Bool = false) {
        self.path = path
        self.reason = reason
        self.isMismatch = isMismatch
    }

    /// The text that stands for it.
    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

extension RecordDecodingError {
    /// An error from inside of a field, with the field's name before its path.
    ///
    /// For implementers of ``FieldDecoder``. What a sensitive field holds, and where below it, is left out.
    public static func inside(_ field: FieldDescription, _ error: any Error) -> RecordDecodingError
    {
        guard field.isSensitive else { return inside(field.name, error) }
        let isMismatch = (error as? RecordDecodingError)?.isMismatch ?? true
        return RecordDecodingError(
            path: field.name, "does not hold a value of its type", isMismatch: isMismatch)
    }

    /// An error from inside of an element of a list or a map, with its position or key before its path.
    static func inside(_ name: String, _ error: any Error) -> RecordDecodingError {
        var error = converted(error)
        error.path = error.path.isEmpty ? name : "\(name).\(error.path)"
        return error
    }

    /// An error of any type, such as one thrown by a type of the user's own, as one of this type.
    static func converted(_ error: any Error) -> RecordDecodingError {
        error as? RecordDecodingError
            ?? RecordDecodingError("is refused by its type: \(error)", isMismatch: true)
    }
}
