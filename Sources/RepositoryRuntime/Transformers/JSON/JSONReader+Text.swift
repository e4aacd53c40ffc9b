internal import Foundation

extension JSONReader {
    /// Reads a string. Invalid UTF-8 is malformed.
    mutating func readString() throws -> String {
        try withTextBytes { reader, bytes in
            guard let text = ValidText.string(bytes) else {
                throw reader.malformed
            }
            return text
        }
    }

    /// Reads a UUID as text, without creating a string.
    mutating func readUUID() throws -> UUID {
        try withTextBytes { reader, bytes in
            guard let uuid = UUIDText.read(bytes) else { throw reader.mismatch("a UUID") }
            return uuid
        }
    }

    /// Reads a URL as text.
    mutating func readURL() throws -> URL {
        let text = try readString()
        guard let url = URL(string: text) else { throw mismatch("a URL") }
        return url
    }

    /// Reads data in Base64.
    mutating func readData() throws -> Data {
        let text = try readString()
        guard let data = Data(base64Encoded: text) else { throw mismatch("data in Base64") }
        return data
    }

    /// Reads a string, and calls `body` with its unescaped bytes. Only a string with escapes is
    /// copied.
    @inline(__always)
    private mutating func withTextBytes<R>(
        _ body: (inout JSONReader, UnsafeBufferPointer<UInt8>) throws -> R
    ) throws -> R {
        guard next == UInt8(ascii: "\"") else { throw mismatch("a text") }
        position += 1
        let first = position
        skipPlain()
        guard next == UInt8(ascii: "\\") else {
            let bytes = UnsafeBufferPointer(start: start + first, count: position - first)
            try endText()
            return try body(&self, bytes)
        }
        let bytes = try unescaped(from: first)
        return try bytes.withUnsafeBufferPointer { try body(&self, $0) }
    }

    /// Reads the closing quote.
    private mutating func endText() throws {
        guard next == UInt8(ascii: "\"") else { throw malformed }
        position += 1
    }

    /// Advances to the next quote, backslash or control character, eight bytes at a time.
    @inline(__always)
    private mutating func skipPlain() {
        while position + 8 <= count {
            let word = UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self)
            let found = ByteWord.markingJSONSpecials(UInt64(littleEndian: word))
            if found != 0 {
                position += found.trailingZeroBitCount / 8
                return
            }
            position += 8
        }
        while position < count, !ByteWord.isJSONSpecial(start[position]) { position += 1 }
    }

    /// Returns the bytes of a string with escapes. The reader is at the first escape.
    ///
    /// - Parameter first: the offset of the first byte after the opening quote.
    private mutating func unescaped(from first: Int) throws -> [UInt8] {
        var bytes = Array(UnsafeBufferPointer(start: start + first, count: position - first))
        while next == UInt8(ascii: "\\") {
            position += 1
            try readEscape(into: &bytes)
            let plain = position
            skipPlain()
            bytes += UnsafeBufferPointer(start: start + plain, count: position - plain)
        }
        try endText()
        return bytes
    }

    /// Reads an escape sequence after its backslash. A surrogate pair becomes one scalar; a lone
    /// surrogate is malformed.
    private mutating func readEscape(into bytes: inout [UInt8]) throws {
        let letter = next
        position += 1
        if let byte = Self.simpleEscape(letter) { return bytes.append(byte) }
        guard letter == UInt8(ascii: "u") else { throw malformed }
        var code = UInt32(try readCodeUnit())
        if (0xD800..<0xDC00).contains(code) {
            guard take("\\u") else { throw malformed }
            let low = UInt32(try readCodeUnit())
            guard (0xDC00..<0xE000).contains(low) else { throw malformed }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw malformed }
        bytes += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Returns the character for a two-character escape; nil for any other letter.
    private static func simpleEscape(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// Reads the four hexadecimal digits of a `\u` escape.
    private mutating func readCodeUnit() throws -> UInt16 {
        guard count - position >= 4 else { throw malformed }
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Hexadecimal.value(next) else { throw malformed }
            code = code << 4 | UInt16(digit)
            position += 1
        }
        return code
    }

    /// Skips a string. Its escapes are checked, but the encoding of its characters is checked only
    /// in strict mode.
    mutating func skipString() throws {
        if isStrict {
            _ = try readString()
            return
        }
        guard next == UInt8(ascii: "\"") else { throw malformed }
        position += 1
        skipPlain()
        while next == UInt8(ascii: "\\") {
            position += 1
            let letter = next
            position += 1
            if letter == UInt8(ascii: "u") {
                _ = try readCodeUnit()
            } else if Self.simpleEscape(letter) == nil {
                throw malformed
            }
            skipPlain()
        }
        try endText()
    }
}
