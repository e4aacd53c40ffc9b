internal import Foundation

extension RecordTransformer {
    /// Encodes an item of which only the conformance to `MappedRecord` is known.
    func encodeMapped<T: MappedRecord>(_ record: T) throws -> Data {
        try encodeRecord(record, T.Mapper.self)
    }

    /// Decodes an item if its type is a mapped one; otherwise returns nil.
    func decodeMapped<T>(_ type: T.Type, _ data: Data) throws -> T? {
        guard let mapped = type as? any MappedRecord.Type else { return nil }
        return try decodeRecord(of: mapped, data) as? T
    }

    /// Decodes a record of a type that was opened from an existential.
    private func decodeRecord<R: MappedRecord>(of type: R.Type, _ data: Data) throws -> R {
        try decodeRecord(data, R.Mapper.self)
    }
}
