public import Foundation

/// Turns items into bytes and back: the format of a store that keeps bytes.
public protocol DataTransformer: Sendable {
    /// The ending of files in this format, without a dot: `json`, `xml`.
    var formatExtension: String { get }
    /// What a store of records in this format lacks because the format does, such as ``StoreCapability/fractionalSeconds``.
    var lacking: Set<StoreCapability> { get }
    /// The bytes of an item.
    func encode<T: Encodable>(_ object: T) async throws -> Data
    /// The item of its bytes.
    func decode<T: Decodable>(data: Data) async throws -> T
}

extension DataTransformer {
    /// The ending of a transformer that does not say its own.
    public var formatExtension: String { "data" }
    /// A format holds everything unless its transformer says otherwise.
    public var lacking: Set<StoreCapability> { [] }
}

/// A transformer that also writes and reads a mapped record through its mapper, without `Codable`.
///
/// The bytes mean the same both ways: what one writes the other reads.
public protocol RecordTransformer: DataTransformer {
    /// The bytes of a record.
    func encodeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws -> Data
    /// The record of its bytes; throws ``RecordDecodingError``.
    func decodeRecord<M: RecordMapper>(_ data: Data, _ mapper: M.Type) throws -> M.Record
    /// The record of its bytes where they lie, of which nothing is kept; throws ``RecordDecodingError``.
    ///
    /// Unless a transformer does it better, it is given a copy of them as data.
    func decodeRecord<M: RecordMapper>(
        _ bytes: UnsafeRawBufferPointer, _ mapper: M.Type
    ) throws -> M.Record
}

extension RecordTransformer {
    /// The record of a copy of its bytes.
    public func decodeRecord<M: RecordMapper>(
        _ bytes: UnsafeRawBufferPointer, _ mapper: M.Type
    ) throws -> M.Record {
        try decodeRecord(Data(bytes), mapper)
    }
}
