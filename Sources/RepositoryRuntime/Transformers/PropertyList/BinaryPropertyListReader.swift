internal import Foundation

/// Reads binary property lists ("bplist00").
///
/// ``position`` is the number of an object. Objects may be shared, so that a small file can stand for an endless tree;
/// a reader follows no more references than the file has bytes, which is more than any file without shared containers
/// has. As Foundation does, of two members of one name the last counts.
struct BinaryPropertyListReader: DocumentReader {
    /// The references of a container, and how many have been followed.
    struct Frame: DocumentFrame {
        var references = 0
        var count = 0
        var index = 0
        var isObject = false
    }

    static var lastDuplicateWins: Bool { true }

    let bytes: UnsafeRawBufferPointer
    var position = 0
    private let placeWidth: Int
    private let referenceWidth: Int
    private let objectCount: Int
    private let table: Int
    private var depth = 0
    private var budget: Int
    /// The key and the value of the member that one stands at.
    private var member = (key: 0, value: 0)

    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count >= 40, bytes.prefix(7).elementsEqual("bplist0".utf8) else {
            throw RecordDecodingError("is not a binary property list")
        }
        let trailer = bytes.count - 32
        func number(at offset: Int) -> Int {
            let value = UInt64(
                bigEndian: bytes.loadUnaligned(fromByteOffset: trailer + offset, as: UInt64.self))
            return Int(exactly: value) ?? -1
        }
        self.bytes = bytes
        placeWidth = Int(bytes[trailer + 6])
        referenceWidth = Int(bytes[trailer + 7])
        objectCount = number(at: 8)
        table = number(at: 24)
        position = number(at: 16)
        budget = bytes.count
        guard (1...8).contains(placeWidth), (1...8).contains(referenceWidth),
            (8...trailer).contains(table), (1...trailer).contains(objectCount),
            objectCount * placeWidth <= trailer - table, (0..<objectCount).contains(position)
        else { throw RecordDecodingError("is not a well-formed binary property list") }
    }

    static func keys(of layout: FieldLayout) -> EncodedKeys {
        BinaryPropertyListWriter.keys(of: layout)
    }

    /// The trailer was checked before the first value.
    mutating func finish() throws {}
}

// MARK: - Objects

extension BinaryPropertyListReader {
    /// The first byte of an object, and where what follows begins.
    struct Head {
        var kind: UInt8
        var information: UInt8
        var start: Int
    }

    var malformed: RecordDecodingError {
        RecordDecodingError("is not a well-formed binary property list at object \(position)")
    }

    func mismatch(_ expected: String) -> RecordDecodingError {
        RecordDecodingError("is not \(expected)", isMismatch: true)
    }

    /// The number of `width` bytes at an offset.
    func number(at offset: Int, width: Int) throws -> UInt64 {
        guard offset >= 0, width <= 8, offset <= table - width || offset >= table,
            offset <= bytes.count - width
        else { throw malformed }
        var value: UInt64 = 0
        for index in offset..<offset + width { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    func head() throws -> Head { try head(of: position) }

    private func head(of object: Int) throws -> Head {
        let place = try number(at: table + object * placeWidth, width: placeWidth)
        guard let place = Int(exactly: place), (8..<table).contains(place) else { throw malformed }
        let byte = bytes[place]
        return Head(kind: byte & 0xF0, information: byte & 0xF, start: place + 1)
    }

    /// The number of elements or bytes of an object, and where they begin.
    func extent(_ head: Head, width: Int) throws -> (start: Int, count: Int) {
        var start = head.start
        var count = Int(head.information)
        if head.information == 0xF {
            let marker = try number(at: start, width: 1)
            guard marker & 0xF0 == 0x10, marker & 0xF <= 3 else { throw malformed }
            let width = 1 << Int(marker & 0xF)
            guard let long = Int(exactly: try number(at: start + 1, width: width)) else {
                throw malformed
            }
            count = long
            start += 1 + width
        }
        guard start <= table, count <= (table - start) / width else { throw malformed }
        return (start, count)
    }

    private func reference(_ offset: Int) throws -> Int {
        let value = try number(at: offset, width: referenceWidth)
        guard let object = Int(exactly: value), object < objectCount else { throw malformed }
        return object
    }
}

// MARK: - Containers

extension BinaryPropertyListReader {
    private mutating func begin(_ kind: UInt8, _ expected: String) throws -> Frame {
        let head = try head()
        guard head.kind == kind else { throw mismatch(expected) }
        guard depth < DocumentLimits.depth else { throw DocumentLimits.tooDeep }
        depth += 1
        let isObject = kind == BinaryPropertyListKind.object
        let extent = try extent(head, width: referenceWidth * (isObject ? 2 : 1))
        return Frame(references: extent.start, count: extent.count, isObject: isObject)
    }

    private mutating func advance(_ frame: inout Frame) throws -> Bool {
        guard frame.index < frame.count else {
            depth -= 1
            return false
        }
        guard budget > 0 else { throw malformed }
        budget -= 1
        frame.index += 1
        return true
    }

    mutating func beginObject() throws -> Frame {
        try begin(BinaryPropertyListKind.object, "an object")
    }

    mutating func beginList() throws -> Frame { try begin(BinaryPropertyListKind.list, "a list") }

    mutating func nextMember(_ frame: inout Frame) throws -> Bool {
        guard try advance(&frame) else { return false }
        let key = frame.references + (frame.index - 1) * referenceWidth
        member.key = try reference(key)
        member.value = try reference(key + frame.count * referenceWidth)
        return true
    }

    mutating func nextElement(_ frame: inout Frame) throws -> Bool {
        guard try advance(&frame) else { return false }
        position = try reference(frame.references + (frame.index - 1) * referenceWidth)
        return true
    }

    func matches(_ keys: EncodedKeys, _ index: Int) -> Int? {
        guard let head = try? head(of: member.key), head.kind == BinaryPropertyListKind.ascii,
            let extent = try? extent(head, width: 1)
        else { return nil }
        let key = bytes[extent.start..<extent.start + extent.count]
        return key.elementsEqual(keys[index]) ? member.value : nil
    }

    mutating func readKey(_ frame: inout Frame) throws -> String {
        position = member.key
        let key = try readString()
        position = member.value
        return key
    }

    /// Objects that are not asked for are not looked at.
    mutating func skipValue() throws {}

    /// Looks at every object that the outermost one refers to.
    static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do {
            var reader = try Self(bytes)
            _ = try reader.readNode()
            return true
        } catch {
            // The verdict is the answer; the error itself was reported by the reading that failed first.
            return false
        }
    }
}
