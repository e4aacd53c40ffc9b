/// The SHA-256 hash function (FIPS 180-4), for fingerprints and file names. Foundation has none on
/// Linux.
package enum SHA256 {
    /// The hash of a byte sequence as 64 lower-case hexadecimal digits.
    @inlinable
    package static func hexadecimal<Bytes: Sequence>(_ bytes: Bytes) -> String
    where Bytes.Element == UInt8 {
        // Inlined into the caller, so that the sequence is copied by specialised code.
        hexadecimal(of: Array(bytes))
    }

    /// The hash of bytes as 64 lower-case hexadecimal digits.
    @usableFromInline
    package static func hexadecimal(of bytes: [UInt8]) -> String {
        hexadecimal(digest: hash(bytes))
    }

    /// Returns a hash as 64 lower-case hexadecimal digits.
    static func hexadecimal(digest: [UInt8]) -> String {
        var text = ""
        for byte in digest {
            let digits = String(byte, radix: 16)
            text += digits.count == 1 ? "0\(digits)" : digits
        }
        return text
    }

    /// The hash of bytes: 32 bytes.
    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var stream = SHA256Stream()
        bytes.withUnsafeBytes { stream.append($0) }
        return stream.finish()
    }

    /// Compresses whole blocks of 64 bytes into the state.
    fileprivate static func mix(blocks: UnsafeBufferPointer<UInt8>, _ state: inout [UInt32]) {
        // Unsafe buffers: array accesses are slow in unoptimised builds.
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            for start in stride(from: 0, to: blocks.count, by: 64) {
                mix(UnsafeBufferPointer(rebasing: blocks[start..<start + 64]), words, &state)
            }
        }
    }

    /// Compresses a block of 64 bytes into the state.
    private static func mix(
        _ block: UnsafeBufferPointer<UInt8>, _ words: UnsafeMutableBufferPointer<UInt32>,
        _ state: inout [UInt32]
    ) {
        var index = 0
        while index < 16 {
            let place = index &* 4
            words[index] =
                UInt32(block[place]) &<< 24 | UInt32(block[place &+ 1]) &<< 16
                | UInt32(block[place &+ 2]) &<< 8 | UInt32(block[place &+ 3])
            index &+= 1
        }
        // Rotations are written out, and shifts are masked: unoptimised builds, such as tests, call
        // a function for others.
        while index < 64 {
            let (early, late) = (words[index &- 15], words[index &- 2])
            let first =
                (early &>> 7 | early &<< 25) ^ (early &>> 18 | early &<< 14) ^ early &>> 3
            let second = (late &>> 17 | late &<< 15) ^ (late &>> 19 | late &<< 13) ^ late &>> 10
            words[index] = words[index &- 16] &+ first &+ words[index &- 7] &+ second
            index &+= 1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        constants.withUnsafeBufferPointer { constants in
            var index = 0
            while index < 64 {
                let high = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
                let choice = (e & f) ^ (~e & g)
                let first = h &+ high &+ choice &+ constants[index] &+ words[index]
                let low = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
                let majority = (a & b) ^ (a & c) ^ (b & c)
                h = g
                g = f
                f = e
                e = d &+ first
                d = c
                c = b
                b = a
                a = first &+ low &+ majority
                index &+= 1
            }
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    fileprivate static let initialState: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The state with which SHA-224 begins.
    fileprivate static let initialState224: [UInt32] = [
        0xc105_9ed8, 0x367c_d507, 0x3070_dd17, 0xf70e_5939,
        0xffc0_0b31, 0x6858_1511, 0x64f9_8fa7, 0xbefa_4fa4,
    ]

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

/// The SHA-256 hash of bytes that arrive in parts.
package struct SHA256Stream: Sendable {
    private var state: [UInt32]
    /// The bytes that do not fill a block yet: fewer than 64.
    private var rest: [UInt8] = []
    /// The number of bytes so far.
    package private(set) var count = 0

    /// Creates the hash of no bytes.
    package init() { state = SHA256.initialState }

    /// Creates the SHA-224 hash of no bytes, which is the first 28 bytes of the result.
    package static func sha224() -> Self {
        var stream = Self()
        stream.state = SHA256.initialState224
        return stream
    }

    /// The hash of the bytes so far as 64 lower-case hexadecimal digits.
    package var hexadecimal: String { SHA256.hexadecimal(digest: finish()) }

    /// Appends bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        count += bytes.count
        var bytes = bytes[...]
        if !rest.isEmpty {
            let part = bytes.prefix(64 - rest.count)
            rest.append(contentsOf: part)
            bytes = bytes.dropFirst(part.count)
            guard rest.count == 64 else { return }
            rest.withUnsafeBufferPointer { SHA256.mix(blocks: $0, &state) }
            rest.removeAll(keepingCapacity: true)
        }
        let whole = UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 64 * 64))
        whole.withMemoryRebound(to: UInt8.self) { SHA256.mix(blocks: $0, &state) }
        rest.append(contentsOf: bytes.dropFirst(whole.count))
    }

    /// Returns the hash of the bytes so far: 32 bytes.
    package func finish() -> [UInt8] {
        var last = rest
        last.append(0x80)
        while last.count % 64 != 56 { last.append(0) }
        let bitCount = UInt64(count) * 8
        for shift in stride(from: 56, through: 0, by: -8) {
            last.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
        }
        var state = state
        last.withUnsafeBufferPointer { SHA256.mix(blocks: $0, &state) }
        return state.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }
}
