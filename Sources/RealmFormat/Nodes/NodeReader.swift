/// Reads the nodes of a file, once each. Bounds, alignment, cycles and the total work are checked
/// here, in one place.
final class NodeReader {
    /// The most elements of an array: 65 times as many as Realm writes.
    static let elementLimit = 1 << 16
    /// The most bytes of a value, and the most elements of a node.
    private static let countLimit = 0xFF_FFFF

    private let cache: BlockCache
    /// The version of the file format.
    let format: Int
    private(set) var seen: RefSet
    /// A node has one parent, so that no more bytes are read than there are. Nodes of a hostile
    /// file may overlap, hence a limit besides ``seen``.
    private var bytesLeft: Int
    /// Elements without bytes are limited, too: of a thousand zeros an honest file has one in 10
    /// bytes.
    private var elementsLeft: Int

    /// - Parameters:
    ///   - pages: the bytes of the file.
    ///   - format: the version of the file format.
    ///   - seen: the nodes that were read before, and must not be read again.
    convenience init(_ pages: DataPages, format: Int, seen: RefSet = RefSet()) {
        self.init(BlockCache(pages), format: format, seen: seen)
    }

    /// Reads nodes by way of a cache of another reader.
    init(_ cache: BlockCache, format: Int, seen: RefSet = RefSet()) {
        self.cache = cache
        self.format = format
        self.seen = seen
        bytesLeft = 2 * cache.size + 65_536
        elementsLeft = 128 * cache.size + 65_536
    }

    /// Reads a node.
    func node(_ ref: UInt64) throws(RealmFileError) -> Node {
        guard ref >= 24, ref & 7 == 0, ref <= UInt64(Int.max) - 8, Int(ref) + 8 <= cache.size else {
            throw .damaged("ref \(ref) is not an aligned offset inside the file")
        }
        guard seen.insert(ref) else {
            throw .damaged("node \(ref) is used twice")
        }
        let start = Int(ref) + 8
        let header = try cache.bytes(Int(ref)..<start)
        let (flags, count) = (
            header[4], Int(header[5]) << 16 | Int(header[6]) << 8 | Int(header[7])
        )
        let width = (1 << Int(flags & 7)) >> 1
        guard let type = Node.WidthType(rawValue: flags >> 3 & 3) else {
            throw RealmFileError(.unknownContent, "node \(ref) has the unknown width type 3")
        }
        let size =
            switch type {
            case .bits: (count * width + 7) / 8
            case .bytes: count * width
            case .none: count
            }
        guard size <= cache.size - start else {
            throw .damaged("node \(ref) reaches past the end of the file")
        }
        guard type != .bits || count <= Self.elementLimit, size <= Self.countLimit else {
            throw RealmFileError(.tooLarge, "node \(ref) has \(count) elements")
        }
        bytesLeft -= size + 8
        guard bytesLeft >= 0 else {
            throw .damaged("nodes overlap: there is more content than the file has bytes")
        }
        return Node(
            ref: ref, isInner: flags & 0x80 != 0, hasRefs: flags & 0x40 != 0,
            hasContext: flags & 0x20 != 0, widthType: type, width: width, count: count,
            payload: try cache.bytes(start..<start + size))
    }

    /// Counts elements that are read.
    func count(_ elements: Int) throws(RealmFileError) {
        guard elements <= Self.elementLimit else {
            throw RealmFileError(.tooLarge, "\(elements) elements in one node")
        }
        elementsLeft -= elements
        guard elementsLeft >= 0 else {
            throw .damaged("there are more elements than a file of this size can have")
        }
    }

    /// The elements of an array of integers.
    func integers(_ node: Node) throws(RealmFileError) -> IntegerArray {
        guard node.widthType == .bits else {
            throw .damaged("node \(node.ref) is not an array of integers")
        }
        try count(node.count)
        return IntegerArray(node)
    }

    /// The elements of an array of refs and tagged numbers.
    func refs(_ node: Node) throws(RealmFileError) -> IntegerArray {
        guard node.hasRefs else { throw .damaged("node \(node.ref) should have refs") }
        return try integers(node)
    }

    /// The integers of the node at a ref; none if it is 0.
    func integers(at ref: UInt64) throws(RealmFileError) -> IntegerArray {
        ref == 0 ? IntegerArray() : try integers(node(ref.asRef()))
    }

    /// The refs of the node at a ref; none if it is 0.
    func refs(at ref: UInt64) throws(RealmFileError) -> IntegerArray {
        ref == 0 ? IntegerArray() : try refs(node(ref.asRef()))
    }
}

/// A set of refs: a bit for each 8 bytes of the file, of the parts where there is one.
struct RefSet {
    /// The bits of 32 KB of the file each.
    private var parts: [UInt64: [UInt64]] = [:]

    /// Adds a ref.
    ///
    /// - Returns: whether it is new.
    mutating func insert(_ ref: UInt64) -> Bool {
        let (word, bit) = (Int(ref >> 9 & 63), UInt64(1) << (ref >> 3 & 63))
        var isNew = true
        withUnsafeMutablePointer(
            to: &parts[ref >> 15, default: [UInt64](repeating: 0, count: 64)]
        ) {
            isNew = $0.pointee[word] & bit == 0
            $0.pointee[word] |= bit
        }
        return isNew
    }
}
