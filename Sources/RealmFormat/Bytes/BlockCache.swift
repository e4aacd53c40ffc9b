/// The blocks of a file that were read last.
final class BlockCache {
    /// The size of a block; a multiple of the pages of an encrypted file, whose groups it divides.
    private static let block = 1 << 16
    /// The most blocks that are held: 16 MB.
    private static let limit = 256

    private let pages: DataPages
    private var blocks: [Int: [UInt8]] = [:]
    /// The numbers of the blocks, in a ring.
    private var order: [Int] = []
    private var next = 0
    private var last: (number: Int, bytes: [UInt8]) = (-1, [])

    /// The number of bytes.
    var size: Int { pages.size }

    init(_ pages: DataPages) { self.pages = pages }

    /// Returns bytes of the file. The range must lie within it.
    func bytes(_ range: Range<Int>) throws(RealmFileError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var at = range.lowerBound
        while at < range.upperBound {
            let number = at / Self.block
            try load(number)
            let start = at - number * Self.block
            let end = min(range.upperBound - number * Self.block, last.bytes.count)
            guard start < end else {
                throw RealmFileError(.changed, "the file has become shorter while it was read")
            }
            result += last.bytes[start..<end]
            at += end - start
        }
        return result
    }

    /// Makes a block the last one.
    private func load(_ number: Int) throws(RealmFileError) {
        guard last.number != number else { return }
        if let bytes = blocks[number] {
            last = (number, bytes)
            return
        }
        let start = number * Self.block
        var bytes = [UInt8](repeating: 0, count: min(Self.block, pages.size - start))
        try pages.read(at: start, into: &bytes)
        if order.count < Self.limit {
            order.append(number)
        } else {
            blocks[order[next]] = nil
            order[next] = number
            next = (next + 1) % Self.limit
        }
        blocks[number] = bytes
        last = (number, bytes)
    }
}
