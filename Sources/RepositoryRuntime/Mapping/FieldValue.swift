public import Foundation

/// A value that a field of an entity can hold: a base type, an id, an enum, an embedded value, a
/// user-defined scalar, or an optional, list or map of them.
public protocol FieldValue: Sendable {
    /// Encodes the value as the field at `index`.
    func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws
    /// Decodes the field at `index`.
    static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self
    /// Returns the value to store: with dates rounded to microseconds and nested values validated.
    ///
    /// - Parameter write: the write that stores the value, with the path of the field for error
    ///   messages.
    func prepared(for write: WriteContext) throws -> Self
}

extension FieldValue {
    /// Returns the value unchanged.
    @inlinable
    public func prepared(for write: WriteContext) throws -> Self { self }
}

extension Bool: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeBool(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Bool {
        try fields.decodeBool(at: index)
    }
}

extension String: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeString(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> String
    {
        try fields.decodeString(at: index)
    }
}

extension Float: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeFloat(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Float
    {
        try fields.decodeFloat(at: index)
    }
}

extension Double: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeDouble(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Double
    {
        try fields.decodeDouble(at: index)
    }
}

extension Decimal: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeDecimal(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws
        -> Decimal
    {
        try fields.decodeDecimal(at: index)
    }
}

extension Date: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeDate(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Date {
        try fields.decodeDate(at: index)
    }

    /// Returns the value to store.
    public func prepared(for write: WriteContext) throws -> Date { try write.rounded(self) }
}

extension UUID: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeUUID(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> UUID {
        try fields.decodeUUID(at: index)
    }
}

extension URL: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeURL(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> URL {
        try fields.decodeURL(at: index)
    }
}

extension Data: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeData(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Data {
        try fields.decodeData(at: index)
    }
}
