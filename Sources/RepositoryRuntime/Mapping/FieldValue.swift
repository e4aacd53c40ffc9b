public import Foundation

/// A value that a field of an entity can hold: base types, ids, enums, embedded values, scalars of the user's own,
/// and optionals, lists and maps of them.
public protocol FieldValue: Sendable {
    /// Writes itself as the field at `index`.
    func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws
    /// Reads the field at `index`.
    static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self
    /// What is stored for this value: dates rounded to microseconds, values inside it checked.
    ///
    /// - Parameter write: the write that it is part of, with the path of the field for errors.
    func prepared(for write: WriteContext) throws -> Self
}

extension FieldValue {
    /// Most values are stored as they are.
    @inlinable
    public func prepared(for write: WriteContext) throws -> Self { self }
}

extension Bool: FieldValue {
    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeBool(self, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Bool {
        try fields.decodeBool(at: index)
    }
}

extension String: FieldValue {
    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeString(self, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> String
    {
        try fields.decodeString(at: index)
    }
}

extension Float: FieldValue {
    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeFloat(self, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Float
    {
        try fields.decodeFloat(at: index)
    }
}

extension Double: FieldValue {
    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeDouble(self, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Double
    {
        try fields.decodeDouble(at: index)
    }
}

extension Decimal: FieldValue {
    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeDecimal(self, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws
        -> Decimal
    {
        try fields.decodeDecimal(at: index)
    }
}

extension Date: FieldValue {
    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeDate(self, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Date {
        try fields.decodeDate(at: index)
    }

    /// What is stored for the value.
    public func prepared(for write: WriteContext) throws -> Date { try write.rounded(self) }
}

extension UUID: FieldValue {
    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeUUID(self, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> UUID {
        try fields.decodeUUID(at: index)
    }
}

extension URL: FieldValue {
    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeURL(self, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> URL {
        try fields.decodeURL(at: index)
    }
}

extension Data: FieldValue {
    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeData(self, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Data {
        try fields.decodeData(at: index)
    }
}
