internal import Foundation

/// Decodes CBOR (RFC 8949). It accepts any well-formed item, including indefinite lengths and
/// integers that are longer than necessary.
///
/// Lengths are checked against the remaining bytes, so that a false one causes no large allocation.
/// Text strings must be UTF-8. If two members have the same name, the first one counts.
struct CBORReader: DocumentReader {
    /// The number of remaining members or elements; ``isIndefinite`` if a break ends the container.
    struct Frame: DocumentFrame {
        /// The number of remaining members or elements.
        var remaining = 0
        /// The value of ``remaining`` in a container of indefinite length.
        static let isIndefinite = -1
    }

    /// The head of an item: major type, additional information, and argument (RFC 8949, section 3).
    struct Head {
        /// The major type, in the high three bits; see ``CBORMajor``.
        var major: UInt8
        /// The additional information: the low five bits of the first byte.
        var information: UInt8
        /// The value, length or tag; 0 for an indefinite length.
        var argument: UInt64
    }

    static var lastDuplicateWins: Bool { false }

    /// The first byte of the input, which outlives the reader.
    let start: UnsafePointer<UInt8>
    /// The number of bytes of the input.
    let count: Int
    /// The offset of the next item.
    var position = 0
    /// The number of open containers, limited by ``DocumentLimits/depth``.
    private var depth = 0

    /// Starts at the first item, after the tag that marks self-described CBOR.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard let base = bytes.baseAddress, bytes.count > 0 else {
            throw RecordDecodingError("is empty, not CBOR")
        }
        start = base.assumingMemoryBound(to: UInt8.self)
        count = bytes.count
        if next == CBORMajor.tag | 25 {
            let first = position
            let isMark = try readHead().argument == CBORTag.selfDescribed
            if !isMark { position = first }
        }
    }

    static func keys(of layout: FieldLayout) -> EncodedKeys {
        CBORWriter.keys(of: layout)
    }

    /// Checks that all bytes were read.
    mutating func finish() throws {
        guard position == count else { throw malformed }
    }
}

// MARK: - Heads

/// The error for bytes that are not well-formed at the current position.
extension CBORReader {
    var malformed: RecordDecodingError {
        RecordDecodingError("is not well-formed CBOR at byte \(position)")
    }

    /// The error for a well-formed value of another type.
    func mismatch(_ expected: String) -> RecordDecodingError {
        RecordDecodingError("is not \(expected)", isMismatch: true)
    }

    /// The next byte. At the end it is the break byte, with which no item starts.
    @inline(__always)
    var next: UInt8 { position < count ? start[position] : 0xFF }

    /// The major type of the next item.
    @inline(__always)
    var major: UInt8 { next & 0xE0 }

    /// Reads the head of an item. Reserved additional information is malformed.
    @inline(__always)
    mutating func readHead() throws -> Head {
        guard position < count else { throw malformed }
        let byte = start[position]
        var head = Head(major: byte & 0xE0, information: byte & 0x1F, argument: 0)
        position += 1
        switch head.information {
        case 0..<24: head.argument = UInt64(head.information)
        case 24: head.argument = try readNumber(width: 1)
        case 25: head.argument = try readNumber(width: 2)
        case 26: head.argument = try readNumber(width: 4)
        case 27: head.argument = try readNumber(width: 8)
        case 31 where (CBORMajor.bytes...CBORMajor.map).contains(head.major): break
        default: throw malformed
        }
        // Simple values below 32 must use the short encoding (RFC 8949, section 3.3).
        if head.major == CBORMajor.simple, head.information == 24, head.argument < 32 {
            throw malformed
        }
        return head
    }

    /// Reads a big-endian number of 1, 2, 4 or 8 bytes.
    @inline(__always)
    private mutating func readNumber(width: Int) throws -> UInt64 {
        guard count - position >= width else { throw malformed }
        var value: UInt64 = 0
        for _ in 0..<width {
            value = value << 8 | UInt64(start[position])
            position += 1
        }
        return value
    }

