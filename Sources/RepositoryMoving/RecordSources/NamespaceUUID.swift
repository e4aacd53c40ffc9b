package import Foundation

extension UUID {
    /// A UUID of version 5 (RFC 9562): the SHA-1 of a namespace and a name.
    package init(namespace: UUID, name: String) {
        var message = withUnsafeBytes(of: namespace.uuid, Array.init)
        message += Array(name.utf8)
        var digest = Array(SHA1.digest(message).prefix(16))
        digest[6] = digest[6] & 0x0F | 0x50
        digest[8] = digest[8] & 0x3F | 0x80
        self.init(uuid: digest.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}

/// SHA-1 of FIPS 180-4, for UUIDs. It protects nothing.
private enum SHA1 {
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        withUnsafeBytes(of: UInt64(message.count * 8).bigEndian) { bytes += $0 }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word << count | word >> (32 - count)
        }
        var words = [UInt32](repeating: 0, count: 80)
        for start in stride(from: 0, to: bytes.count, by: 64) {
            for index in 0..<16 {
                words[index] = bytes[start + 4 * index..<start + 4 * index + 4]
                    .reduce(0) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<80 {
                words[index] = rotated(
                    words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
            }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for index in 0..<80 {
                let (mixed, constant): (UInt32, UInt32) =
                    switch index {
                    case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
                    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                    case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                let sum = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[index]
                (e, d, c, b, a) = (d, c, rotated(b, 30), a, sum)
            }
            for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
        }
        return state.flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
    }
}
