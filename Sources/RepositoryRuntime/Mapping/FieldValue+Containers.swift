extension Optional: FieldValue where Wrapped: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        switch self {
        case .some(let value): try value.encode(to: &fields, at: index)
        case .none: try fields.encodeNil(at: index)
        }
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws
        -> Wrapped?
    {
        try fields.decodeNil(at: index) ? nil : try Wrapped.decode(from: &fields, at: index)
    }

    /// Returns the value to store.
    @inlinable
    public func prepared(for write: WriteContext) throws -> Wrapped? {
        try map { try $0.prepared(for: write) }
    }
}

extension Array: FieldValue where Element: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeList(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws
        -> [Element]
    {
        try fields.decodeList(Element.self, at: index)
    }

    /// Returns the value to store.
    @inlinable
    public func prepared(for write: WriteContext) throws -> [Element] {
        try map { try $0.prepared(for: write) }
    }
}

extension Dictionary: FieldValue where Key == String, Value: FieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeMap(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws
        -> [String: Value]
    {
        try fields.decodeMap(Value.self, at: index)
    }

    /// Returns the value to store.
    @inlinable
    public func prepared(for write: WriteContext) throws -> [String: Value] {
        try mapValues { try $0.prepared(for: write) }
    }
}
