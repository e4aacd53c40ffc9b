/// The 64-bit hash XXH64 with seed 0. Source: the xxHash specification (Yann Collet, 'xxHash fast
/// digest algorithm').
///
/// The hash detects accidental changes; it is not cryptographic. Plugins run debug builds of the
/// generator, in which a cryptographic hash written in Swift would take longer than the rest of a
/// run. The inner loop makes no function calls for the same reason.
package struct XXHash64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// The input so far.
    private var bytes: [UInt8] = []

    /// Creates an empty hash state. The state buffers all input until ``digest()``.
    package init() {}

    /// Appends the UTF-8 bytes of a string.
    package mutating func update(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends the eight bytes of an integer, in little-endian order.
    package mutating func update(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Returns the hash of all appended bytes.
    package func digest() -> UInt64 { Self.hash(of: bytes) }

    /// Returns the hash of the bytes.
    package static func hash(of bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { hash($0) }
    }

    /// Returns the hash of the UTF-8 bytes of a string.
    package static func hash(of text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    }

    /// Hashes the stripes of 32 bytes, then the remaining words, then the remaining bytes.
    private static func hash(_ input: UnsafeRawBufferPointer) -> UInt64 {
        var offset = 0
        var hash = input.count >= 32 ? stripes(of: input, upTo: &offset) : prime5
        hash &+= UInt64(input.count)
        while offset + 8 <= input.count {
            hash = rotated(hash ^ round(0, word(input, offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset + 4 <= input.count {
            let half = UInt32(
                littleEndian: input.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            hash = rotated(hash ^ (UInt64(half) &* prime1), 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < input.count {
            hash = rotated(hash ^ (UInt64(input[offset]) &* prime5), 11) &* prime1
            offset += 1
        }
        return avalanche(hash)
    }

    /// Consumes all whole stripes of 32 bytes, and merges the four lanes. Sets `offset` to the
    /// first byte after the stripes.
    private static func stripes(of input: UnsafeRawBufferPointer, upTo offset: inout Int) -> UInt64
    {
        var lanes = (prime1 &+ prime2, prime2, UInt64(0), 0 &- prime1)
        let count = input.count / 32
        let isAligned = Int(bitPattern: input.baseAddress) % MemoryLayout<UInt64>.alignment == 0
        if let base = input.baseAddress, isAligned, UInt64(1).littleEndian == 1 {
            // The memory is only read. Its alignment and byte order were checked.
            add(base.assumingMemoryBound(to: UInt64.self), count, to: &lanes)
        } else {
            for stripe in 0..<count {
                lanes.0 = round(lanes.0, word(input, stripe * 32))
                lanes.1 = round(lanes.1, word(input, stripe * 32 + 8))
                lanes.2 = round(lanes.2, word(input, stripe * 32 + 16))
                lanes.3 = round(lanes.3, word(input, stripe * 32 + 24))
            }
        }
        offset = count * 32
        var hash = rotated(lanes.0, 1) &+ rotated(lanes.1, 7)
        hash &+= rotated(lanes.2, 12) &+ rotated(lanes.3, 18)
        for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
            hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
        }
        return hash
    }

    /// Adds `count` stripes to the lanes. The rounds are written out, because debug builds do not
    /// inline calls.
    private static func add(
        _ words: UnsafePointer<UInt64>, _ count: Int,
        to lanes: inout (UInt64, UInt64, UInt64, UInt64)
    ) {
        let (factor1, factor2) = (prime1, prime2)
        var (lane1, lane2, lane3, lane4) = lanes
        var word = words
        let end = words + count * 4
        while word != end {
            lane1 = lane1 &+ word[0] &* factor2
            lane1 = ((lane1 &<< 31) | (lane1 &>> 33)) &* factor1
            lane2 = lane2 &+ word[1] &* factor2
            lane2 = ((lane2 &<< 31) | (lane2 &>> 33)) &* factor1
            lane3 = lane3 &+ word[2] &* factor2
            lane3 = ((lane3 &<< 31) | (lane3 &>> 33)) &* factor1
            lane4 = lane4 &+ word[3] &* factor2
            lane4 = ((lane4 &<< 31) | (lane4 &>> 33)) &* factor1
            word += 4
        }
        lanes = (lane1, lane2, lane3, lane4)
    }

    /// One round of the specification.
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotated(lane &+ word &* prime2, 31) &* prime1
    }

    /// The final mixing step of the specification.
    private static func avalanche(_ hash: UInt64) -> UInt64 {
        var hash = hash
        hash = (hash ^ (hash >> 33)) &* prime2
        hash = (hash ^ (hash >> 29)) &* prime3
        return hash ^ (hash >> 32)
    }

    /// Rotates to the left.
    private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
        (value &<< count) | (value &>> (64 - count))
    }

    /// Reads a little-endian word at any alignment.
    private static func word(_ input: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: input.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
