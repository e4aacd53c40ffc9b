/// The 64-bit hash XXH64 with seed 0, as its specification gives it (Yann Collet, 'xxHash fast digest algorithm').
///
/// A header's hash guards against accidents, not against attackers, and a plugin runs debug builds, in which a
/// cryptographic hash written in Swift would take longer than everything else.
struct XXHash64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    private var bytes: [UInt8] = []

    /// Adds the UTF-8 bytes of a text.
    mutating func update(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// The hash of everything added.
    func digest() -> UInt64 {
        bytes.withUnsafeBytes { Self.hash($0) }
    }

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

    private static func stripes(of input: UnsafeRawBufferPointer, upTo offset: inout Int) -> UInt64
    {
        var lane1 = prime1 &+ prime2
        var lane2 = prime2
        var lane3: UInt64 = 0
        var lane4: UInt64 = 0 &- prime1
        while offset + 32 <= input.count {
            lane1 = round(lane1, word(input, offset))
            lane2 = round(lane2, word(input, offset + 8))
            lane3 = round(lane3, word(input, offset + 16))
            lane4 = round(lane4, word(input, offset + 24))
            offset += 32
        }
        var hash = rotated(lane1, 1) &+ rotated(lane2, 7)
        hash &+= rotated(lane3, 12) &+ rotated(lane4, 18)
        for lane in [lane1, lane2, lane3, lane4] {
            hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
        }
        return hash
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotated(lane &+ word &* prime2, 31) &* prime1
    }

    private static func avalanche(_ hash: UInt64) -> UInt64 {
        var hash = hash
        hash = (hash ^ (hash >> 33)) &* prime2
        hash = (hash ^ (hash >> 29)) &* prime3
        return hash ^ (hash >> 32)
    }

    private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
        (value &<< count) | (value &>> (64 - count))
    }

    private static func word(_ input: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: input.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
