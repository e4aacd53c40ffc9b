internal import Foundation

/// Reads CBOR (RFC 8949): well-formed items in any form, indefinite lengths and integers longer than need be included.
///
/// A length is believed only as far as there are bytes, so that nothing is allocated for a false one. Texts must be
/// UTF-8. Of two members of one name the first counts.
struct CBORReader: DocumentReader {
    /// The members or elements still to come; negative where a break ends them.
    struct Frame: DocumentFrame {
        var remaining = 0
        static let isIndefinite = -1
    }

    /// The first bytes of an item: kind, further information, and the number that follows.
    struct Head {
        var major: UInt8
        var information: UInt8
        var argument: UInt64
    }

    static var lastDuplicateWins: Bool { false }

    let start: UnsafePointer<UInt8>
    let count: Int
    var position = 0
    private var depth = 0

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

    mutating func finish() throws {
        guard position == count else { throw malformed }
    }
}

// MARK: - Heads

extension CBORReader {
    var malformed: RecordDecodingError {
        RecordDecodingError("is not well-formed CBOR at byte \(position)")
    }

    func mismatch(_ expected: String) -> RecordDecodingError {
        RecordDecodingError("is not \(expected)", isMismatch: true)
    }

    /// The next byte; a break, which no item begins with, at the end.
    @inline(__always)
    var next: UInt8 { position < count ? start[position] : 0xFF }

    /// The kind of the next item.
    @inline(__always)
    var major: UInt8 { next & 0xE0 }

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
        // A simple value below 32 has one form only, the short one.
        if head.major == CBORMajor.simple, head.information == 24, head.argument < 32 {
            throw malformed
        }
        return head
    }

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

    /// The bytes of a string of definite length.
    mutating func readBytes(_ head: Head) throws -> UnsafeBufferPointer<UInt8> {
        guard let length = Int(exactly: head.argument), length <= count - position else {
            throw malformed
        }
        defer { position += length }
        return UnsafeBufferPointer(start: start + position, count: length)
    }

    /// The bytes of a string of either length.
    mutating func readString(_ head: Head) throws -> [UInt8] {
        guard head.information == 31 else { return Array(try readBytes(head)) }
        var bytes: [UInt8] = []
        while next != 0xFF {
            let chunk = try readHead()
            guard chunk.major == head.major, chunk.information != 31 else { throw malformed }
            let part = try readBytes(chunk)
            // Each chunk of a text is UTF-8 of its own.
            if head.major == CBORMajor.text, ValidText.string(part) == nil {
                throw malformed
            }
            bytes += part
        }
        try readBreak()
        return bytes
    }

    private mutating func readBreak() throws {
        guard position < count, start[position] == 0xFF else { throw malformed }
        position += 1
    }
}

// MARK: - Containers

extension CBORReader {
    private mutating func open(_ expected: UInt8, _ name: String) throws -> Frame {
        guard major == expected, position < count else { throw mismatch(name) }
        guard depth < DocumentLimits.depth else { throw DocumentLimits.tooDeep }
        let head = try readHead()
        depth += 1
        if head.information == 31 { return Frame(remaining: Frame.isIndefinite) }
        // Each member takes a byte at least.
        guard let length = Int(exactly: head.argument), length <= count - position else {
            throw malformed
        }
        return Frame(remaining: length)
    }

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

    @inline(__always)
    func matches(_ keys: EncodedKeys, _ index: Int) -> Int? {
        let key = keys[index]
        guard let base = key.baseAddress, count - position > key.count,
            memcmp(start + position, base, key.count) == 0
        else { return nil }
        return position + key.count
    }

    mutating func readKey(_ frame: inout Frame) throws -> String {
        guard major == CBORMajor.text else { throw mismatch("an object with keys of text") }
        return try readString()
    }

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

    func peekHead() throws -> Head {
        var reader = self
        return try reader.readHead()
    }
}
