internal import Foundation

/// Encodes JSON (RFC 8259) in the conventions of Foundation's `JSONEncoder` with default settings.
struct JSONWriter: DocumentWriter {
    var buffer = ByteBuffer()

    func takeDocument() -> Data { buffer.takeData() }
    func discard() { buffer.discard() }

    /// Returns a key as it is encoded after another member: `,"name":`. Before the first member,
    /// the comma is replaced by the opening brace.
    static func key(_ name: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        defer { writer.buffer.discard() }
        writer.buffer.append(UInt8(ascii: ","))
        writer.writeText(String(decoding: name, as: UTF8.self))
        writer.buffer.append(UInt8(ascii: ":"))
        return Array(writer.buffer.bytes)
    }

    static func keys(of layout: FieldLayout) -> EncodedKeys {
        layout.formatKeys.json.keys { layout.keys.map(key) }
    }

    mutating func writeNull() { buffer.append("null") }

    mutating func write(_ value: Bool) {
        if value { buffer.append("true") } else { buffer.append("false") }
    }

    mutating func write(_ value: Int64) { buffer.append(decimal: value) }

    mutating func write(_ value: UInt64) { buffer.append(decimal: value) }

    /// Writes a number with the fewest digits that `Float` needs. Infinity and NaN throw.
    mutating func write(_ value: Float) throws {
        guard value.isFinite else { throw FieldFailure("is not a finite number") }
        NumberText.write(value, to: &buffer)
    }

    /// Writes a number with the fewest digits that `Double` needs. Infinity and NaN throw.
    mutating func write(_ value: Double) throws {
        guard value.isFinite else { throw FieldFailure("is not a finite number") }
        NumberText.write(value, to: &buffer)
    }

    /// Writes a decimal in full, without an exponent. NaN throws.
    mutating func write(_ value: Decimal) throws {
        guard let parts = DecimalParts(value) else { throw FieldFailure("is not a finite number") }
        parts.write(to: &buffer)
    }

    /// Writes a date as seconds since 2001.
    mutating func write(_ value: Date) throws {
        guard StoredDate.canStore(value) else { throw FieldFailure("is a date out of range") }
        try write(value.timeIntervalSinceReferenceDate)
    }

    /// Writes a UUID as an upper-case string.
    mutating func write(_ value: UUID) {
        buffer.append(UInt8(ascii: "\""))
        UUIDText.write(value, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }

    mutating func write(_ value: URL) { writeText(value.absoluteString) }

    mutating func write(_ value: String) { writeText(value) }

    /// Writes data as a Base64 string.
    mutating func write(_ value: Data) {
        buffer.append(UInt8(ascii: "\""))
        value.base64EncodedData().withUnsafeBytes { bytes in
            let bytes = bytes.assumingMemoryBound(to: UInt8.self)
            if let base = bytes.baseAddress { buffer.append(base, count: bytes.count) }
        }
        buffer.append(UInt8(ascii: "\""))
    }
}

// MARK: - Containers

extension JSONWriter {
    /// Writes nothing: the first key contains the opening brace.
    mutating func beginObject() {}

    /// Writes a key with the preceding comma, or with the opening brace for the first member.
    @inline(__always)
    mutating func writeKey(_ keys: EncodedKeys, _ index: Int, position: Int) {
        let key = keys[index]
        let offset = buffer.count
        if let base = key.baseAddress { buffer.append(base, count: key.count) }
        if position == 0 { buffer.set(UInt8(ascii: "{"), at: offset) }
    }

    mutating func endObject(_ mark: (), count: Int) { endBraces(count) }

    mutating func beginList(count: Int) { buffer.append(UInt8(ascii: "[")) }

    mutating func beginElement(position: Int) {
        if position > 0 { buffer.append(UInt8(ascii: ",")) }
    }

    mutating func endList(count: Int) { buffer.append(UInt8(ascii: "]")) }

    mutating func beginMap(count: Int) {}

    mutating func writeMapKey(_ key: String, position: Int) {
        buffer.append(position == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
        writeText(key)
        buffer.append(UInt8(ascii: ":"))
    }

    mutating func endMap(count: Int) { endBraces(count) }

    /// Closes an object. An empty one has no key yet that wrote its opening brace.
    private mutating func endBraces(_ count: Int) {
        if count == 0 { buffer.append("{}") } else { buffer.append(UInt8(ascii: "}")) }
    }
}

// MARK: - Text

extension JSONWriter {
    /// Writes a quoted string. Slashes and non-ASCII characters are not escaped.
    private mutating func writeText(_ text: String) {
        text.withUTF8Bytes { utf8 in
            guard let base = utf8.baseAddress else { return buffer.append("\"\"") }
            buffer.reserve(utf8.count + 2)
            buffer.append(UInt8(ascii: "\""))
            writeEscaped(base, utf8.count)
            buffer.append(UInt8(ascii: "\""))
        }
    }

    /// Writes a string without quotes, in runs of bytes that need no escape.
    private mutating func writeEscaped(_ text: UnsafePointer<UInt8>, _ count: Int) {
        var start = 0
        var position = 0
        while true {
            position = Self.plainLength(text, from: position, to: count)
            if position > start { buffer.append(text + start, count: position - start) }
            guard position < count else { return }
            writeEscape(of: text[position])
            position += 1
            start = position
        }
    }

    /// Returns the offset of the next byte that needs an escape, or `count`. It tests eight bytes
    /// at a time.
    private static func plainLength(
        _ text: UnsafePointer<UInt8>, from start: Int, to count: Int
    ) -> Int {
        var position = start
        while position + 8 <= count {
            let word = UnsafeRawPointer(text + position).loadUnaligned(as: UInt64.self)
            let found = ByteWord.markingJSONSpecials(UInt64(littleEndian: word))
            if found != 0 { return position + found.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < count, !ByteWord.isJSONSpecial(text[position]) { position += 1 }
        return position
    }

    /// Writes the escape sequence of a quote, a backslash or a control character.
    private mutating func writeEscape(of byte: UInt8) {
        buffer.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.append(byte)
        case 0x08: buffer.append(UInt8(ascii: "b"))
        case 0x09: buffer.append(UInt8(ascii: "t"))
        case 0x0A: buffer.append(UInt8(ascii: "n"))
        case 0x0C: buffer.append(UInt8(ascii: "f"))
        case 0x0D: buffer.append(UInt8(ascii: "r"))
        default:
            buffer.append("u00")
            buffer.append(Hexadecimal.upper(byte >> 4))
            buffer.append(Hexadecimal.upper(byte & 0xF))
        }
    }
}
