public import Foundation

/// A binary property list, as Foundation's `PropertyListEncoder` writes and `PropertyListDecoder` reads it.
///
/// A text or a number may stand at the top. The keys of maps are sorted, so that equal items have equal bytes.
///
/// Errors: `invalidItem` for what a property list cannot hold, `invalidRecord` for bytes that are no property list,
/// `itemTypeMismatch` for a property list of another shape than the type asked for.
public struct BinaryPropertyListDataTransformer: DataTransformer {
    /// The ending of files in this format.
    public var formatExtension: String { "plist" }
    private static let format =
        TreeFormat<BinaryPropertyListWriter, BinaryPropertyListReader>(natives: [.date, .data])

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

extension BinaryPropertyListDataTransformer: RecordTransformer {
    /// The bytes of a record, written through its mapper.
    public func encodeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws -> Data {
        try BinaryPropertyListFieldEncoder.document(of: record, mapper)
    }

    /// The record of its bytes, read through its mapper.
    public func decodeRecord<M: RecordMapper>(_ data: Data, _ mapper: M.Type) throws -> M.Record {
        try data.withUnsafeBytes { try decodeRecord($0, mapper) }
    }

    /// The record of its bytes where they lie, read through its mapper.
    public func decodeRecord<M: RecordMapper>(
        _ bytes: UnsafeRawBufferPointer, _ mapper: M.Type
    ) throws -> M.Record {
        try BinaryPropertyListFieldDecoder.decode(bytes) { try $0.readRecord(mapper) }
    }
}
