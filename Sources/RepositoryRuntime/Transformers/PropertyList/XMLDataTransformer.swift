public import Foundation

/// An XML property list in the conventions of Foundation's `PropertyListEncoder` and
/// `PropertyListDecoder`.
///
/// Dates are rounded to whole seconds. A carriage return is written as `&#13;`. The top-level value
/// may be a string or a number. Map keys are sorted, so that equal items have equal bytes.
///
/// Errors: `unsupported` for characters that XML 1.0 does not allow (control characters, U+FFFE,
/// U+FFFF) and for dates before the year 1, `invalidItem` for other values that a property list
/// cannot represent, `invalidRecord` for bytes that are not a property list, `itemTypeMismatch` for
/// a property list that does not match the requested type.
public struct XMLDataTransformer: DataTransformer {
    /// The file name extension of this format.
    public var formatExtension: String { "xml" }
    /// The capabilities that XML lacks: fractional seconds and control characters.
    public var lacking: Set<StoreCapability> { [.fractionalSeconds, .controlCharacters] }
    /// The format as `Codable` values use it. Other types are encoded as Foundation's `Codable`
    /// conformances do.
    private static let format =
        TreeFormat<XMLPropertyListWriter, XMLPropertyListReader>(natives: [.date, .data])

    /// Creates the transformer. It has no options.
    public init() {}

    /// Encodes an item.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `invalidItem` or `unsupported`.
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

extension XMLDataTransformer: RecordTransformer {
    /// Encodes a record with its mapper, without `Codable`.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `invalidItem` or `unsupported`.
    public func encodeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws -> Data {
        try XMLFieldEncoder.document(of: record, mapper)
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
        try XMLFieldDecoder.decode(bytes) { try $0.readRecord(mapper) }
    }
}
