/// Decompresses deflate streams (RFC 1951). Foundation has no such function on Linux.
struct Inflate {
    private static let malformed = CoreDataFileError(.damaged, "The compressed data is damaged.")
    /// The order in which a dynamic block lists the lengths of the code for code lengths.
    private static let lengthOrder = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]
    /// The lengths of matches for the symbols from 257, and how many more bits they have.
    private static let lengths: [(base: Int, bits: Int)] = [
        (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1),
        (15, 1), (17, 1), (19, 2), (23, 2), (27, 2), (31, 2), (35, 3), (43, 3), (51, 3), (59, 3),
        (67, 4), (83, 4), (99, 4), (115, 4), (131, 5), (163, 5), (195, 5), (227, 5), (258, 0),
    ]

    private let input: ArraySlice<UInt8>
    private let limit: Int
    private var position: Int
    private var pending: UInt32 = 0
    private var pendingCount = 0
    private var output: [UInt8] = []

    /// Decompresses data.
    ///
    /// - Parameters:
    ///   - data: a raw deflate stream, or one with the header and checksum of zlib (RFC 1950).
    ///   - limit: the maximum number of bytes of the result.
    /// - Throws: ``CoreDataFileError`` if the data is damaged or the result is longer.
    static func bytes(of data: [UInt8], limit: Int) throws(CoreDataFileError) -> [UInt8] {
        var raw = Inflate(data[...], limit)
        do throws(CoreDataFileError) {
            try raw.run()
            return raw.output
        } catch {
            guard data.count > 6, data[0] & 15 == 8, (Int(data[0]) << 8 | Int(data[1])) % 31 == 0,
                data[1] & 32 == 0
            else { throw error }
            var wrapped = Inflate(data[2...], limit)
            try wrapped.run()
            let end = wrapped.position
            guard data.count >= end + 4 else { throw malformed }
            let sum = data[end..<end + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard sum == adler(wrapped.output) else { throw malformed }
            return wrapped.output
        }
    }

    private init(_ input: ArraySlice<UInt8>, _ limit: Int) {
        self.input = input
        self.limit = limit
        position = input.startIndex
    }

    /// The checksum of zlib.
    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return high << 16 | low
    }

    private mutating func run() throws(CoreDataFileError) {
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try copyStored()
            case 1: try expand(.fixedLiterals, .fixedDistances)
            case 2:
                let (literals, distances) = try readCodes()
                try expand(literals, distances)
            default: throw Self.malformed
            }
        }
    }

    /// Reads bits, the least significant first.
    private mutating func bits(_ count: Int) throws(CoreDataFileError) -> Int {
        while pendingCount < count {
            guard position < input.endIndex else { throw Self.malformed }
            pending |= UInt32(input[position]) << UInt32(pendingCount)
            position += 1
            pendingCount += 8
        }
        let value = pending & (1 << UInt32(count) - 1)
        pending >>= UInt32(count)
        pendingCount -= count
        return Int(value)
    }

    /// Reads a symbol of a code, bit by bit.
    private mutating func symbol(_ code: PrefixCode) throws(CoreDataFileError) -> Int {
        var value = 0
        var first = 0
        var index = 0
        for length in 1...15 {
            value |= try bits(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Self.malformed
    }

    private mutating func copyStored() throws(CoreDataFileError) {
        // The rest of the current byte is skipped.
        (pending, pendingCount) = (0, 0)
        guard input.endIndex - position >= 4 else { throw Self.malformed }
        let count = Int(input[position]) | Int(input[position + 1]) << 8
        let complement = Int(input[position + 2]) | Int(input[position + 3]) << 8
        position += 4
        guard count == ~complement & 0xFFFF, input.endIndex - position >= count else {
            throw Self.malformed
        }
        try checkSpace(count)
        output += input[position..<position + count]
        position += count
    }

    private func checkSpace(_ count: Int) throws(CoreDataFileError) {
        guard output.count + count <= limit else {
            throw CoreDataFileError(.damaged, "The compressed data is larger than \(limit) bytes.")
        }
    }

    private mutating func expand(
        _ literals: PrefixCode, _ distances: PrefixCode
    ) throws(CoreDataFileError) {
        while true {
            let found = try symbol(literals)
            if found < 256 {
                try checkSpace(1)
                output.append(UInt8(found))
                continue
            }
            if found == 256 { return }
            guard found - 257 < Self.lengths.count else { throw Self.malformed }
            let (base, more) = Self.lengths[found - 257]
            let length = base + (try bits(more))
            let code = try symbol(distances)
            guard code < 30 else { throw Self.malformed }
            let moreBits = max(0, code / 2 - 1)
            let start = code < 4 ? code + 1 : (2 + code % 2) << moreBits + 1
            let distance = start + (try bits(moreBits))
            guard distance <= output.count else { throw Self.malformed }
            try checkSpace(length)
            // A match may overlap what it writes.
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    /// Reads the two codes of a dynamic block.
    private mutating func readCodes() throws(CoreDataFileError) -> (PrefixCode, PrefixCode) {
        let literalCount = try bits(5) + 257
        let distanceCount = try bits(5) + 1
        let lengthCount = try bits(4) + 4
        guard literalCount <= 286, distanceCount <= 30 else { throw Self.malformed }
        var codeLengths = [Int](repeating: 0, count: 19)
        for index in 0..<lengthCount { codeLengths[Self.lengthOrder[index]] = try bits(3) }
        guard let code = PrefixCode(codeLengths[...], mayBeSingle: false) else {
            throw Self.malformed
        }
        var lengths: [Int] = []
        while lengths.count < literalCount + distanceCount {
            let found = try symbol(code)
            switch found {
            case ..<16: lengths.append(found)
            case 16:
                guard let last = lengths.last else { throw Self.malformed }
                lengths += repeatElement(last, count: try bits(2) + 3)
            case 17: lengths += repeatElement(0, count: try bits(3) + 3)
            default: lengths += repeatElement(0, count: try bits(7) + 11)
            }
        }
        guard lengths.count == literalCount + distanceCount, lengths[256] > 0,
            let literals = PrefixCode(lengths[..<literalCount], mayBeSingle: true),
            let distances = PrefixCode(lengths[literalCount...], mayBeSingle: true)
        else { throw Self.malformed }
        return (literals, distances)
    }
}

/// A canonical prefix code: how many symbols have each length, and the symbols in order.
private struct PrefixCode {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    static let fixedLiterals = PrefixCode(
        lengths: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
            + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8))
    static let fixedDistances = PrefixCode(lengths: [Int](repeating: 5, count: 30))

    private init(lengths: [Int]) {
        for length in lengths { counts[length] += 1 }
        for length in 1...15 {
            symbols += lengths.indices.filter { lengths[$0] == length }
        }
    }

    /// Creates a code.
    ///
    /// - Parameters:
    ///   - lengths: the length of each symbol; 0 for a symbol without a code.
    ///   - mayBeSingle: whether a code of one symbol, or of none, is allowed.
    /// - Returns: `nil` if the lengths are not those of a complete code.
    init?(_ lengths: ArraySlice<Int>, mayBeSingle: Bool) {
        self.init(lengths: Array(lengths))
        var left = 1
        for length in 1...15 {
            left = left << 1 - counts[length]
            if left < 0 { return nil }
        }
        let isSingle = counts[0] + counts[1] == lengths.count
        guard left == 0 || mayBeSingle && isSingle else { return nil }
    }
}
