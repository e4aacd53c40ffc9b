extension FixedWidthInteger where Self: FieldValue {
    /// Encodes the value as a 64-bit integer. The schema language has no wider type.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeInteger(Int64(self), at: index)
    }

    /// Decodes an integer. Throws if it does not fit into the type.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        let stored = try fields.decodeInteger(at: index)
        guard let value = Self(exactly: stored) else {
            throw RecordDecodingError("\(stored) does not fit into \(Self.self)")
        }
        return value
    }
}

extension Int: FieldValue {}
extension Int8: FieldValue {}
extension Int16: FieldValue {}
extension Int32: FieldValue {}
extension Int64: FieldValue {}
extension UInt8: FieldValue {}
extension UInt16: FieldValue {}
extension UInt32: FieldValue {}
