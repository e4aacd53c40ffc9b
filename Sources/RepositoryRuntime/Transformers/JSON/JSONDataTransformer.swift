public import Foundation

/// JSON (RFC 8259), as Foundation's `JSONEncoder` writes and `JSONDecoder` reads it at their defaults.
///
/// A date is its seconds since 2001, a URL and a UUID are text, data is Base64, a decimal is a number. The keys of maps
/// are sorted, so that equal items have equal bytes.
///
/// Errors: `invalidItem` for what JSON cannot hold (NaN), `invalidRecord` for bytes that are no JSON, and
/// `itemTypeMismatch` for JSON of another shape than the type asked for.
public struct JSONDataTransformer: DataTransformer {
    /// The ending of files in this format.
    public var formatExtension: String { "json" }

    /// Makes the transformer; it has no settings.
    public init() {}

    /// The bytes of an item.
    public func encode<T: Encodable>(_ object: T) throws -> Data {
        if let record = object as? any MappedRecord { return try encodeMapped(record) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .custom(Self.encode)
        do {
            let data = try encoder.encode(object)
            try Self.checkReadable(data)
            return data
        } catch {
            throw TransformerErrors.encoding(error)
        }
    }

    /// Refuses what Foundation's encoder writes and no reader accepts: too many containers inside one another, and a decimal
    /// that is `NaN`. Documents that can hold neither are not looked through.
    private static func checkReadable(_ data: Data) throws {
        let isReadable = data.withUnsafeBytes { bytes in
            // Each container takes two bytes, and `NaN` has a letter of its own.
            guard
                bytes.count > 2 * DocumentLimits.depth
                    || bytes.baseAddress.map({
                        memchr($0, Int32(UInt8(ascii: "N")), bytes.count) != nil
                    }) ?? false
            else { return true }
            return JSONReader.isWellFormed(bytes)
        }
        guard !isReadable else { return }
        throw CRUDRepositoryError.invalidItem(
            field: nil,
            reason:
                "holds a decimal that is no number, or more than \(DocumentLimits.depth) containers inside one another"
        )
    }

    /// Writes a date as Foundation does by default, within the range that every format holds.
    @Sendable
    private static func encode(_ date: Date, to encoder: any Encoder) throws {
        guard StoredDate.canStore(date) else {
            throw CRUDRepositoryError.invalidItem(
                field: TransformerErrors.path(encoder.codingPath), reason: "is a date out of range")
        }
        var container = encoder.singleValueContainer()
        try container.encode(date.timeIntervalSinceReferenceDate)
    }

    /// The item of its bytes.
    public func decode<T: Decodable>(data: Data) throws -> T {
        do {
            if let item = try decodeMapped(T.self, data) { return item }
            try data.withUnsafeBytes { bytes in
                // Foundation's reader lets commas before a closing bracket pass.
                var reader = try JSONReader(bytes)
                try reader.skipValue()
                try reader.finish()
            }
            return try JSONDecoder().decode(T.self, from: data)
        } catch {
            throw TransformerErrors.decoding(error, as: T.self) {
                data.withUnsafeBytes { JSONReader.isWellFormed($0) }
            }
        }
    }
}

extension JSONDataTransformer: RecordTransformer {
    /// The bytes of a record, written through its mapper.
    public func encodeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws -> Data {
        try JSONFieldEncoder.document(of: record, mapper)
    }

    /// The record of its bytes, read through its mapper.
    public func decodeRecord<M: RecordMapper>(_ data: Data, _ mapper: M.Type) throws -> M.Record {
        try data.withUnsafeBytes { try decodeRecord($0, mapper) }
    }

    /// The record of its bytes where they lie, read through its mapper.
    public func decodeRecord<M: RecordMapper>(
        _ bytes: UnsafeRawBufferPointer, _ mapper: M.Type
    ) throws -> M.Record {
        try JSONFieldDecoder.decode(bytes) { try $0.readRecord(mapper) }
    }
}
