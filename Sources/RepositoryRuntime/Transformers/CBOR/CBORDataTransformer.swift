public import Foundation

/// CBOR (RFC 8949): a compact binary format with its own representations of dates, decimals, UUIDs,
/// URLs and data.
///
/// The output is deterministic: definite lengths, the shortest representation of every number, and
/// sorted map keys, so that equal items have equal bytes. A date has tag 1 (seconds since 1970), or
/// tag 0 or 1001 if a `Double` cannot represent its microseconds. A decimal has tag 4, a UUID tag
/// 37, a URL tag 32; data is a byte string. Decoding accepts any well-formed CBOR, including
/// indefinite lengths, with up to 512 nested containers.
///
/// Errors: `invalidItem` for values that CBOR cannot represent, `invalidRecord` for bytes that are
/// not CBOR, `itemTypeMismatch` for CBOR that does not match the requested type.
public struct CBORDataTransformer: DataTransformer {
    /// The file name extension of this format.
    public var formatExtension: String { "cbor" }
    /// The format as `Codable` values use it.
    private static let format = TreeFormat<CBORWriter, CBORReader>(natives: .all)

    /// Creates the transformer. It has no options.
    public init() {}

    /// Encodes an item.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `invalidItem`.
    public func encode<T: Encodable>(_ object: T) throws -> Data {
        try Self.format.document(of: object, by: self)
    }

    /// Decodes an item.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `invalidRecord` or `itemTypeMismatch`.
    public func decode<T: Decodable>(data: Data) throws -> T {
        try Self.format.item(of: data, by: self)
    }
}

extension CBORDataTransformer: RecordTransformer {
    /// Encodes a record with its mapper, without `Codable`.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `invalidItem`.
    public func encodeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws -> Data {
        try CBORFieldEncoder.document(of: record, mapper)
    }

    /// Decodes a record with its mapper, without `Codable`.
    ///
    /// - Throws: ``RecordDecodingError`` with the path of the value that could not be decoded.
    public func decodeRecord<M: RecordMapper>(_ data: Data, _ mapper: M.Type) throws -> M.Record {
        try data.withUnsafeBytes { try decodeRecord($0, mapper) }
    }

    /// Decodes a record in place with its mapper. The bytes are not copied.
    ///
    /// - Throws: ``RecordDecodingError`` with the path of the value that could not be decoded.
    public func decodeRecord<M: RecordMapper>(
        _ bytes: UnsafeRawBufferPointer, _ mapper: M.Type
    ) throws -> M.Record {
        try CBORFieldDecoder.decode(bytes) { try $0.readRecord(mapper) }
    }
}
