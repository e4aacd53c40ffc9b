internal import Foundation

/// The types of objects in binary property lists ("bplist00"), in the high bits of the first byte.
enum BinaryPropertyListKind {
    /// An integer. The low four bits are the binary logarithm of its width in bytes.
    static let integer: UInt8 = 0x10
    /// A floating-point number. The low four bits are the binary logarithm of its width in bytes.
    static let real: UInt8 = 0x20
    /// A date: seconds since 2001 as a 64-bit floating-point number. This constant is the complete
    /// first byte.
    static let date: UInt8 = 0x33
    /// Binary data.
    static let data: UInt8 = 0x40
    /// A string in ASCII.
    static let ascii: UInt8 = 0x50
    /// A string in big-endian UTF-16.
    static let utf16: UInt8 = 0x60
    /// A list of references.
    static let list: UInt8 = 0xA0
    /// An object: the references of all keys, then those of all values.
    static let object: UInt8 = 0xD0
}

/// Encodes binary property lists in the conventions of Foundation's `PropertyListEncoder`.
///
/// Scalars are written to the file at once. Containers are written after them by
/// ``takeDocument()``, because the width of their references depends on the number of objects. The
/// string `$null` is written in UTF-16, to distinguish it from Foundation's null, which is the same
/// string in ASCII.
///
/// The top-level object is the only one that is pending at the end. Object numbers are assigned in
/// the order in which objects are completed.
struct BinaryPropertyListWriter: DocumentWriter {
    /// A finished list or object.
    private struct Container {
        /// The type; see ``BinaryPropertyListKind``.
        let kind: UInt8
        /// The number of elements or members.
        let count: Int
        /// The range of its object numbers in ``children``.
        let children: Range<Int>
        /// The object number of the container.
        let number: Int
    }

    /// The file written so far. It contains the header and the scalars.
    var buffer = ByteBuffer()
    /// The offset of each object in the file. The offsets of containers are set at the end.
    private var places: [Int] = []
    /// The finished containers, in the order in which they ended.
    private var containers: [Container] = []
    /// The object numbers of the elements of all finished containers.
    private var children: [Int] = []
    /// The object numbers of the values that are not in a finished container yet.
    private var pending: [Int] = []
    /// The index in ``pending`` at which each open list or map begins. Objects have their index in
    /// their mark.
    private var marks: [Int] = []
    /// The object numbers of the keys written so far.
    private var keys = BinaryPropertyListKeys()

    /// Starts a file with its header.
    init() {
        places.reserveCapacity(32)
        children.reserveCapacity(32)
        pending.reserveCapacity(32)
        buffer.append("bplist00")
    }

    static func keys(of layout: FieldLayout) -> EncodedKeys {
        layout.formatKeys.plain.keys { layout.keys }
    }

    func discard() { buffer.discard() }

    /// Adds an object at the end of the file and writes its bytes.
    @inline(__always)
    private mutating func scalar(_ write: (inout ByteBuffer) -> Void) {
        pending.append(places.count)
        places.append(buffer.count)
        write(&buffer)
    }

    /// Writes the head of an object with its length, which follows as an integer if it is 15 or
    /// more.
    fileprivate static func writeHead(_ kind: UInt8, _ count: Int, to buffer: inout ByteBuffer) {
        guard count >= 15 else { return buffer.append(kind | UInt8(count)) }
        buffer.append(kind | 0xF)
        writeInteger(UInt64(count), to: &buffer)
    }

    /// Writes an integer object of 1, 2, 4 or 8 bytes.
    private static func writeInteger(_ value: UInt64, to buffer: inout ByteBuffer) {
        let power: UInt8 =
            value < 0x100 ? 0 : value < 0x1_0000 ? 1 : value < 0x1_0000_0000 ? 2 : 3
        buffer.append(BinaryPropertyListKind.integer | power)
        buffer.append(bigEndian: value, width: 1 << Int(power))
    }
}

// MARK: - Scalars

extension BinaryPropertyListWriter {
    /// Writes Foundation's null, the string `$null` in ASCII.
    mutating func writeNull() {
        scalar {
            $0.append(BinaryPropertyListKind.ascii | 5)
            $0.append("$null")
        }
    }

    mutating func write(_ value: Bool) { scalar { $0.append(value ? 0x09 : 0x08) } }

    /// Writes an integer in the fewest bytes. Negative numbers take eight bytes.
    mutating func write(_ value: Int64) {
        scalar { buffer in
            if value >= 0 { return Self.writeInteger(UInt64(value), to: &buffer) }
            buffer.append(BinaryPropertyListKind.integer | 3)
            buffer.append(bigEndian: UInt64(bitPattern: value), width: 8)
        }
    }

    /// Writes an unsigned integer. Numbers above `Int64.max` take sixteen bytes.
    mutating func write(_ value: UInt64) {
        guard value > UInt64(Int64.max) else { return write(Int64(value)) }
        scalar { buffer in
            buffer.append(BinaryPropertyListKind.integer | 4)
            buffer.append(bigEndian: 0, width: 8)
            buffer.append(bigEndian: value, width: 8)
        }
    }

    mutating func write(_ value: Float) {
        scalar {
            $0.append(BinaryPropertyListKind.real | 2)
            $0.append(bigEndian: UInt64(value.bitPattern), width: 4)
        }
    }

    mutating func write(_ value: Double) {
        scalar {
            $0.append(BinaryPropertyListKind.real | 3)
            $0.append(bigEndian: value.bitPattern, width: 8)
        }
    }

    /// Writes a date as seconds since 2001.
    mutating func write(_ value: Date) throws {
        guard StoredDate.canStore(value) else { throw FieldFailure("is a date out of range") }
        write(seconds: value.timeIntervalSinceReferenceDate)
    }

