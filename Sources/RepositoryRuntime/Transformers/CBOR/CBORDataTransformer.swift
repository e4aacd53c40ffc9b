public import Foundation

/// CBOR (RFC 8949): compact binary, with forms of its own for dates, decimals, UUIDs, URLs and data.
///
/// Written with definite lengths, the shortest form of every number, and the keys of maps sorted, so that equal items
/// have equal bytes. A date is tag 1 (seconds since 1970), or tag 0 or 1001 where a double does not hold its
/// microseconds; a decimal tag 4, a UUID tag 37, a URL tag 32, data a byte string. Any well-formed CBOR is read,
/// indefinite lengths included, up to 512 containers inside one another.
///
/// Errors: `invalidItem` for what CBOR cannot hold, `invalidRecord` for bytes that are no CBOR, `itemTypeMismatch` for
/// CBOR of another shape than the type asked for.
public struct CBORDataTransformer: DataTransformer {
    /// The ending of files in this format.
    public var formatExtension: String { "cbor" }
    private static let format = TreeFormat<CBORWriter, CBORReader>(natives: .all)

    /// Makes the transformer; it has no settings.
    public init() {}

    /// The bytes of an item.
    public func encode<T: Encodable>(_ object: T) throws -> Data {
        try Self.format.document(of: object, by: self)
    }

    /// The item of its bytes.
    public func decode<T: Decodable>(data: Data) throws -> T {
        try Self.format.item(of: data, by: self)
    }
}

extension CBORDataTransformer: RecordTransformer {
    /// The bytes of a record, written through its mapper.
    public func encodeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws -> Data {
        try CBORFieldEncoder.document(of: record, mapper)
    }

    /// The record of its bytes, read through its mapper.
    public func decodeRecord<M: RecordMapper>(_ data: Data, _ mapper: M.Type) throws -> M.Record {
        try data.withUnsafeBytes { try decodeRecord($0, mapper) }
    }

    /// The record of its bytes where they lie, read through its mapper.
    public func decodeRecord<M: RecordMapper>(
        _ bytes: UnsafeRawBufferPointer, _ mapper: M.Type
    ) throws -> M.Record {
        try CBORFieldDecoder.decode(bytes) { try $0.readRecord(mapper) }
    }
}
