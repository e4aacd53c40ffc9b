internal import Foundation

/// The types that a format has a form of its own for; others go through their `Codable`.
struct NativeTypes: OptionSet {
    let rawValue: Int

    static let date = NativeTypes(rawValue: 1)
    static let data = NativeTypes(rawValue: 2)
    static let decimal = NativeTypes(rawValue: 4)
    static let uuid = NativeTypes(rawValue: 8)
    static let url = NativeTypes(rawValue: 16)
    static let all: NativeTypes = [.date, .data, .decimal, .uuid, .url]
}

/// A dictionary whose keys are the members of an object: without an order of its own, so that its keys are sorted.
private protocol TextKeyed {}
extension Dictionary: TextKeyed where Key == String, Value: Encodable {}

/// The place of a value that an encoder is writing.
final class TreeSlot {
    var node: DocumentNode?
    /// Members of an object, or elements of a list with keys left empty, which are complete when the encoding ends.
    fileprivate var children: [(key: String, slot: TreeSlot)] = []
    fileprivate enum Shape { case scalar, list, object }
    fileprivate var shape = Shape.scalar

    /// The value written; an empty object where nothing was.
    func finished(sorted: Bool = false) -> DocumentNode {
        switch shape {
        case .scalar: return node ?? .object([])
        case .list: return .list(children.map { $0.slot.finished() })
        case .object:
            var members = children
            if Set(members.lazy.map(\.key)).count < members.count {
                // A key written twice holds what was written last.
                let last = Dictionary(
                    members.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { $1 })
                members = members.enumerated().filter { last[$1.key] == $0 }.map(\.element)
            }
            if sorted { members.sort { String.identifierPrecedes($0.key, $1.key) } }
            return .object(members.map { ($0.key, $0.slot.finished()) })
        }
    }
}

/// Makes a tree of any `Encodable` value.
struct TreeEncoder: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    let natives: NativeTypes
    let slot: TreeSlot

    /// The tree of a value.
    static func tree<T: Encodable>(of value: T, natives: NativeTypes) throws -> DocumentNode {
        try node(of: value, natives, [])
    }

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

    /// The value in the format's own form; nil where it has none for the type.
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

    /// An encoder of a value one level down.
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

private struct TreeListEncoder: UnkeyedEncodingContainer {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.slot.children.count }

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

/// The position of an element as a coding key.
struct ListIndex: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { return nil }
}
