internal import Foundation

/// The types for which a format has its own representation. All other types are encoded by their
/// `Codable` conformance.
struct NativeTypes: OptionSet {
    let rawValue: Int

    static let date = NativeTypes(rawValue: 1)
    static let data = NativeTypes(rawValue: 2)
    static let decimal = NativeTypes(rawValue: 4)
    static let uuid = NativeTypes(rawValue: 8)
    static let url = NativeTypes(rawValue: 16)
    static let all: NativeTypes = [.date, .data, .decimal, .uuid, .url]
}

/// A dictionary with string keys. Its order is unspecified, so its members are sorted when it is
/// encoded.
private protocol TextKeyed {}
extension Dictionary: TextKeyed where Key == String, Value: Encodable {}

/// The place for a value that an encoder writes.
///
/// It is a reference type, because an encoder's nested containers may be written to after the next
/// member was begun, as `Encoder` allows.
final class TreeSlot {
    /// The value; nil if nothing was written, or if the value is a container.
    var node: DocumentNode?
    /// The members of an object, or the elements of a list, whose keys are empty. They are complete
    /// only when encoding ends.
    fileprivate var children: [(key: String, slot: TreeSlot)] = []
    /// The kind of value, which is determined by the first container that the value requests.
    fileprivate enum Shape { case scalar, list, object }
    fileprivate var shape = Shape.scalar

    /// Returns the finished value. If nothing was written, it is an empty object.
    ///
    /// - Parameter sorted: whether the members of an object are sorted by name.
    func finished(sorted: Bool = false) -> DocumentNode {
        switch shape {
        case .scalar: return node ?? .object([])
        case .list: return .list(children.map { $0.slot.finished() })
        case .object:
            var members = children
            if Set(members.lazy.map(\.key)).count < members.count {
                // If a key was written several times, its last value counts.
                let last = Dictionary(
                    members.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { $1 })
                members = members.enumerated().filter { last[$1.key] == $0 }.map(\.element)
            }
            if sorted { members.sort { String.identifierPrecedes($0.key, $1.key) } }
            return .object(members.map { ($0.key, $0.slot.finished()) })
        }
    }
}

/// An `Encoder` that builds a tree from any `Encodable` value. It is also its own single-value
/// container.
///
/// Values are encoded into slots, which are combined into the tree when encoding ends.
struct TreeEncoder: Encoder {
    /// The path of the value, for errors.
    let codingPath: [any CodingKey]
    /// Empty: there is no way to configure the encoder.
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// The types that become nodes of their own, and are not encoded by their `Encodable`
    /// conformance.
    let natives: NativeTypes
    /// The place to which the value is written.
    let slot: TreeSlot

    /// Encodes a value as a tree.
    static func tree<T: Encodable>(of value: T, natives: NativeTypes) throws -> DocumentNode {
        try node(of: value, natives, [])
    }

    /// Encodes a value at a coding path; throws if the path is longer than readers accept.
    fileprivate static func node<T: Encodable>(
        of value: T, _ natives: NativeTypes, _ path: [any CodingKey]
    ) throws -> DocumentNode {
        guard path.count <= DocumentLimits.depth else {
            let context = EncodingError.Context(codingPath: [], debugDescription: "")
            throw EncodingError.invalidValue(value, context)
        }
        if let native = native(value, natives) { return native }
        let encoder = TreeEncoder(codingPath: path, natives: natives, slot: TreeSlot())
        try value.encode(to: encoder)
        return encoder.slot.finished(sorted: value is any TextKeyed)
    }

    /// Returns the value as a node of its own; nil if the format has no representation for the
    /// type.
    private static func native<T>(_ value: T, _ natives: NativeTypes) -> DocumentNode? {
        switch T.self {
        case is Date.Type where natives.contains(.date): (value as? Date).map(DocumentNode.date)
        case is Data.Type where natives.contains(.data): (value as? Data).map(DocumentNode.data)
        case is Decimal.Type where natives.contains(.decimal):
            (value as? Decimal).map(DocumentNode.decimal)
        case is UUID.Type where natives.contains(.uuid): (value as? UUID).map(DocumentNode.uuid)
        case is URL.Type where natives.contains(.url): (value as? URL).map(DocumentNode.url)
        default: nil
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.shape = .object
        return KeyedEncodingContainer(TreeKeyedEncoder<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.shape = .list
        return TreeListEncoder(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Creates an encoder for a member or element one level below.
    fileprivate func nested(_ key: any CodingKey, name: String) -> TreeEncoder {
        let child = TreeSlot()
        slot.children.append((name, child))
        return TreeEncoder(codingPath: codingPath + [key], natives: natives, slot: child)
    }
}

extension TreeEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { slot.node = .null }
    func encode(_ value: Bool) throws { slot.node = .bool(value) }
    func encode(_ value: String) throws { slot.node = .string(value) }
    func encode(_ value: Double) throws { slot.node = .double(value) }
    func encode(_ value: Float) throws { slot.node = .float(value) }
    func encode(_ value: Int) throws { slot.node = .integer(Int64(value)) }
    func encode(_ value: Int8) throws { slot.node = .integer(Int64(value)) }
    func encode(_ value: Int16) throws { slot.node = .integer(Int64(value)) }
    func encode(_ value: Int32) throws { slot.node = .integer(Int64(value)) }
    func encode(_ value: Int64) throws { slot.node = .integer(value) }
    func encode(_ value: UInt) throws { try encode(UInt64(value)) }
    func encode(_ value: UInt8) throws { slot.node = .integer(Int64(value)) }
    func encode(_ value: UInt16) throws { slot.node = .integer(Int64(value)) }
    func encode(_ value: UInt32) throws { slot.node = .integer(Int64(value)) }
    func encode(_ value: UInt64) throws {
        slot.node = Int64(exactly: value).map(DocumentNode.integer) ?? .unsigned(value)
    }

    func encode<T: Encodable>(_ value: T) throws {
        slot.node = try Self.node(of: value, natives, codingPath)
        slot.shape = .scalar
    }
}

/// The members of an object as an encoding container.
private struct TreeKeyedEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        try encoder.nested(key, name: key.stringValue).encodeNil()
    }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try encoder.nested(key, name: key.stringValue).encode(value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.nested(key, name: key.stringValue).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.nested(key, name: key.stringValue).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        encoder.nested(FieldKey("super"), name: "super")
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        encoder.nested(key, name: key.stringValue)
    }
}

/// The elements of a list as an encoding container.
private struct TreeListEncoder: UnkeyedEncodingContainer {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.slot.children.count }

    /// Appends an element and returns its encoder.
    private func element() -> TreeEncoder {
        encoder.nested(ListIndex(count), name: "")
    }

    mutating func encodeNil() throws { try element().encodeNil() }

    mutating func encode<T: Encodable>(_ value: T) throws { try element().encode(value) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        element().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        element().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { element() }
}

/// A list index as a coding key.
struct ListIndex: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { return nil }
}
