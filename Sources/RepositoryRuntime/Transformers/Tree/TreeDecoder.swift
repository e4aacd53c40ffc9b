internal import Foundation

/// A `Decoder` that reads any `Decodable` type from a tree. It is also its own single-value
/// container.
///
/// A number can be decoded as any numeric type that can represent it. A null in place of another
/// value throws `valueNotFound`.
struct TreeDecoder: Decoder {
    /// The node to decode.
    let node: DocumentNode
    /// The path of the node, for errors.
    let codingPath: [any CodingKey]
    /// Empty: there is no way to configure the decoder.
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// The types that are read from their own nodes, and not by their `Decodable` conformance.
    let natives: NativeTypes
    /// Whether the last of several members with the same name counts.
    let lastDuplicateWins: Bool

    /// Decodes a value from a tree.
    static func value<T: Decodable>(
        _ type: T.Type, of node: DocumentNode, natives: NativeTypes, lastDuplicateWins: Bool
    ) throws -> T {
        let decoder = TreeDecoder(
            node: node, codingPath: [], natives: natives, lastDuplicateWins: lastDuplicateWins)
        return try decoder.decode(type)
    }

    /// Returns a decoder for a node one level below.
    fileprivate func nested(_ node: DocumentNode, _ key: any CodingKey) -> TreeDecoder {
        TreeDecoder(
            node: node, codingPath: codingPath + [key], natives: natives,
            lastDuplicateWins: lastDuplicateWins)
    }

    /// The error for a value of another type, or for null. It does not contain the value.
    fileprivate func mismatch<T>(_ type: T.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "It is \(node.kind).")
        if case .null = node { return .valueNotFound(type, context) }
        return .typeMismatch(type, context)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = node else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(TreeKeyedDecoder<Key>(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let elements) = node else { throw mismatch([Any].self) }
        return TreeListDecoder(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension TreeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        if case .null = node { return true }
        return false
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let value) = node else { throw mismatch(type) }
        return value
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let value) = node else { throw mismatch(type) }
        return value
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let value = node.number else { throw mismatch(type) }
        return value
    }

    func decode(_ type: Float.Type) throws -> Float {
        guard let number = node.number else { throw mismatch(type) }
        let value = Float(number)
        guard value.isFinite || !number.isFinite else { throw mismatch(type) }
        return value
    }

    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    /// Reads an integer; a number with an integral value counts as one.
    private func integer<I: FixedWidthInteger>() throws -> I {
        guard let value = node.integer(I.self) else { throw mismatch(I.self) }
        return value
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let native: Any?
        switch type {
        case is Date.Type where natives.contains(.date): native = date
        case is Data.Type where natives.contains(.data): native = data
        case is Decimal.Type where natives.contains(.decimal): native = decimal
        case is UUID.Type where natives.contains(.uuid): native = uuid
        case is URL.Type where natives.contains(.url): native = url
        default: return try T(from: self)
        }
        guard let value = native as? T else { throw mismatch(type) }
        return value
    }
}

// MARK: - Native values

/// Native types. Numbers also convert to decimals, and strings to UUIDs and URLs, because such
/// values may have been written in a more general representation.
extension TreeDecoder {
    private var date: Date? {
        if case .date(let value) = node { return value }
        return nil
    }

    private var data: Data? {
        if case .data(let value) = node { return value }
        return nil
    }

    private var decimal: Decimal? {
        switch node {
        case .decimal(let value): value
        case .integer(let value): Decimal(value)
        case .unsigned(let value): Decimal(value)
        case .float, .double:
            node.number.flatMap { DecimalParts(text: Array($0.description.utf8))?.decimal }
        default: nil
        }
    }

    private var uuid: UUID? {
        switch node {
        case .uuid(let value): value
        case .string(let text): UUID(uuidString: text)
        default: nil
        }
    }

    private var url: URL? {
        switch node {
        case .url(let value): value
        case .string(let text): URL(string: text)
        default: nil
        }
    }
}

// MARK: - Containers

/// The members of an object as a decoding container. Members are looked up in a dictionary.
private struct TreeKeyedDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: TreeDecoder
    let nodes: [String: DocumentNode]
    var codingPath: [any CodingKey] { decoder.codingPath }
    let allKeys: [Key]

    /// Builds the dictionary of members. Duplicates are resolved as the format requires.
    init(decoder: TreeDecoder, members: [(key: String, value: DocumentNode)]) {
        self.decoder = decoder
        let lastWins = decoder.lastDuplicateWins
        nodes = Dictionary(
            members.map { ($0.key, $0.value) }, uniquingKeysWith: { lastWins ? $1 : $0 })
        allKeys = nodes.keys.compactMap(Key.init(stringValue:))
    }

    /// Returns the decoder for a member; throws if the member is missing.
    private func nested(_ key: any CodingKey) throws -> TreeDecoder {
        guard let node = nodes[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "It is missing."))
        }
        return decoder.nested(node, key)
    }

    func contains(_ key: Key) -> Bool { nodes[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try nested(key).decodeNil() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try nested(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<NestedKey>
    {
        try nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try nested(FieldKey("super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }
}

/// The elements of a list as a decoding container.
private struct TreeListDecoder: UnkeyedDecodingContainer {
    let decoder: TreeDecoder
    let elements: [DocumentNode]
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(decoder: TreeDecoder, elements: [DocumentNode]) {
        self.decoder = decoder
        self.elements = elements
    }

    /// Returns the decoder for the next element without consuming it; throws at the end.
    private func current<T>(_ type: T.Type) throws -> TreeDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: "The list has ended."))
        }
        return decoder.nested(elements[currentIndex], ListIndex(currentIndex))
    }

    mutating func decodeNil() throws -> Bool {
        guard try current(Any?.self).decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try current(type).decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws
        -> KeyedDecodingContainer<NestedKey>
    {
        let container = try current([String: Any].self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try current([Any].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let nested = try current(Any.self)
        currentIndex += 1
        return nested
    }
}
