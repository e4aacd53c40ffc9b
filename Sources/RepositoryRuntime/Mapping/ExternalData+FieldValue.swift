extension ExternalData: FieldValue {
    /// Encodes the value as the field at `index`.
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeString(description, at: index)
    }

    /// Decodes the field at `index`. The value has no source; repositories add it.
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws
        -> ExternalData
    {
        guard let value = ExternalData(try fields.decodeString(at: index)) else {
            throw RecordDecodingError("is not of type ExternalData", isMismatch: true)
        }
        return value
    }
}
