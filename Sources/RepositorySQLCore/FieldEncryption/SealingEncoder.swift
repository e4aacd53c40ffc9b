package import Foundation
package import RepositoryRuntime

/// Encodes a record into another encoder, with the encrypted fields as bytes.
///
/// A string or URL is encrypted as UTF-8, data as it is, and every other value as JSON text. Null is
/// not encrypted.
package struct SealingEncoder<Base: FieldEncoder>: FieldEncoder {
    /// The encoder of the store.
    package var base: Base
    private let cipher: RecordCipher
    private let id: String

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - base: The encoder of the store.
    ///   - cipher: The cipher of the table.
    ///   - id: The id of the record.
    package init<I: EntityIdentifier>(_ base: Base, _ cipher: RecordCipher, id: I) throws {
        self.base = base
        self.cipher = cipher
        self.id = try StoredValueEncoder.components(of: id).identifierText
    }

    /// Encrypts a value.
    ///
    /// - Parameters:
    ///   - bytes: the value as bytes.
    ///   - value: the value as queries compare it; nil if the type cannot have an index.
    private mutating func seal(
        _ bytes: Data, _ value: @autoclosure () -> StoredValue?, at index: Int
    ) throws {
        var head = Data()
        if cipher.isIndexed(index), let value = value() {
            head = try cipher.head(of: value, index)
        }
        try base.encodeData(try cipher.seal(bytes, index, id: id, head: head), at: index)
    }

    private mutating func seal<V: FieldValue>(
        json value: V, _ stored: @autoclosure () -> StoredValue? = nil, at index: Int
    ) throws {
        try seal(Data(try JSONFieldText.encode(value).utf8), stored(), at: index)
    }

    package mutating func encodeNil(at index: Int) throws { try base.encodeNil(at: index) }

    package mutating func encodeBool(_ value: Bool, at index: Int) throws {
        if cipher.encrypts(index) { return try seal(json: value, .bool(value), at: index) }
        try base.encodeBool(value, at: index)
    }

    package mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        if cipher.encrypts(index) { return try seal(json: value, .integer(value), at: index) }
        try base.encodeInteger(value, at: index)
    }

    package mutating func encodeFloat(_ value: Float, at index: Int) throws {
        if cipher.encrypts(index) {
            return try seal(json: value, .double(Double(value)), at: index)
        }
        try base.encodeFloat(value, at: index)
    }

    package mutating func encodeDouble(_ value: Double, at index: Int) throws {
        if cipher.encrypts(index) { return try seal(json: value, .double(value), at: index) }
        try base.encodeDouble(value, at: index)
    }

    package mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        if cipher.encrypts(index) { return try seal(json: value, .decimal(value), at: index) }
        try base.encodeDecimal(value, at: index)
    }

    package mutating func encodeDate(_ value: Date, at index: Int) throws {
        if cipher.encrypts(index) { return try seal(json: value, .date(value), at: index) }
        try base.encodeDate(value, at: index)
    }

    package mutating func encodeUUID(_ value: UUID, at index: Int) throws {
        if cipher.encrypts(index) { return try seal(json: value, .uuid(value), at: index) }
        try base.encodeUUID(value, at: index)
    }

    package mutating func encodeURL(_ value: URL, at index: Int) throws {
        if cipher.encrypts(index) {
            return try seal(Data(value.absoluteString.utf8), .text(value.absoluteString), at: index)
        }
        try base.encodeURL(value, at: index)
    }

    package mutating func encodeString(_ value: String, at index: Int) throws {
        if cipher.encrypts(index) { return try seal(Data(value.utf8), .text(value), at: index) }
        try base.encodeString(value, at: index)
    }

    package mutating func encodeData(_ value: Data, at index: Int) throws {
        if cipher.encrypts(index) { return try seal(value, .data(value), at: index) }
        try base.encodeData(value, at: index)
    }

    /// Encodes a reference, which is never encrypted.
    package mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        try base.encodeComposite(value, at: index)
    }

    package mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        if cipher.encrypts(index) { return try seal(json: value, at: index) }
        try base.encodeObject(value, at: index)
    }

    package mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        if cipher.encrypts(index) { return try seal(json: value, at: index) }
        try base.encodeList(value, at: index)
    }

    package mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        if cipher.encrypts(index) { return try seal(json: value, at: index) }
        try base.encodeMap(value, at: index)
    }
}
