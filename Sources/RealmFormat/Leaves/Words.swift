/// Values of a fixed number of bytes each.
struct Words {
    let count: Int
    private let width: Int
    private let bytes: [UInt8]

    /// Opens a leaf of floats or doubles.
    init(_ node: Node, width: Int, _ reader: NodeReader) throws(RealmFileError) {
        guard node.count == 0 || node.width == width && node.widthType == .bytes else {
            throw .damaged("node \(node.ref) is not an array of \(width)-byte numbers")
        }
        try reader.count(node.count)
        (count, self.width, bytes) = (node.count, width, node.payload)
    }

    /// Opens a leaf of decimals.
    init(decimals node: Node, _ reader: NodeReader) throws(RealmFileError) {
        guard node.count == 0 || node.widthType == .bytes && [0, 4, 8, 16].contains(node.width)
        else { throw .damaged("node \(node.ref) is not an array of decimals") }
        try reader.count(node.count)
        (count, width, bytes) = (node.count, node.width, node.payload)
    }

    /// Returns the little-endian word at an index, in words of its size.
    func load<Word: FixedWidthInteger>(_ index: Int) -> Word {
        bytes.withUnsafeBytes {
            Word(
                littleEndian: $0.loadUnaligned(
                    fromByteOffset: index * MemoryLayout<Word>.size, as: Word.self))
        }
    }

    /// Returns a decimal.
    ///
    /// - Parameter isZero: whether decimals without bytes are 0 and not null.
    func decimal(_ index: Int, isZero: Bool) -> RealmValue {
        switch width {
        case 4: .decimal(load(index) as UInt32)
        case 8: .decimal(load(index) as UInt64)
        case 16: .decimal(low: load(2 * index), high: load(2 * index + 1))
        default:
            isZero ? .decimal(.finite(isNegative: false, coefficient: 0, exponent: 0)) : .null
        }
    }
}

/// Values of 12 or 16 bytes: blocks of a byte of null bits and eight values.
struct FixedValues {
    let count: Int
    private let size: Int
    private let bytes: [UInt8]

    init(_ node: Node, size: Int, _ reader: NodeReader) throws(RealmFileError) {
        guard node.count == node.payload.count || node.count == 0 else {
            throw .damaged("node \(node.ref) is not an array of \(size)-byte values")
        }
        let (total, block) = (node.payload.count, 8 * size + 1)
        count = (total - (total + block - 1) / block) / size
        guard count * size + (count + 7) / 8 == total else {
            throw .damaged("node \(node.ref): wrong size for \(size)-byte values")
        }
        try reader.count(count)
        (self.size, bytes) = (size, node.payload)
    }

    /// The bytes of a value; `nil` if it is null.
    subscript(index: Int) -> ArraySlice<UInt8>? {
        let block = index / 8 * (8 * size + 1)
        guard bytes[block] >> UInt8(index % 8) & 1 == 0 else { return nil }
        let start = block + 1 + index % 8 * size
        return bytes[start..<start + size]
    }
}
