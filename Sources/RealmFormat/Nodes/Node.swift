/// A node of the file: its header and its payload.
struct Node {
    /// How the size of the payload follows from count and width.
    enum WidthType: UInt8 {
        case bits = 0
        case bytes = 1
        case none = 2
    }

    let ref: UInt64
    let isInner: Bool
    let hasRefs: Bool
    /// What this flag means depends on the kind of the node.
    let hasContext: Bool
    let widthType: WidthType
    /// The width of an element, in bits or bytes.
    let width: Int
    let count: Int
    let payload: [UInt8]
}

/// Integers, each of the same width.
struct IntegerArray {
    let count: Int
    private let width: Int
    private let bytes: [UInt8]

    /// No integers.
    init() { (count, width, bytes) = (0, 0, []) }

    /// - Parameter node: a node whose payload has as many bytes as its header says.
    init(_ node: Node) { (count, width, bytes) = (node.count, node.width, node.payload) }

    /// Returns an element. Below 8 bits it is unsigned.
    subscript(index: Int) -> Int64 {
        switch width {
        case 8: Int64(Int8(bitPattern: bytes[index]))
        case 16: Int64(load(index, as: Int16.self))
        case 32: Int64(load(index, as: Int32.self))
        default: Int64(bitPattern: self[unsigned: index])
        }
    }

    /// Returns an element of one of the arrays that are unsigned: keys of clusters, and offsets.
    subscript(unsigned index: Int) -> UInt64 {
        switch width {
        case 0: 0
        case 8: UInt64(bytes[index])
        case 16: UInt64(load(index, as: UInt16.self))
        case 32: UInt64(load(index, as: UInt32.self))
        case 64: load(index, as: UInt64.self)
        default:
            UInt64(bytes[index * width / 8]) >> UInt64(index * width % 8) & (1 << UInt64(width) - 1)
        }
    }

    /// Returns a ref, or a number with its tag: sign-extended as the integers are.
    subscript(ref index: Int) -> UInt64 { UInt64(bitPattern: self[index]) }

    private func load<Value: FixedWidthInteger>(_ index: Int, as type: Value.Type) -> Value {
        bytes.withUnsafeBytes {
            Value(
                littleEndian: $0.loadUnaligned(
                    fromByteOffset: index * MemoryLayout<Value>.size, as: Value.self))
        }
    }
}

extension UInt64 {
    /// The element as a ref.
    func asRef() throws(RealmFileError) -> UInt64 {
        guard self & 1 == 0 else { throw .damaged("a number stands where a ref is needed") }
        return self
    }

    /// The element as a number; a missing one is 0.
    func asNumber() throws(RealmFileError) -> UInt64 {
        guard self != 0 else { return 0 }
        guard self & 1 == 1 else { throw .damaged("a ref stands where a number is needed") }
        return self >> 1
    }
}
