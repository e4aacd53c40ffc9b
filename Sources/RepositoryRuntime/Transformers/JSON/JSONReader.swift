internal import Foundation

/// Decodes JSON (RFC 8259) strictly.
///
/// Details follow Foundation's `JSONDecoder`:
/// - If two members have the same name, the first one counts.
/// - Lone surrogates and invalid UTF-8 are errors in strings and keys that are read, and ignored in
///   values that are skipped.
/// - A byte order mark is skipped.
/// - UTF-16 and UTF-32, which RFC 8259 does not allow, are errors.
struct JSONReader: DocumentReader {
    /// Whether no member or element was read yet, so that no comma is expected.
    struct Frame: DocumentFrame {
        var isFirst = true
    }

    static var lastDuplicateWins: Bool { false }

    /// The first byte of the input, which outlives the reader.
    let start: UnsafePointer<UInt8>
    /// The number of bytes of the input.
    let count: Int
    /// The offset of the next byte.
    var position: Int
    /// Whether skipped strings must also be valid UTF-8 without lone surrogates.
    private(set) var isStrict = false
    /// The number of open containers, limited by ``DocumentLimits/depth``.
    private var depth = 0

    /// Starts at the first value, after a byte order mark and white space.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard let base = bytes.baseAddress, bytes.count > 0 else {
            throw RecordDecodingError("is empty, not JSON")
        }
        start = base.assumingMemoryBound(to: UInt8.self)
        count = bytes.count
        let hasMark = count >= 3 && start[0] == 0xEF && start[1] == 0xBB && start[2] == 0xBF
        position = hasMark ? 3 : 0
        skipSpace()
    }

    static func keys(of layout: FieldLayout) -> EncodedKeys {
        JSONWriter.keys(of: layout)
    }

    /// Checks that nothing but white space follows.
    mutating func finish() throws {
        skipSpace()
        guard position == count else { throw malformed }
    }

    /// Whether the bytes are one well-formed JSON value. Unlike other checks, this one is strict
    /// about skipped strings.
    static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do {
            var reader = try JSONReader(bytes)
            reader.isStrict = true
            try reader.skipValue()
            try reader.finish()
            return true
        } catch {
            // Only the verdict is needed: the operation that failed first has reported its own
            // error.
            return false
        }
    }
}

// MARK: - Tokens

extension JSONReader {
    /// The error for bytes that are not well-formed at the current position.
    var malformed: RecordDecodingError {
        RecordDecodingError("is not well-formed JSON at byte \(position)")
    }

    /// The error for a well-formed value of another type.
    func mismatch(_ expected: String) -> RecordDecodingError {
        RecordDecodingError("is not \(expected)", isMismatch: true)
    }

    /// The next byte; 0 at the end, which is not valid anywhere in JSON.
    @inline(__always)
    var next: UInt8 { position < count ? start[position] : 0 }

    /// Skips the four white space characters of JSON.
    @inline(__always)
    mutating func skipSpace() {
        while position < count {
            let byte = start[position]
            if byte > 0x20 { return }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    /// Consumes a word if the input continues with it.
    mutating func take(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard count - position >= length, memcmp(start + position, word.utf8Start, length) == 0
        else { return false }
        position += length
        return true
    }

    /// Reads null. Returns false and reads nothing before another value.
    mutating func readNull() throws -> Bool {
        next == UInt8(ascii: "n") ? take("null") : false
    }

    /// Reads true or false.
    mutating func readBool() throws -> Bool {
        if take("true") { return true }
        if take("false") { return false }
        throw mismatch("true or false")
    }
}

// MARK: - Containers

extension JSONReader {
    /// Consumes an opening bracket, and increases the depth.
    private mutating func open(_ bracket: UInt8, _ name: String) throws -> Frame {
        guard next == bracket else { throw mismatch(name) }
        guard depth < DocumentLimits.depth else { throw DocumentLimits.tooDeep }
        depth += 1
        position += 1
        return Frame()
    }

    /// Consumes the comma before the next member or element. Returns false after consuming the
    /// closing bracket.
    @inline(__always)
    private mutating func advance(_ frame: inout Frame, closing: UInt8) throws -> Bool {
        skipSpace()
        let byte = next
        if byte == closing {
            position += 1
            depth -= 1
            return false
        }
        if frame.isFirst {
            frame.isFirst = false
            return true
        }
        guard byte == UInt8(ascii: ",") else { throw malformed }
        position += 1
        skipSpace()
        return true
    }

    mutating func beginObject() throws -> Frame { try open(UInt8(ascii: "{"), "an object") }

    mutating func beginList() throws -> Frame { try open(UInt8(ascii: "["), "a list") }

    /// Advances to the key of the next member, which must be a string.
    @inline(__always)
    mutating func nextMember(_ frame: inout Frame) throws -> Bool {
        guard try advance(&frame, closing: UInt8(ascii: "}")) else { return false }
        guard next == UInt8(ascii: "\"") else { throw malformed }
        return true
    }

    /// Advances to the next element. A missing element is detected when it is read.
    @inline(__always)
    mutating func nextElement(_ frame: inout Frame) throws -> Bool {
        try advance(&frame, closing: UInt8(ascii: "]"))
    }

    /// Compares `"name":` with the input, without the leading comma of the writer's encoding. White
    /// space around the colon is skipped.
    @inline(__always)
    func matches(_ keys: EncodedKeys, _ index: Int) -> Int? {
        let key = keys[index]
        let length = key.count - 1
        guard let base = key.baseAddress, count - position > length,
            memcmp(start + position, base + 1, length - 1) == 0
        else { return nil }
        var reader = self
        reader.position += length - 1
        if reader.next != UInt8(ascii: ":") {
            reader.skipSpace()
            guard reader.next == UInt8(ascii: ":") else { return nil }
        }
        reader.position += 1
        reader.skipSpace()
        return reader.position
    }

    /// Reads a key and the colon after it.
    mutating func readKey(_ frame: inout Frame) throws -> String {
        let key = try readString()
        skipSpace()
        guard next == UInt8(ascii: ":") else { throw malformed }
        position += 1
        skipSpace()
        return key
    }
}

// MARK: - Passing over values

extension JSONReader {
    /// Skips a value and checks its syntax.
    mutating func skipValue() throws {
        switch next {
        case UInt8(ascii: "\""):
            try skipString()
        case UInt8(ascii: "{"):
            var frame = try beginObject()
            while try nextMember(&frame) {
                try skipString()
                skipSpace()
                guard next == UInt8(ascii: ":") else { throw malformed }
                position += 1
                skipSpace()
                try skipValue()
            }
        case UInt8(ascii: "["):
            var frame = try beginList()
            while try nextElement(&frame) { try skipValue() }
        case UInt8(ascii: "t"):
            guard take("true") else { throw malformed }
        case UInt8(ascii: "f"):
            guard take("false") else { throw malformed }
        case UInt8(ascii: "n"):
            guard take("null") else { throw malformed }
        default:
            _ = try scanNumber()
        }
    }
}
