internal import RepositorySchema

/// Converts libyaml's offsets, which count Unicode scalars, to lines and columns.
///
/// libyaml also counts U+0085, U+2028 and U+2029 as line breaks, unlike editors and terminals.
/// Lines are therefore counted here. The text is scanned only as far as positions are requested,
/// and requests in ascending order have a linear cost in total.
struct YAMLPositions {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The scalar offsets at which the scanned lines begin. The first is 0.
    private var lineStarts = [0]
    /// The end of the scanned part of the text, in scalars and in bytes.
    private var cursor = (scalar: 0, byte: 0)

    /// Creates a converter for UTF-8 text without a byte order mark.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The position of the scalar at an offset; the end of the text if the offset is past it.
    mutating func position(ofScalar offset: Int) -> SourcePosition {
        while cursor.scalar < offset, cursor.byte < bytes.count { step() }
        return position(ofSeenScalar: min(offset, cursor.scalar))
    }

    /// The position of the scalar that contains the byte at an offset.
    mutating func position(ofByte offset: Int) -> SourcePosition {
        self = YAMLPositions(bytes)
        while cursor.byte < min(offset, bytes.count) { step() }
        return position(ofSeenScalar: cursor.scalar)
    }

    /// The text from an offset to the end of its line, limited to 24 bytes.
    mutating func text(fromScalar offset: Int) -> String {
        let byte = byte(ofScalar: offset)
        let rest = bytes[byte..<min(byte + 24, bytes.count)]
        return String(decoding: rest.prefix { !Self.endsLine($0) }, as: UTF8.self)
    }

    /// The text between two offsets.
    mutating func text(fromScalar start: Int, toScalar end: Int) -> String {
        let last = byte(ofScalar: end)
        let first = byte(ofScalar: start)
        return String(decoding: bytes[first..<max(first, last)], as: UTF8.self)
    }

    /// Whether only spaces precede an offset on its line.
    mutating func isFirstOnLine(scalar offset: Int) -> Bool {
        var byte = byte(ofScalar: offset)
        while byte > 0, bytes[byte - 1] == 0x20 { byte -= 1 }
        return byte == 0 || Self.endsLine(bytes[byte - 1])
    }

    /// The byte offset of a scalar. It scans backwards from the cursor if the scalar has been
    /// passed.
    private mutating func byte(ofScalar offset: Int) -> Int {
        while cursor.scalar < offset, cursor.byte < bytes.count { step() }
        var scalar = cursor.scalar
        var byte = cursor.byte
        while scalar > offset, byte > 0 {
            repeat { byte -= 1 } while byte > 0 && bytes[byte] & 0xC0 == 0x80
            scalar -= 1
        }
        return byte
    }

    /// The text from an offset to the next space, limited to 24 bytes.
    mutating func word(fromScalar offset: Int) -> String {
        String(text(fromScalar: offset).prefix { $0 != " " })
    }

    /// Whether more `%TAG` directives precede a document than the limit. The offset, at which the
    /// document may begin, must not be before offsets requested earlier.
    mutating func hasExcessDirectives(fromScalar offset: Int) -> Bool {
        _ = position(ofScalar: offset)
        var byte = cursor.byte
        var count = 0
        while byte < bytes.count {
            let line = byte
            while byte < bytes.count, bytes[byte] == 0x20 || bytes[byte] == 0x09 { byte += 1 }
            let isDirective = byte == line && hasText("%", at: byte)
            let isBetweenDocuments =
                isDirective || byte == bytes.count || Self.endsLine(bytes[byte])
                || hasText("#", at: byte) || (byte == line && hasText("...", at: byte))
            // Only these lines are scanned to their end. Any other line may be as long as the file.
            guard isBetweenDocuments else { return false }
            if isDirective, hasText("%TAG", at: byte) { count += 1 }
            if count > YAMLLimits.tagDirectives { return true }
            while byte < bytes.count, !Self.endsLine(bytes[byte]) { byte += 1 }
            byte += 1
        }
        return false
    }

    private func hasText(_ text: StaticString, at byte: Int) -> Bool {
        guard byte + text.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[byte + $0] == text.utf8Start[$0] }
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == 0x0A || byte == 0x0D
    }

    /// The position of a scalar before the cursor, by binary search in the line starts.
    private func position(ofSeenScalar offset: Int) -> SourcePosition {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return SourcePosition(line: low + 1, column: offset - lineStarts[low] + 1)
    }

    /// Scans one scalar, and records a line start after a line break.
    private mutating func step() {
        let byte = bytes[cursor.byte]
        cursor.byte += 1
        while cursor.byte < bytes.count, bytes[cursor.byte] & 0xC0 == 0x80 { cursor.byte += 1 }
        cursor.scalar += 1
        let endsLine =
            byte == 0x0A
            || (byte == 0x0D && !(cursor.byte < bytes.count && bytes[cursor.byte] == 0x0A))
        if endsLine { lineStarts.append(cursor.scalar) }
    }
}
