internal import Foundation

/// Encodes XML property lists in the conventions of Foundation's `PropertyListEncoder`, with one
/// element per line.
///
/// A record is written like this, indented with tabs:
/// ```xml
/// <dict>
///     <key>title</key>
///     <string>Emma</string>
/// </dict>
/// ```
struct XMLPropertyListWriter: DocumentWriter {
    /// The XML declaration, the document type, and the opening tag of `plist`.
    private static let prologue: StaticString = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    /// The document written so far.
    var buffer: ByteBuffer
    /// The number of open containers, which is the indentation in tabs.
    private var depth = 0

    /// Starts a document with its prologue.
    init() {
        buffer = ByteBuffer(capacity: 2048)
        buffer.append(Self.prologue)
    }

    /// Returns a field name as a `key` element with a line end.
    static func key(_ name: [UInt8]) -> [UInt8] {
        // Field names cannot contain characters that XML does not allow, so no error is lost.
        let text = String(decoding: name, as: UTF8.self)
        var buffer = ByteBuffer(capacity: 64)
        defer { buffer.discard() }
        buffer.append("<key>")
        try? XMLText.write(text, to: &buffer)
        buffer.append("</key>\n")
        return Array(buffer.bytes)
    }

    static func keys(of layout: FieldLayout) -> EncodedKeys {
        layout.formatKeys.xml.keys { layout.keys.map(key) }
    }

    /// Ends the document and returns its bytes.
    mutating func takeDocument() -> Data {
        buffer.append("</plist>\n")
        return buffer.takeData()
    }

    func discard() { buffer.discard() }

    /// Writes the indentation of a line.
    @inline(__always)
    private mutating func indent() {
        buffer.append(capacity: depth) { target in
            for index in 0..<depth { target[index] = 0x09 }
            return depth
        }
    }

    /// Writes the indentation and the start of a line.
    private mutating func line(_ text: StaticString) {
        indent()
        buffer.append(text)
    }
}

// MARK: - Scalars

extension XMLPropertyListWriter {
    /// Writes Foundation's null, because property lists have none.
    mutating func writeNull() { line("<string>$null</string>\n") }

    mutating func write(_ value: Bool) {
        if value { line("<true/>\n") } else { line("<false/>\n") }
    }

    mutating func write(_ value: Int64) {
        line("<integer>")
        buffer.append(decimal: value)
        buffer.append("</integer>\n")
    }

    mutating func write(_ value: UInt64) {
        line("<integer>")
        buffer.append(decimal: value)
        buffer.append("</integer>\n")
    }

    mutating func write(_ value: Float) throws {
        guard value.isFinite else { throw FieldFailure("is not a finite number") }
        line("<real>")
        NumberText.write(value, to: &buffer)
        buffer.append("</real>\n")
    }

    mutating func write(_ value: Double) throws {
        guard value.isFinite else { throw FieldFailure("is not a finite number") }
        line("<real>")
        NumberText.write(value, to: &buffer)
        buffer.append("</real>\n")
    }

    /// Writes a date rounded to whole seconds. Dates before 15 October 1582 are in the Julian
    /// calendar, with which Foundation reads them.
    mutating func write(_ value: Date) throws {
        guard StoredDate.canStore(value) else { throw FieldFailure("is a date out of range") }
        let seconds = Int64(value.timeIntervalSinceReferenceDate.rounded())
        let time = CivilTime(
            secondsSince1970: seconds + CivilTime.referenceSeconds, julian: true)
        guard time.year >= 1 else {
            throw FieldFailure(
                "is a date before the year 1, which XML cannot hold", code: .unsupported)
        }
        line("<date>")
        time.write(to: &buffer)
        buffer.append("Z</date>\n")
    }

    /// Writes a UUID as an upper-case string.
    mutating func write(_ value: UUID) {
        line("<string>")
        UUIDText.write(value, to: &buffer)
        buffer.append("</string>\n")
    }

    /// Writes a string. A character that XML does not allow throws.
    mutating func write(_ value: String) throws {
        line("<string>")
        try XMLText.write(value, to: &buffer)
        buffer.append("</string>\n")
    }

    /// Writes data as Base64 on one line.
    mutating func write(_ value: Data) {
        line("<data>")
        value.base64EncodedData().withUnsafeBytes { bytes in
            let bytes = bytes.assumingMemoryBound(to: UInt8.self)
            if let base = bytes.baseAddress { buffer.append(base, count: bytes.count) }
        }
        buffer.append("</data>\n")
    }

    mutating func write(_ value: URL) throws { try writeKeyed(value) }

    mutating func write(_ value: Decimal) throws { try writeKeyed(value) }
}

// MARK: - Containers

extension XMLPropertyListWriter {
    mutating func beginObject() {
        line("<dict>\n")
        depth += 1
    }

    /// Writes a key that was encoded with its element.
    @inline(__always)
    mutating func writeKey(_ keys: EncodedKeys, _ index: Int, position: Int) {
        indent()
        let key = keys[index]
        if let base = key.baseAddress { buffer.append(base, count: key.count) }
    }

    mutating func endObject(_ mark: (), count: Int) {
        depth -= 1
        line("</dict>\n")
    }

    /// Begins a list. An empty one is written as an empty tag.
    mutating func beginList(count: Int) {
        guard count > 0 else { return line("<array/>\n") }
        line("<array>\n")
        depth += 1
    }

    mutating func beginElement(position: Int) {}

    mutating func endList(count: Int) {
        guard count > 0 else { return }
        depth -= 1
        line("</array>\n")
    }

    /// Begins a map. An empty one is written as an empty tag.
    mutating func beginMap(count: Int) {
        guard count > 0 else { return line("<dict/>\n") }
        line("<dict>\n")
        depth += 1
    }

    mutating func writeMapKey(_ key: String, position: Int) throws {
        line("<key>")
        try XMLText.write(key, to: &buffer)
        buffer.append("</key>\n")
    }

    mutating func endMap(count: Int) {
        guard count > 0 else { return }
        depth -= 1
        line("</dict>\n")
    }
}
