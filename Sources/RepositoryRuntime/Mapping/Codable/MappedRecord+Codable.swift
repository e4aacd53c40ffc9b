/// `Codable` by means of the mapper.
extension MappedRecord {
    /// Decodes the record from any decoder.
    public init(from decoder: any Decoder) throws {
        var fields = try CodableFieldDecoder(decoder, layout: Mapper.layout)
        self = try Mapper.decode(from: &fields)
    }

    /// Encodes the record to any encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = CodableFieldEncoder(encoder, layout: Mapper.layout)
        try Mapper.encode(self, to: &fields)
    }
}

/// The key of a field in a keyed container.
struct FieldKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