    /// Reads the bytes of a string of definite length. The result points into the input.
    mutating func readBytes(_ head: Head) throws -> UnsafeBufferPointer<UInt8> {
        guard let length = Int(exactly: head.argument), length <= count - position else {
            throw malformed
        }
        defer { position += length }
        return UnsafeBufferPointer(start: start + position, count: length)
    }

    /// Reads the bytes of a string of definite or indefinite length into a copy.
    mutating func readString(_ head: Head) throws -> [UInt8] {
        guard head.information == 31 else { return Array(try readBytes(head)) }
        var bytes: [UInt8] = []
        while next != 0xFF {
            let chunk = try readHead()
            guard chunk.major == head.major, chunk.information != 31 else { throw malformed }
            let part = try readBytes(chunk)
            // Each chunk of a text string must be valid UTF-8 on its own (RFC 8949, section 3.2.3).
            if head.major == CBORMajor.text, ValidText.string(part) == nil {
                throw malformed
            }
            bytes += part
        }
        try readBreak()
        return bytes
    }

    /// Reads the break that ends an item of indefinite length.
    private mutating func readBreak() throws {
        guard position < count, start[position] == 0xFF else { throw malformed }
        position += 1
    }
}

// MARK: - Containers

extension CBORReader {
    /// Reads the head of a list or map, and increases the depth.
    private mutating func open(_ expected: UInt8, _ name: String) throws -> Frame {
        guard major == expected, position < count else { throw mismatch(name) }
        guard depth < DocumentLimits.depth else { throw DocumentLimits.tooDeep }
        let head = try readHead()
        depth += 1
        if head.information == 31 { return Frame(remaining: Frame.isIndefinite) }
        // Each member takes at least one byte.
        guard let length = Int(exactly: head.argument), length <= count - position else {
            throw malformed
        }
        return Frame(remaining: length)
    }

    /// Returns whether another member follows. At the end, reads the break if there is one, and
    /// decreases the depth.
    @inline(__always)
    private mutating func advance(_ frame: inout Frame) throws -> Bool {
        if frame.remaining > 0 {
            frame.remaining -= 1
            return true
        }
        if frame.remaining == Frame.isIndefinite {
            if next != 0xFF { return true }
            try readBreak()
        }
        depth -= 1
        return false
    }

    mutating func beginObject() throws -> Frame { try open(CBORMajor.map, "an object") }

    mutating func beginList() throws -> Frame { try open(CBORMajor.list, "a list") }

    mutating func nextMember(_ frame: inout Frame) throws -> Bool { try advance(&frame) }

    mutating func nextElement(_ frame: inout Frame) throws -> Bool { try advance(&frame) }

    /// Compares the next key, as bytes with its head, with the expected encoding.
    @inline(__always)
    func matches(_ keys: EncodedKeys, _ index: Int) -> Int? {
        let key = keys[index]
        guard let base = key.baseAddress, count - position > key.count,
            memcmp(start + position, base, key.count) == 0
        else { return nil }
        return position + key.count
    }

    /// Reads the key of a member, which must be a text string.
    mutating func readKey(_ frame: inout Frame) throws -> String {
        guard major == CBORMajor.text else { throw mismatch("an object with keys of text") }
        return try readString()
    }

    /// Skips an item and checks that it is well-formed. Nested tags count as containers, because
    /// they are read recursively.
    mutating func skipValue() throws {
        let head = try peekHead()
        switch head.major {
        case CBORMajor.text:
            _ = try readString()
        case CBORMajor.bytes:
            _ = try readHead()
            if head.information == 31 { _ = try readString(head) } else { _ = try readBytes(head) }
        case CBORMajor.list:
            var frame = try beginList()
            while try nextElement(&frame) { try skipValue() }
        case CBORMajor.map:
            var frame = try beginObject()
            while try nextMember(&frame) {
                try skipValue()
                try skipValue()
            }
        case CBORMajor.tag:
            guard depth < DocumentLimits.depth else { throw DocumentLimits.tooDeep }
            _ = try readHead()
            depth += 1
            try skipValue()
            depth -= 1
        default:
            _ = try readHead()
        }
    }

    /// Reads the next head without advancing.
    func peekHead() throws -> Head {
        var reader = self
        return try reader.readHead()
    }
}
