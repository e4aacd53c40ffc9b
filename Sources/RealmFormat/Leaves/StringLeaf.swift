/// The strings or binary values of a leaf, in any of the ways in which Realm stores them.
enum StringLeaf {
    /// Up to some bytes each, padded to one width. If the width is 0, all are null or all empty.
    case short(count: Int, width: Int, bytes: [UInt8], isNullable: Bool)
    /// One after the other; `nulls` has `nullMark` where a value is null.
    case medium(ends: IntegerArray, bytes: [UInt8], nulls: IntegerArray?, nullMark: Bool, cut: Int)
    /// A node for each.
    case big(refs: IntegerArray, cut: Int)

    /// Opens a leaf of strings that are not enumerated.
    static func strings(
        _ node: Node, isNullable: Bool, _ reader: NodeReader
    ) throws(RealmFileError) -> Self {
        if node.hasRefs { return try blobs(node, isString: true, reader) }
        guard node.widthType == .bytes else {
            throw .damaged("node \(node.ref) is not a leaf of strings")
        }
        try reader.count(node.count)
        return .short(
            count: node.count, width: node.width, bytes: node.payload, isNullable: isNullable)
    }

    /// Opens a leaf of medium or big values. Strings have a final 0 that does not belong to them.
    static func blobs(
        _ node: Node, isString: Bool, _ reader: NodeReader
    ) throws(RealmFileError) -> Self {
        let refs = try reader.refs(node)
        let cut = isString ? 1 : 0
        if node.hasContext { return .big(refs: refs, cut: cut) }
        guard 2...3 ~= refs.count else {
            throw .damaged("node \(node.ref) is not a leaf of medium values")
        }
        let ends = try reader.integers(child(refs[ref: 0], reader))
        let bytes = try blob(refs[ref: 1].asRef(), reader)
        let nulls = refs.count == 3 ? try reader.integers(child(refs[ref: 2], reader)) : nil
        guard nulls.map({ $0.count == ends.count }) ?? true else {
            throw .damaged("node \(node.ref): values and null marks differ in number")
        }
        // Up to format 9 the marks of strings say that a value is not null.
        let nullMark = !(isString && reader.format < 10)
        return .medium(ends: ends, bytes: bytes, nulls: nulls, nullMark: nullMark, cut: cut)
    }

    private static func child(_ ref: UInt64, _ reader: NodeReader) throws(RealmFileError) -> Node {
        try reader.node(ref.asRef())
    }

    /// Reads a value with a node of its own, or the parts of one.
    private static func blob(
        _ ref: UInt64, _ reader: NodeReader, isPart: Bool = false
    ) throws(RealmFileError) -> [UInt8] {
        let node = try reader.node(ref)
        guard node.hasContext else {
            guard !node.hasRefs, node.count == node.payload.count else {
                throw .damaged("node \(ref) is not a value of bytes")
            }
            return node.payload
        }
        guard !isPart else { throw .damaged("node \(ref): parts of a value have parts") }
        let refs = try reader.refs(node)
        var bytes: [UInt8] = []
        for index in 0..<refs.count {
            bytes += try blob(refs[ref: index].asRef(), reader, isPart: true)
            guard bytes.count <= 64 << 20 else {
                throw RealmFileError(.tooLarge, "node \(ref): a value of more than 64 MB")
            }
        }
        return bytes
    }

    var count: Int {
        switch self {
        case .short(let count, _, _, _): count
        case .medium(let ends, _, _, _, _): ends.count
        case .big(let refs, _): refs.count
        }
    }

    /// Returns the bytes of a value; `nil` if it is null.
    func bytes(at index: Int, _ reader: NodeReader) throws(RealmFileError) -> ArraySlice<UInt8>? {
        switch self {
        case .short(_, let width, let bytes, let isNullable):
            guard width > 0 else { return isNullable ? nil : [] }
            let start = index * width
            let padding = Int(bytes[start + width - 1])
            if padding == width { return isNullable ? nil : [] }
            guard padding < width else { throw .damaged("a short string has a wrong length") }
            return bytes[start..<start + width - 1 - padding]
        case .medium(let ends, let bytes, let nulls, let nullMark, let cut):
            let start = index == 0 ? 0 : ends[index - 1]
            let end = ends[index]
            guard 0 <= start, start <= end, end <= Int64(bytes.count) else {
                throw .damaged("the offsets of strings are wrong")
            }
            if let nulls, (nulls[index] != 0) == nullMark { return nil }
            guard Int(end - start) >= cut else { throw .damaged("a string lacks its final 0") }
            return bytes[Int(start)..<Int(end) - cut]
        case .big(let refs, let cut):
            guard refs[ref: index] != 0 else { return nil }
            let bytes = try Self.blob(refs[ref: index].asRef(), reader)
            guard bytes.count >= cut else { throw .damaged("a string lacks its final 0") }
            return bytes[..<(bytes.count - cut)]
        }
    }
}

extension RealmValue {
    /// A string; `nil` is null.
    static func text(_ bytes: ArraySlice<UInt8>?) -> Self {
        guard let bytes else { return .null }
        return String(validating: bytes, as: UTF8.self).map { .string($0) }
            ?? .invalidString(Array(bytes))
    }

    /// A binary value; `nil` is null.
    static func data(_ bytes: ArraySlice<UInt8>?) -> Self {
        bytes.map { .binary(Array($0)) } ?? .null
    }
}
