public import Foundation

/// A binary property list in the conventions of Foundation's `PropertyListEncoder` and
/// `PropertyListDecoder`.
///
/// The top-level value may be a string or a number. Map keys are sorted, so that equal items have
/// equal bytes.
///
/// Errors: `invalidItem` for values that a property list cannot represent, `invalidRecord` for
/// bytes that are not a property list, `itemTypeMismatch` for a property list that does not match
/// the requested type.
public struct BinaryPropertyListDataTransformer: DataTransformer {
    /// The file name extension of this format.
    public var formatExtension: String { "plist" }
    /// The format as `Codable` values use it. Other types are encoded as Foundation's `Codable`
    /// conformances do.
    private static let format =
        TreeFormat<BinaryPropertyListWriter, BinaryPropertyListReader>(natives: [.date, .data])

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

extension BinaryPropertyListDataTransformer: RecordTransformer {
    /// Encodes a record with its mapper, without `Codable`.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `invalidItem`.
    public func encodeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws -> Data {
        try BinaryPropertyListFieldEncoder.document(of: record, mapper)
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
        try BinaryPropertyListFieldDecoder.decode(bytes) { try $0.readRecord(mapper) }
    }
}
