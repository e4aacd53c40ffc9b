package import Foundation
package import RepositoryRuntime

/// Decodes a record from another decoder that has the encrypted fields as bytes, as
/// ``SealingEncoder`` wrote them.
package struct OpeningDecoder<Base: FieldDecoder>: FieldDecoder {
    /// The decoder of the store.
    private var base: Base
    private let cipher: RecordCipher
    private let id: String
    private let isNoted: (String) throws -> Bool

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - base: The decoder of the store.
    ///   - cipher: The cipher of the table.
    ///   - id: The components of the record's id.
    ///   - isNoted: Returns whether the store was written with a key.
    package init(
        _ base: Base, _ cipher: RecordCipher, id: [StoredValue],
        isNoted: @escaping (String) throws -> Bool
    ) {
        self.base = base
        self.cipher = cipher
        self.id = id.identifierText
        self.isNoted = isNoted
    }

    /// Returns the decrypted bytes of a field.
    private mutating func plain(_ index: Int) throws -> Data {
        try cipher.open(try base.decodeData(at: index), index, id: id, isNoted: isNoted)
    }

    /// Decodes a value from encrypted JSON text.
    private mutating func json<V: FieldValue>(_ type: V.Type, _ index: Int) throws -> V {
        let bytes = try plain(index)
        do {
            return try bytes.withUnsafeBytes { try JSONFieldText.decode(type, from: $0) }
        } catch {
            throw cipher.unreadable(index, error)
        }
    }

    package mutating func contains(at index: Int) throws -> Bool { try base.contains(at: index) }

    package mutating func decodeNil(at index: Int) throws -> Bool { try base.decodeNil(at: index) }

    package mutating func decodeBool(at index: Int) throws -> Bool {
        if cipher.encrypts(index) { return try json(Bool.self, index) }
        return try base.decodeBool(at: index)
    }

    package mutating func decodeInteger(at index: Int) throws -> Int64 {
        if cipher.encrypts(index) { return try json(Int64.self, index) }
        return try base.decodeInteger(at: index)
    }

    package mutating func decodeFloat(at index: Int) throws -> Float {
        if cipher.encrypts(index) { return try json(Float.self, index) }
        return try base.decodeFloat(at: index)
    }

    package mutating func decodeDouble(at index: Int) throws -> Double {
        if cipher.encrypts(index) { return try json(Double.self, index) }
        return try base.decodeDouble(at: index)
    }

    package mutating func decodeDecimal(at index: Int) throws -> Decimal {
        if cipher.encrypts(index) { return try json(Decimal.self, index) }
        return try base.decodeDecimal(at: index)
    }

    package mutating func decodeDate(at index: Int) throws -> Date {
        if cipher.encrypts(index) { return try json(Date.self, index) }
        return try base.decodeDate(at: index)
    }

    package mutating func decodeUUID(at index: Int) throws -> UUID {
        if cipher.encrypts(index) { return try json(UUID.self, index) }
        return try base.decodeUUID(at: index)
    }

    package mutating func decodeURL(at index: Int) throws -> URL {
        guard cipher.encrypts(index) else { return try base.decodeURL(at: index) }
        guard let url = URL(string: try decodeString(at: index)) else {
            throw cipher.unreadable(index, RecordDecodingError("is no URL"))
        }
        return url
    }

    package mutating func decodeString(at index: Int) throws -> String {
        guard cipher.encrypts(index) else { return try base.decodeString(at: index) }
        guard let text = String(validating: try plain(index), as: UTF8.self) else {
            throw cipher.unreadable(index, RecordDecodingError("is not UTF-8"))
        }
        return text
    }

    package mutating func decodeData(at index: Int) throws -> Data {
        if cipher.encrypts(index) { return try plain(index) }
        return try base.decodeData(at: index)
    }

    /// Decodes a reference, which is never encrypted.
    package mutating func decodeComposite<V: CompositeEntityID>(
        _ type: V.Type, at index: Int
    ) throws -> V {
        try base.decodeComposite(type, at: index)
    }

    package mutating func decodeObject<V: EmbeddedValue>(
        _ type: V.Type, at index: Int
    ) throws -> V {
        if cipher.encrypts(index) { return try json(type, index) }
        return try base.decodeObject(type, at: index)
    }

    package mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        if cipher.encrypts(index) { return try json([V].self, index) }
        return try base.decodeList(type, at: index)
    }

    package mutating func decodeMap<V: FieldValue>(
        _ type: V.Type, at index: Int
    ) throws -> [String: V] {
        if cipher.encrypts(index) { return try json([String: V].self, index) }
        return try base.decodeMap(type, at: index)
    }
}
