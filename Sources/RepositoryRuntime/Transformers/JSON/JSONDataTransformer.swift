public import Foundation

/// JSON (RFC 8259) in the conventions of Foundation's `JSONEncoder` and `JSONDecoder` with default
/// settings.
///
/// A date is a number of seconds since 2001, a URL and a UUID are strings, data is Base64, a
/// decimal is a number. Map keys are sorted, so that equal items have equal bytes.
///
/// Errors: `invalidItem` for values that JSON cannot represent (NaN), `invalidRecord` for bytes
/// that are not JSON, and `itemTypeMismatch` for JSON that does not match the requested type.
public struct JSONDataTransformer: DataTransformer {
    /// The file name extension of this format.
    public var formatExtension: String { "json" }

    /// Creates the transformer. It has no options.
    public init() {}

    /// Encodes an item: with its mapper if it has one, otherwise with Foundation.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `invalidItem`.
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

    /// Throws `invalidItem` for output of Foundation's encoder that no decoder accepts: too many
    /// nested containers, or a decimal that is `NaN`.
    ///
    /// The document is parsed only if it is long enough for too many containers, or contains the
    /// letter `N`.
    private static func checkReadable(_ data: Data) throws {
        let isReadable = data.withUnsafeBytes { bytes in
            // Each container takes at least two bytes, and `NaN` contains an N.
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

    /// Encodes a date as Foundation does by default. Throws `invalidItem` for a date outside the
    /// range of all formats.
    @Sendable
    private static func encode(_ date: Date, to encoder: any Encoder) throws {
        guard StoredDate.canStore(date) else {
            throw CRUDRepositoryError.invalidItem(
                field: TransformerErrors.path(encoder.codingPath), reason: "is a date out of range")
        }
        var container = encoder.singleValueContainer()
        try container.encode(date.timeIntervalSinceReferenceDate)
    }

    /// Decodes an item: with its mapper if it has one, otherwise with Foundation.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `invalidRecord` or `itemTypeMismatch`.
    public func decode<T: Decodable>(data: Data) throws -> T {
        do {
            if let item = try decodeMapped(T.self, data) { return item }
            try data.withUnsafeBytes { bytes in
                // Foundation's decoder accepts a comma before a closing bracket, so the syntax is
                // checked first.
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
    /// Encodes a record with its mapper, without `Codable`.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `invalidItem`.
    public func encodeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws -> Data {
        try JSONFieldEncoder.document(of: record, mapper)
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
        try JSONFieldDecoder.decode(bytes) { try $0.readRecord(mapper) }
    }
}
