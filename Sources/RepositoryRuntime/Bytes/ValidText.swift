/// The validating conversion of UTF-8 bytes to strings.
enum ValidText {
    /// The string; nil if the bytes are not valid UTF-8.
    ///
    /// `String(validating:as:)` is not specialised for buffers, and would dominate the cost of
    /// reading a string.
    @inline(__always)
    static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard isASCII(bytes) || isUTF8(bytes) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The string of a byte array; nil if the bytes are not valid UTF-8.
    static func string(_ bytes: [UInt8]) -> String? {
        bytes.withUnsafeBufferPointer { string($0) }
    }

    /// Whether all bytes are below 128. Eight bytes are tested at once.
    @inline(__always)
    static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var position = 0
        var highs: UInt64 = 0
        while position + 8 <= bytes.count {
            highs |= UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self)
            position += 8
        }
        var last: UInt8 = 0
        while position < bytes.count {
            last |= base[position]
            position += 1
        }
        return (highs & 0x8080_8080_8080_8080) == 0 && last < 0x80
    }

    /// Whether the bytes are well-formed (The Unicode Standard, table 3-7): no overlong sequences,
    /// no surrogates, nothing beyond U+10FFFF.
    private static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        while position < bytes.count {
            let lead = bytes[position]
            position += 1
            if lead < 0x80 { continue }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 1
            case 0xE0: (length, second) = (2, 0xA0...0xBF)
            case 0xED: (length, second) = (2, 0x80...0x9F)
            case 0xE1...0xEF: length = 2
            case 0xF0: (length, second) = (3, 0x90...0xBF)
            case 0xF4: (length, second) = (3, 0x80...0x8F)
            case 0xF1...0xF3: length = 3
            default: return false
            }
            guard position + length <= bytes.count, second.contains(bytes[position]) else {
                return false
            }
            for next in position + 1..<position + length where bytes[next] & 0xC0 != 0x80 {
                return false
            }
            position += length
        }
        return true
    }
}
