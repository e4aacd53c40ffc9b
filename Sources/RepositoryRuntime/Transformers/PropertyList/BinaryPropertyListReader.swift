internal import Foundation

/// Decodes binary property lists ("bplist00").
///
/// ``position`` is the number of an object. Objects may be shared, so that a small file could
/// represent a tree of unlimited size. The number of references that a reader follows is therefore
/// limited to the number of bytes of the file. No file without shared containers has that many.
///
/// As in Foundation, if two members have the same name, the last one counts.
///
/// The file consists of a header of 8 bytes, the objects, the offset table, and a trailer of 32
/// bytes. The trailer contains the width of offsets at byte 6, the width of references at byte 7,
/// the number of objects at byte 8, the number of the top-level object at byte 16, and the offset
/// of the offset table at byte 24. The last three are big-endian integers of 8 bytes.
struct BinaryPropertyListReader: DocumentReader {
    /// The references of an open container, and the number of them that were followed.
    struct Frame: DocumentFrame {
        /// The offset of the first reference.
        var references = 0
        /// The number of elements or members. An object has twice as many references: all keys,
        /// then all values.
        var count = 0
        /// The number of references that were followed.
        var index = 0
        /// Whether the container is an object.
        var isObject = false
    }

    static var lastDuplicateWins: Bool { true }

    /// The whole file, which outlives the reader.
    let bytes: UnsafeRawBufferPointer
    /// The number of the current object.
    var position = 0
    /// The number of bytes of an offset in the offset table.
    private let placeWidth: Int
    /// The number of bytes of an object reference.
    private let referenceWidth: Int
    /// The number of objects.
    private let objectCount: Int
    /// The offset of the offset table, which ends the objects.
    private let table: Int
    /// The number of open containers, limited by ``DocumentLimits/depth``.
    private var depth = 0
    /// The number of references that may still be followed.
    private var budget: Int
    /// The object numbers of the key and the value of the current member.
    private var member = (key: 0, value: 0)

    /// Checks the header and the trailer, and starts at the top-level object.
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

    /// Does nothing: the initializer has checked the trailer.
    mutating func finish() throws {}
}

// MARK: - Objects

extension BinaryPropertyListReader {
    /// The first byte of an object, and the offset after it.
    struct Head {
        /// The type of the object, in the high four bits; see ``BinaryPropertyListKind``.
        var kind: UInt8
        /// The low four bits: a length, a width or a constant, depending on the type.
        var information: UInt8
        /// The offset of the content.
        var start: Int
    }

    /// The error for bytes that are not well-formed at the current object.
    var malformed: RecordDecodingError {
        RecordDecodingError("is not a well-formed binary property list at object \(position)")
    }

    /// The error for a well-formed value of another type.
    func mismatch(_ expected: String) -> RecordDecodingError {
        RecordDecodingError("is not \(expected)", isMismatch: true)
    }

    /// Reads a big-endian number of `width` bytes within the objects or within the offset table and
    /// trailer.
    func number(at offset: Int, width: Int) throws -> UInt64 {
        guard offset >= 0, width <= 8, offset <= table - width || offset >= table,
            offset <= bytes.count - width
        else { throw malformed }
        var value: UInt64 = 0
        for index in offset..<offset + width { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    /// Reads the head of the current object.
    func head() throws -> Head { try head(of: position) }

    /// Looks up an object in the offset table and reads its head.
    private func head(of object: Int) throws -> Head {
        let place = try number(at: table + object * placeWidth, width: placeWidth)
        guard let place = Int(exactly: place), (8..<table).contains(place) else { throw malformed }
        let byte = bytes[place]
        return Head(kind: byte & 0xF0, information: byte & 0xF, start: place + 1)
    }

    /// Returns the number of elements of an object and the offset of the first one. An extended
    /// length follows the head as an integer.
    ///
    /// - Parameter width: the number of bytes of an element.
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

    /// Reads an object reference.
    private func reference(_ offset: Int) throws -> Int {
        let value = try number(at: offset, width: referenceWidth)
        guard let object = Int(exactly: value), object < objectCount else { throw malformed }
        return object
    }
}

// MARK: - Containers

extension BinaryPropertyListReader {
    /// Opens a container of the given type, and increases the depth.
    private mutating func begin(_ kind: UInt8, _ expected: String) throws -> Frame {
        let head = try head()
        guard head.kind == kind else { throw mismatch(expected) }
        guard depth < DocumentLimits.depth else { throw DocumentLimits.tooDeep }
        depth += 1
        let isObject = kind == BinaryPropertyListKind.object
        let extent = try extent(head, width: referenceWidth * (isObject ? 2 : 1))
        return Frame(references: extent.start, count: extent.count, isObject: isObject)
    }

    /// Returns whether another element follows, and charges it to the budget. At the end, decreases
    /// the depth.
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

    /// Opens an object.
    mutating func beginObject() throws -> Frame {
        try begin(BinaryPropertyListKind.object, "an object")
    }

    /// Opens a list.
    mutating func beginList() throws -> Frame { try begin(BinaryPropertyListKind.list, "a list") }

    /// Advances to the next member. The current object changes only when its key is read or
    /// matched.
    mutating func nextMember(_ frame: inout Frame) throws -> Bool {
        guard try advance(&frame) else { return false }
        let key = frame.references + (frame.index - 1) * referenceWidth
        member.key = try reference(key)
        member.value = try reference(key + frame.count * referenceWidth)
        return true
    }

    /// Advances to the next element, which becomes the current object.
    mutating func nextElement(_ frame: inout Frame) throws -> Bool {
        guard try advance(&frame) else { return false }
        position = try reference(frame.references + (frame.index - 1) * referenceWidth)
        return true
    }

    /// Compares the current key with the expected one. Only ASCII keys match; others are found by
    /// ``readKey(_:)``.
    func matches(_ keys: EncodedKeys, _ index: Int) -> Int? {
        guard let head = try? head(of: member.key), head.kind == BinaryPropertyListKind.ascii,
            let extent = try? extent(head, width: 1)
        else { return nil }
        let key = bytes[extent.start..<extent.start + extent.count]
        return key.elementsEqual(keys[index]) ? member.value : nil
    }

    /// Reads the key of the current member. Its value becomes the current object.
    mutating func readKey(_ frame: inout Frame) throws -> String {
        position = member.key
        let key = try readString()
        position = member.value
        return key
    }

    /// Does nothing: objects that are not requested are not examined.
    mutating func skipValue() throws {}

    /// Whether the file is well-formed. Every object that the top-level one refers to is decoded.
    static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do {
            var reader = try Self(bytes)
            _ = try reader.readNode()
            return true
        } catch {
            // Only the verdict is needed: the operation that failed first has reported its own
            // error.
            return false
        }
    }
}
