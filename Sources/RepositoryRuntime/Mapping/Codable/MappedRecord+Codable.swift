/// `Codable` through the mapper, so that a mapped record reads and writes with any coder.
extension MappedRecord {
    /// Reads it with any coder.
    public init(from decoder: any Decoder) throws {
        var fields = try CodableFieldDecoder(decoder, layout: Mapper.layout)
        self = try Mapper.decode(from: &fields)
    }

    /// Writes it with any coder.
    public func encode(to encoder: any Encoder) throws {
        var fields = CodableFieldEncoder(encoder, layout: Mapper.layout)
        try Mapper.encode(self, to: &fields)
    }
}

/// The key of a field in a coder's container.
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
