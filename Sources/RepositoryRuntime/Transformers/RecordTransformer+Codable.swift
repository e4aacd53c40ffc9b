internal import Foundation

extension RecordTransformer {
    /// The bytes of an item whose type is only known to be mapped.
    func encodeMapped<T: MappedRecord>(_ record: T) throws -> Data {
        try encodeRecord(record, T.Mapper.self)
    }

    /// The item where its type is a mapped one; nil where it is not.
    func decodeMapped<T>(_ type: T.Type, _ data: Data) throws -> T? {
        guard let mapped = type as? any MappedRecord.Type else { return nil }
        return try decodeRecord(of: mapped, data) as? T
    }

    private func decodeRecord<R: MappedRecord>(of type: R.Type, _ data: Data) throws -> R {
        try decodeRecord(data, R.Mapper.self)
    }
}
