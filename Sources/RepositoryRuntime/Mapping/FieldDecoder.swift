public import Foundation

/// A source from which a record is decoded field by field, such as the row of a statement or a JSON
/// reader.
///
/// A generated mapper requests each field once, in the order of its ``FieldLayout``. The stored
/// record may have the fields in another order, lack some, or have additional ones. Decoding does
/// not validate the values.
///
/// Implementers: throw ``RecordDecodingError`` for malformed input.
public protocol FieldDecoder {
    /// Returns whether the stored record has the field, even if it is null.
    mutating func contains(at index: Int) throws -> Bool
    /// Returns whether the field is null or missing. If it is, the field counts as decoded.
    mutating func decodeNil(at index: Int) throws -> Bool
    /// Decodes a Boolean.
    mutating func decodeBool(at index: Int) throws -> Bool
    /// Decodes an integer.
    mutating func decodeInteger(at index: Int) throws -> Int64
    /// Decodes a single-precision number.
    mutating func decodeFloat(at index: Int) throws -> Float
    /// Decodes a double-precision number.
    mutating func decodeDouble(at index: Int) throws -> Double
    /// Decodes an exact decimal.
    mutating func decodeDecimal(at index: Int) throws -> Decimal
    /// Decodes a date.
    mutating func decodeDate(at index: Int) throws -> Date
    /// Decodes a UUID.
    mutating func decodeUUID(at index: Int) throws -> UUID
    /// Decodes a URL.
    mutating func decodeURL(at index: Int) throws -> URL
    /// Decodes a string.
    mutating func decodeString(at index: Int) throws -> String
    /// Decodes bytes.
    mutating func decodeData(at index: Int) throws -> Data
    /// Decodes a reference to an entity with a composite id.
    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V
    /// Decodes an embedded record.
    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V
    /// Decodes a list.
    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V]
    /// Decodes a map.
    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V]
}

extension FieldDecoder {
    /// Decodes a value of any field type.
    @inlinable
    @inline(__always)
    public mutating func decode<V: FieldValue>(_ type: V.Type, at index: Int) throws -> V {
        try V.decode(from: &self, at: index)
    }

    /// Decodes a value, or returns the constant default if the stored record lacks the field.
    ///
    /// A null field is not missing. It is an error if the type is not optional.
    @inlinable
    @inline(__always)
    public mutating func decode<V: FieldValue>(
        _ type: V.Type, at index: Int, default value: @autoclosure () throws -> V
    ) throws -> V {
        guard try contains(at: index) else { return try value() }
        return try V.decode(from: &self, at: index)
    }
}

/// The error that a decoder throws if a stored record cannot be decoded. Stores wrap it in
/// `invalidRecord` with the record's id.
public struct RecordDecodingError: Error, Sendable, CustomStringConvertible {
    /// The path of the field within the record, such as `shelf.room`; empty for the whole record.
    public var path: String
    /// The problem, as a sentence without a final period. It never contains a sensitive value.
    public var reason: String
    /// Whether the input is well-formed, but does not match the record's type.
    public var isMismatch: Bool

    /// Creates an error for the field at `path`.
    public init(path: String = "", _ reason: String, isMismatch: Bool = false) {
        self.path = path
        self.reason = reason
        self.isMismatch = isMismatch
    }

    /// The path and the reason.
    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

extension RecordDecodingError {
    /// Converts an error in a field's value and prepends the field's name to its path.
    ///
    /// Implementers of ``FieldDecoder`` call it. For a sensitive field, the reason and the rest of
    /// the path are dropped.
    public static func inside(_ field: FieldDescription, _ error: any Error) -> RecordDecodingError
    {
        guard field.isSensitive else { return inside(field.name, error) }
        let isMismatch = (error as? RecordDecodingError)?.isMismatch ?? true
        return RecordDecodingError(
            path: field.name, "is not a value of its type", isMismatch: isMismatch)
    }

    /// Converts an error in an element of a list or map and prepends its position or key to its
    /// path.
    static func inside(_ name: String, _ error: any Error) -> RecordDecodingError {
        var error = converted(error)
        error.path = error.path.isEmpty ? name : "\(name).\(error.path)"
        return error
    }

    /// Converts an error of any type, such as one thrown by a user-defined scalar.
    static func converted(_ error: any Error) -> RecordDecodingError {
        error as? RecordDecodingError
            ?? RecordDecodingError("is rejected by its type: \(error)", isMismatch: true)
    }
}
