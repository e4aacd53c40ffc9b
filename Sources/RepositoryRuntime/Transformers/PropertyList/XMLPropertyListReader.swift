internal import Foundation

/// Decodes XML property lists of Foundation and other programs, including comments, character
/// references and CDATA sections.
///
/// As in Foundation, if two members have the same name, the last one counts, and line ends are not
/// normalized. A document type with its own declarations is an error, which rules out entity
/// expansion attacks. Encodings other than UTF-8 are errors too.
struct XMLPropertyListReader: DocumentReader {
    /// Whether the element is an empty tag: `<dict/>`.
    struct Frame: DocumentFrame {
        var isEmpty = false
    }

    static var lastDuplicateWins: Bool { true }

    /// The first byte of the input, which outlives the reader.
    let start: UnsafePointer<UInt8>
    /// The number of bytes of the input.
    let count: Int
    /// The offset of the next byte.
    var position = 0
    /// The number of open containers, limited by ``DocumentLimits/depth``.
    private var depth = 0
    /// Whether a `plist` element encloses the top-level value.
    private var hasRoot = false

    /// Starts at the top-level value, after a byte order mark, the prologue and the opening tag of
    /// `plist`.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard let base = bytes.baseAddress, bytes.count > 0 else {
            throw RecordDecodingError("is empty, not a property list")
        }
        start = base.assumingMemoryBound(to: UInt8.self)
        count = bytes.count
        _ = take("\u{FEFF}")
        try readPrologue()
    }

    static func keys(of layout: FieldLayout) -> EncodedKeys {
        XMLPropertyListWriter.keys(of: layout)
    }

    /// Reads the closing tag of `plist`, and checks that only white space and comments follow.
    mutating func finish() throws {
        try skipSpace()
        if hasRoot { try close("plist") }
        try skipSpace()
        guard position == count else { throw malformed }
    }
}

// MARK: - Tokens

extension XMLPropertyListReader {
    /// The error for bytes that are not well-formed at the current position.
    var malformed: RecordDecodingError {
        RecordDecodingError("is not a well-formed XML property list at byte \(position)")
    }

    /// The error for a well-formed value of another type.
    func mismatch(_ expected: String) -> RecordDecodingError {
        RecordDecodingError("is not \(expected)", isMismatch: true)
    }

    /// The next byte; 0 at the end, which is not valid anywhere in XML.
    @inline(__always)
    var next: UInt8 { position < count ? start[position] : 0 }

    /// Whether the byte is one of the four white space characters of XML.
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }

    /// Skips white space and comments.
    @inline(__always)
    mutating func skipSpace() throws {
        while true {
            while position < count, Self.isSpace(start[position]) { position += 1 }
            guard next == UInt8(ascii: "<"), take("<!--") else { return }
            try skip(past: "-->")
        }
    }

    /// Consumes a text if the input continues with it.
    @inline(__always)
    mutating func take(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count - position >= length, memcmp(start + position, text.utf8Start, length) == 0
        else { return false }
        position += length
        return true
    }

    /// Advances past the next occurrence of a text; throws if there is none.
    mutating func skip(past text: StaticString) throws {
        while position < count {
            if take(text) { return }
            position += 1
        }
        throw malformed
    }

    /// Reads the XML declaration, the document type, and the opening tag of `plist`, all of which
    /// are optional.
    private mutating func readPrologue() throws {
        try skipSpace()
        if !take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"), take("<?xml") {
            try readDeclaration()
        }
        try skipSpace()
        if take("<!DOCTYPE") {
            while next != UInt8(ascii: ">") {
                guard position < count, next != UInt8(ascii: "[") else { throw malformed }
                position += 1
            }
            position += 1
            try skipSpace()
        }
        if position + 6 < count, take("<plist") {
            try skip(past: ">")
            hasRoot = true
            try skipSpace()
        }
    }

    /// Reads the rest of an XML declaration. The encoding must be UTF-8, its subset ASCII, or not
    /// given.
    private mutating func readDeclaration() throws {
        let first = position
        try skip(past: "?>")
        let bytes = UnsafeBufferPointer(start: start + first, count: position - first)
        let words = String(decoding: bytes, as: UTF8.self).lowercased()
            .split { $0 == "=" || $0 == "\"" || $0 == "'" || $0 == " " }
        guard let place = words.firstIndex(of: "encoding") else { return }
        guard let encoding = words[place...].dropFirst().first,
            encoding == "utf-8" || encoding == "us-ascii"
        else { throw RecordDecodingError("is not XML in UTF-8") }
    }

    /// Reads the opening tag of an element. Returns nil and reads nothing if another element
    /// follows.
    ///
    /// - Returns: whether the element is an empty tag.
    @inline(__always)
    mutating func open(_ name: StaticString) throws -> Bool? {
        let first = position
        guard next == UInt8(ascii: "<") else { throw malformed }
        position += 1
        guard take(name) else {
            position = first
            return nil
        }
        if next == UInt8(ascii: ">") {
            position += 1
            return false
        }
        guard next == UInt8(ascii: "/") || Self.isSpace(next) else {
            position = first
            return nil
        }
        try skip(past: ">")
        return start[position - 2] == UInt8(ascii: "/")
    }

    /// Reads the closing tag of an element.
    @inline(__always)
    mutating func close(_ name: StaticString) throws {
        guard take("</"), take(name) else { throw malformed }
        while Self.isSpace(next) { position += 1 }
        guard next == UInt8(ascii: ">") else { throw malformed }
        position += 1
    }
}