    /// Writes a date that is given as seconds since 2001, without a range check.
    mutating func write(seconds: Double) {
        scalar {
            $0.append(BinaryPropertyListKind.date)
            $0.append(bigEndian: seconds.bitPattern, width: 8)
        }
    }

    mutating func write(_ value: UUID) { write(value.uuidString) }

    mutating func write(_ value: URL) throws { try writeKeyed(value) }

    mutating func write(_ value: Decimal) throws { try writeKeyed(value) }

    /// Writes a string in ASCII if possible, otherwise in UTF-16.
    mutating func write(_ value: String) {
        let isASCII = value.withUTF8Bytes { utf8 in
            guard Self.isASCII(utf8) else { return false }
            writeASCII(utf8)
            return true
        }
        if isASCII { return }
        scalar { buffer in
            let units = value.utf16
            Self.writeHead(BinaryPropertyListKind.utf16, units.count, to: &buffer)
            for unit in units { buffer.append(bigEndian: UInt64(unit), width: 2) }
        }
    }

    /// Whether a string is written in ASCII. `$null` is not.
    @inline(__always)
    private static func isASCII(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        if utf8.count == 5, utf8[0] == UInt8(ascii: "$"), utf8.elementsEqual("$null".utf8) {
            return false
        }
        return ValidText.isASCII(utf8)
    }

    @inline(__always)
    private mutating func writeASCII(_ utf8: UnsafeBufferPointer<UInt8>) {
        scalar { buffer in
            Self.writeHead(BinaryPropertyListKind.ascii, utf8.count, to: &buffer)
            if let base = utf8.baseAddress { buffer.append(base, count: utf8.count) }
        }
    }

    /// Writes binary data.
    mutating func write(_ value: Data) {
        scalar {
            Self.writeHead(BinaryPropertyListKind.data, value.count, to: &$0)
            $0.append(value)
        }
    }
}

// MARK: - Containers

extension BinaryPropertyListWriter {
    /// Creates a container from the objects written since `mark`. Members are pending as key,
    /// value, key, value; the format requires all keys before all values.
    private mutating func end(_ kind: UInt8, count: Int, since mark: Int) {
        let first = children.count
        if kind == BinaryPropertyListKind.list {
            children += pending[mark...]
        } else {
            for place in stride(from: mark, to: pending.count, by: 2) {
                children.append(pending[place])
            }
            for place in stride(from: mark + 1, to: pending.count, by: 2) {
                children.append(pending[place])
            }
        }
        pending.removeLast(pending.count - mark)
        containers.append(
            Container(
                kind: kind, count: count, children: first..<children.count, number: places.count))
        pending.append(places.count)
        places.append(0)
    }

    /// Begins an object. The mark is the index of its first pending object.
    mutating func beginObject() -> Int { pending.count }
    mutating func endObject(_ mark: Int, count: Int) {
        end(BinaryPropertyListKind.object, count: count, since: mark)
    }
    mutating func writeKey(_ keys: EncodedKeys, _ index: Int, position: Int) {
        writeKey(keys[index])
    }

    /// Begins a list, and remembers the index of its first pending object.
    mutating func beginList(count: Int) { marks.append(pending.count) }
    mutating func beginElement(position: Int) {}
    mutating func endList(count: Int) {
        end(BinaryPropertyListKind.list, count: count, since: marks.popLast() ?? 0)
    }

    mutating func beginMap(count: Int) { marks.append(pending.count) }
    mutating func writeMapKey(_ key: String, position: Int) {
        key.withUTF8Bytes { writeKey($0) }
    }
    mutating func endMap(count: Int) {
        end(BinaryPropertyListKind.object, count: count, since: marks.popLast() ?? 0)
    }

    /// Adds a key to the pending objects, and writes it if it is new.
    private mutating func writeKey(_ utf8: UnsafeBufferPointer<UInt8>) {
        if let number = keys.number(of: utf8, in: buffer) { return pending.append(number) }
        let number = places.count
        if Self.isASCII(utf8) {
            writeASCII(utf8)
            keys.add(utf8, number, at: buffer.count - utf8.count)
        } else {
            write(String(decoding: utf8, as: UTF8.self))
            keys.add(utf8, number, at: nil)
        }
    }
}

// MARK: - The file

extension BinaryPropertyListWriter {
    /// Completes the file with the containers, the offset table and the trailer, and returns it.
    /// The writer must not be used afterwards.
    mutating func takeDocument() -> Data {
        let width = Self.width(of: places.count)
        for container in containers {
            places[container.number] = buffer.count
            Self.writeHead(container.kind, container.count, to: &buffer)
            for place in container.children {
                buffer.append(bigEndian: UInt64(children[place]), width: width)
            }
        }
        let table = buffer.count
        let placeWidth = Self.width(of: table)
        for place in places { buffer.append(bigEndian: UInt64(place), width: placeWidth) }
        for _ in 0..<6 { buffer.append(0) }
        buffer.append(UInt8(placeWidth))
        buffer.append(UInt8(width))
        buffer.append(bigEndian: UInt64(places.count), width: 8)
        buffer.append(bigEndian: UInt64(pending.first ?? 0), width: 8)
        buffer.append(bigEndian: UInt64(table), width: 8)
        return buffer.takeData()
    }

    /// Returns the number of bytes for numbers up to this one: 1, 2, 4 or 8.
    private static func width(of value: Int) -> Int {
        value < 0x100 ? 1 : value < 0x1_0000 ? 2 : value < 0x1_0000_0000 ? 4 : 8
    }
}
