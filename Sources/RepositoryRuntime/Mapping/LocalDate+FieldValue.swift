extension LocalDate: OrderedFieldValue {
    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeString(description, at: index)
    }

    /// Decodes the field at `index`.
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws
        -> LocalDate
    {
        guard let day = LocalDate(try fields.decodeString(at: index)) else {
            throw RecordDecodingError("is not of type LocalDate", isMismatch: true)
        }
        return day
    }
}

extension LocalDate: IdentifierValue {
    /// The text form.
    public var identifierString: String { description }

    /// Parses the text form; nil if it is invalid.
    public init?(identifierString: String) { self.init(identifierString) }

    /// Whether `left` is an earlier day than `right`.
    public static func identifierPrecedes(_ left: LocalDate, _ right: LocalDate) -> Bool {
        left < right
    }
}
