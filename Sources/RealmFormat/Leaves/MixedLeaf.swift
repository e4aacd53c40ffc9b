/// The values of a leaf that may have any type (formats 21 and later).
struct MixedLeaf {
    /// Type, kind of payload, and payload or its index.
    private let values: IntegerArray
    private let integers: IntegerArray
    private let pairs: IntegerArray
    private let strings: StringLeaf?
    private let collections: IntegerArray
    private let depth: Int
    private let ref: UInt64

    init(_ node: Node, depth: Int, _ reader: NodeReader) throws(RealmFileError) {
        let parts = try reader.refs(node)
        guard 4...6 ~= parts.count else {
            throw .damaged("node \(node.ref) is not a leaf of mixed values")
        }
        values = try reader.integers(reader.node(parts[ref: 0].asRef()))
        integers = try reader.integers(at: parts[ref: 1])
        pairs = try reader.integers(at: parts[ref: 2])
        if parts[ref: 3] == 0 {
            strings = nil
        } else {
            strings = try .strings(
                reader.node(parts[ref: 3].asRef()), isNullable: true, reader)
        }
        collections = parts.count > 4 ? try reader.refs(at: parts[ref: 4]) : IntegerArray()
        self.depth = depth
        ref = node.ref
    }

    var count: Int { values.count }

    func value(at index: Int, _ reader: NodeReader) throws(RealmFileError) -> RealmValue {
        let word = values[index]
        guard word != 0 else { return .null }
        let (type, isPlace, payload) = (Int(word & 31) - 1, word >> 5 & 7 != 0, word >> 8)
        switch RealmType(rawValue: type) {
        case .int: return .int(isPlace ? integers[try place(payload, integers.count)] : payload)
        case .bool: return .bool(payload != 0)
        case .float:
            let bits = integers[try place(payload, integers.count)]
            return .float(bits: UInt32(truncatingIfNeeded: bits))
        case .double:
            return .double(bits: UInt64(bitPattern: integers[try place(payload, integers.count)]))
        case .string: return .text(try bytes(payload, reader))
        case .binary: return .data(try bytes(payload, reader))
        case .date:
            let (seconds, nanoseconds) = try pair(payload)
            return try .date(seconds, nanoseconds)
        case .decimal:
            let (low, high) = try pair(payload)
            return .decimal(low: UInt64(bitPattern: low), high: UInt64(bitPattern: high))
        case .objectID: return .objectID(RealmObjectID(try bytes(payload, size: 12, reader)))
        case .uuid: return .uuid(RealmUUID(try bytes(payload, size: 16, reader)))
        case .link:
            return .link(RealmLink(table: nil, key: integers[try place(payload, integers.count)]))
        case .typedLink:
            let (table, key) = try pair(payload)
            // An object that the server has deleted, or not yet sent.
            guard key > -2 else { return .null }
            return .link(RealmLink(table: UInt32(truncatingIfNeeded: table), key: key))
        default: return try collection(type, payload, reader)
        }
    }

    /// Reads a list or a dictionary.
    private func collection(
        _ type: Int, _ payload: Int64, _ reader: NodeReader
    ) throws(RealmFileError) -> RealmValue {
        guard type == 19 || type == 21 else {
            throw RealmFileError(
                .unknownContent, "node \(ref): mixed value of the unknown type \(type)")
        }
        let root = collections[ref: try place(payload, collections.count)]
        var elements = CollectionReader(reader, depth: depth + 1)
        if type == 19 { return .list(try elements.elements(root, .anyValue)) }
        return .dictionary(try elements.entries(root, keys: .string))
    }

    /// Checks an index.
    private func place(_ index: Int64, _ count: Int) throws(RealmFileError) -> Int {
        guard index >= 0, index < Int64(count) else {
            throw .damaged("node \(ref): the place of a mixed value is out of range")
        }
        return Int(index)
    }

    private func pair(_ index: Int64) throws(RealmFileError) -> (Int64, Int64) {
        let index = try place(index, pairs.count / 2)
        return (pairs[2 * index], pairs[2 * index + 1])
    }

    private func bytes(
        _ index: Int64, size: Int? = nil, _ reader: NodeReader
    ) throws(RealmFileError) -> ArraySlice<UInt8> {
        let index = try place(index, strings?.count ?? 0)
        let bytes = try strings?.bytes(at: index, reader) ?? []
        guard size == nil || size == bytes.count else {
            throw .damaged("node \(ref): a mixed value of \(bytes.count) bytes, not \(size ?? 0)")
        }
        return bytes
    }
}
