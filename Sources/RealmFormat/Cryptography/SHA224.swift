/// SHA-224 of FIPS 180-4, and the HMAC over it.
struct SHA224 {
    private var state: [UInt32] = [
        0xC105_9ED8, 0x367C_D507, 0x3070_DD17, 0xF70E_5939, 0xFFC0_0B31, 0x6858_1511, 0x64F9_8FA7,
        0xBEFA_4FA4,
    ]
    private var words = [UInt32](repeating: 0, count: 64)
    private var length = 0

    /// Adds bytes of a multiple of 64.
    private mutating func addBlocks(_ bytes: UnsafeRawBufferPointer) {
        length += bytes.count
        for start in stride(from: 0, to: bytes.count, by: 64) {
            for index in 0..<16 {
                words[index] = UInt32(
                    bigEndian: bytes.loadUnaligned(
                        fromByteOffset: start + 4 * index, as: UInt32.self))
            }
            addWords()
        }
    }

    /// Adds the block in the first 16 words.
    private mutating func addWords() {
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = early.rotated(7) ^ early.rotated(18) ^ early >> 3
            let second = late.rotated(17) ^ late.rotated(19) ^ late >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let first =
                h &+ (e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)) &+ choice
                &+ Self.constants[index] &+ words[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    /// Adds the last bytes.
    ///
    /// - Returns: the digest, of 28 bytes.
    private mutating func finish(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let whole = bytes.count / 64 * 64
        addBlocks(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
        let bits = UInt64(length + bytes.count - whole) * 8
        var rest = Array(bytes[whole...]) + [0x80]
        while rest.count % 64 != 56 { rest.append(0) }
        withUnsafeBytes(of: bits.bigEndian) { rest += $0 }
        rest.withUnsafeBytes { addBlocks($0) }
        return state.prefix(7).flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
    }

    /// Returns the HMAC of bytes, of 28 bytes.
    ///
    /// - Parameter key: at most 64 bytes.
    static func authenticationCode(of bytes: UnsafeRawBufferPointer, key: [UInt8]) -> [UInt8] {
        func pad(_ byte: UInt8) -> [UInt8] {
            (0..<64).map { ($0 < key.count ? key[$0] : 0) ^ byte }
        }
        var inner = SHA224()
        pad(0x36).withUnsafeBytes { inner.addBlocks($0) }
        let digest = inner.finish(bytes)
        var outer = SHA224()
        pad(0x5C).withUnsafeBytes { outer.addBlocks($0) }
        return digest.withUnsafeBytes { outer.finish($0) }
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
        0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
        0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
        0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
        0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
}

extension UInt32 {
    /// The bits, rotated to the right.
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
