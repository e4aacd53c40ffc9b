public import Foundation

/// A serialization format: it encodes items as bytes and decodes them. Stores that hold bytes are
/// configured with one.
public protocol DataTransformer: Sendable {
    /// The file name extension of this format, without a dot: `json`, `xml`.
    var formatExtension: String { get }
    /// The capabilities that a store lacks because of this format, such as
    /// ``StoreCapability/fractionalSeconds``.
    var lacking: Set<StoreCapability> { get }
    /// Encodes an item.
    func encode<T: Encodable>(_ object: T) async throws -> Data
    /// Decodes an item.
    func decode<T: Decodable>(data: Data) async throws -> T
}

extension DataTransformer {
    /// The default file name extension, `data`.
    public var formatExtension: String { "data" }
    /// The default is empty: the format can represent all values.
    public var lacking: Set<StoreCapability> { [] }
}

/// A transformer that can also encode and decode a mapped record with its mapper, without
/// `Codable`.
///
/// Both ways are compatible: each can decode what the other has encoded.
public protocol RecordTransformer: DataTransformer {
    /// Encodes a record.
    func encodeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws -> Data
    /// Decodes a record. Throws ``RecordDecodingError``.
    func decodeRecord<M: RecordMapper>(_ data: Data, _ mapper: M.Type) throws -> M.Record
    /// Decodes a record in place, and retains no reference to the bytes. Throws
    /// ``RecordDecodingError``.
    ///
    /// The default implementation copies the bytes into a `Data`.
    func decodeRecord<M: RecordMapper>(
        _ bytes: UnsafeRawBufferPointer, _ mapper: M.Type
    ) throws -> M.Record
}

extension RecordTransformer {
    /// Decodes a record from a copy of the bytes.
    public func decodeRecord<M: RecordMapper>(
        _ bytes: UnsafeRawBufferPointer, _ mapper: M.Type
    ) throws -> M.Record {
        try decodeRecord(Data(bytes), mapper)
    }
}