// MARK: - Containers

extension XMLPropertyListReader {
    /// Reads the opening tag of a container, and increases the depth.
    private mutating func begin(_ name: StaticString, _ expected: String) throws -> Frame {
        guard let isEmpty = try open(name) else { throw mismatch(expected) }
        guard depth < DocumentLimits.depth else { throw DocumentLimits.tooDeep }
        depth += 1
        return Frame(isEmpty: isEmpty)
    }

    /// Advances to the next child of an element. Returns false after consuming its closing tag.
    @inline(__always)
    private mutating func advance(_ frame: Frame, _ name: StaticString) throws -> Bool {
        if !frame.isEmpty {
            try skipSpace()
            guard position + 1 < count, start[position + 1] == UInt8(ascii: "/") else {
                return true
            }
            try close(name)
        }
        depth -= 1
        return false
    }

    mutating func beginObject() throws -> Frame { try begin("dict", "an object") }

    mutating func beginList() throws -> Frame { try begin("array", "a list") }

    mutating func nextMember(_ frame: inout Frame) throws -> Bool { try advance(frame, "dict") }

    mutating func nextElement(_ frame: inout Frame) throws -> Bool { try advance(frame, "array") }

    /// Compares `<key>name</key>` with the input. The returned offset is after the following white
    /// space.
    @inline(__always)
    func matches(_ keys: EncodedKeys, _ index: Int) -> Int? {
        let key = keys[index]
        let length = key.count - 1
        guard let base = key.baseAddress, count - position > length,
            memcmp(start + position, base, length) == 0
        else { return nil }
        var place = position + length
        while place < count, Self.isSpace(start[place]) { place += 1 }
        // A comment follows: `readKey(_:)` skips it.
        guard place + 1 < count, start[place + 1] != UInt8(ascii: "!") else { return nil }
        return place
    }

    /// Reads a `key` element and the white space after it.
    mutating func readKey(_ frame: inout Frame) throws -> String {
        guard let isEmpty = try open("key") else { throw malformed }
        let key = isEmpty ? "" : try readText(endingWith: "key")
        try skipSpace()
        return key
    }

    /// Skips a value and checks its syntax.
    mutating func skipValue() throws {
        if next != UInt8(ascii: "<") { throw malformed }
        switch position + 1 < count ? start[position + 1] : 0 {
        case UInt8(ascii: "s"):
            _ = try readString()
        case UInt8(ascii: "i"):
            _ = try readIntegerText()
        case UInt8(ascii: "r"):
            _ = try readDouble()
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            _ = try readBool()
        case UInt8(ascii: "a"):
            var frame = try beginList()
            while try nextElement(&frame) { try skipValue() }
        case UInt8(ascii: "d"):
            // `readScalar()` reads a date or data, and returns nil for a `dict`.
            if try readScalar() != nil { return }
            var frame = try beginObject()
            while try nextMember(&frame) {
                _ = try readKey(&frame)
                try skipValue()
            }
        default:
            throw malformed
        }
    }
}
