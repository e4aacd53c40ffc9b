internal import Foundation

/// Character data in XML 1.0.
enum XMLText {
    /// Writes text between tags. A carriage return is written as a character reference, because XML
    /// parsers turn a literal one into a line feed. The dollar sign of `$null` is also written as a
    /// reference, because the literal string represents Foundation's null.
    ///
    /// - Throws: ``FieldFailure`` with code `unsupported` for a character that XML does not allow
    ///   (section 2.2).
    static func write(_ text: String, to buffer: inout ByteBuffer) throws {
        if text == "$null" { return buffer.append("&#36;null") }
        try text.withUTF8Bytes { utf8 in
            guard let base = utf8.baseAddress else { return }
            try write(base, utf8.count, to: &buffer)
        }
    }

    /// Writes text in runs of bytes that need no reference.
    private static func write(
        _ text: UnsafePointer<UInt8>, _ count: Int, to buffer: inout ByteBuffer
    ) throws {
        var start = 0
        var position = 0
        while true {
            position = plainLength(text, from: position, to: count)
            guard position < count, let reference = try reference(for: text, position, count) else {
                if position >= count { break }
                position += 1
                continue
            }
            buffer.append(text + start, count: position - start)
            buffer.append(reference)
            position += 1
            start = position
        }
        buffer.append(text + start, count: count - start)
    }

    /// Returns the reference for a byte; nil if the byte is written literally.
    private static func reference(
        for text: UnsafePointer<UInt8>, _ position: Int, _ count: Int
    ) throws -> StaticString? {
        switch text[position] {
        case UInt8(ascii: "&"): return "&amp;"
        case UInt8(ascii: "<"): return "&lt;"
        case UInt8(ascii: ">"): return "&gt;"
        case 0x0D: return "&#13;"
        case 0x09, 0x0A: return nil
        case 0xEF:
            // U+FFFE and U+FFFF.
            guard position + 2 < count, text[position + 1] == 0xBF, text[position + 2] >= 0xBE
            else {
                return nil
            }
            throw unsupported
        default: throw unsupported
        }
    }

    /// The error for a character that XML does not allow.
    static var unsupported: FieldFailure {
        FieldFailure("has a character that XML 1.0 lacks", code: .unsupported)
    }

    /// Returns the offset of the next byte that may need a reference, or `count`. It tests eight
    /// bytes at a time.
    private static func plainLength(
        _ text: UnsafePointer<UInt8>, from start: Int, to count: Int
    ) -> Int {
        var position = start
        while position + 8 <= count {
            let word = UnsafeRawPointer(text + position).loadUnaligned(as: UInt64.self)
            let found = ByteWord.markingXMLSpecials(UInt64(littleEndian: word))
            if found != 0 { return position + found.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < count, !isSpecial(text[position]) { position += 1 }
        return position
    }

    /// Whether a byte may need a reference. `0xEF` may start U+FFFE or U+FFFF.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x26 || byte == 0x3C || byte == 0x3E || byte == 0xEF
    }
}
