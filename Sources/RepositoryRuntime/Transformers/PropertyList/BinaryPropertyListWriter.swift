internal import Foundation

/// The kinds of objects of binary property lists ("bplist00"), as the high bits of the first byte.
enum BinaryPropertyListKind {
    static let integer: UInt8 = 0x10
    static let real: UInt8 = 0x20
    static let date: UInt8 = 0x33
    static let data: UInt8 = 0x40
    static let ascii: UInt8 = 0x50
    static let utf16: UInt8 = 0x60
    static let list: UInt8 = 0xA0
    static let object: UInt8 = 0xD0
}

/// Writes binary property lists in the shapes of Foundation's `PropertyListEncoder`.
///
/// Scalars are written to the file as they come; containers, whose form depends on the number of objects, behind them by
/// ``takeDocument()``. A text `$null` is written in UTF-16, to be told from Foundation's null, which is that text in ASCII.
struct BinaryPropertyListWriter: DocumentWriter {
    /// A list or an object: its kind and its children.
    private struct Container {
        let kind: UInt8
        let count: Int
        let children: Range<Int>
        /// The number that it has as an object.
        let number: Int
    }

    /// The file, as far as it is written.
    var buffer = ByteBuffer()
    /// Where each object begins in the file; of containers it is not known before the end.
    private var places: [Int] = []
    private var containers: [Container] = []
    private var children: [Int] = []
    /// The objects that no container holds yet.
    private var pending: [Int] = []
    /// Where in ``pending`` each open list and map begins.
    private var marks: [Int] = []
    private var keys = BinaryPropertyListKeys()

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

    @inline(__always)
    private mutating func scalar(_ write: (inout ByteBuffer) -> Void) {
        pending.append(places.count)
        places.append(buffer.count)
        write(&buffer)
    }

    fileprivate static func writeHead(_ kind: UInt8, _ count: Int, to buffer: inout ByteBuffer) {
        guard count >= 15 else { return buffer.append(kind | UInt8(count)) }
        buffer.append(kind | 0xF)
        writeInteger(UInt64(count), to: &buffer)
    }

    private static func writeInteger(_ value: UInt64, to buffer: inout ByteBuffer) {
        let power: UInt8 =
            value < 0x100 ? 0 : value < 0x1_0000 ? 1 : value < 0x1_0000_0000 ? 2 : 3
        buffer.append(BinaryPropertyListKind.integer | power)
        buffer.append(bigEndian: value, width: 1 << Int(power))
    }
}

// MARK: - Scalars

extension BinaryPropertyListWriter {
    mutating func writeNull() {
        scalar {
            $0.append(BinaryPropertyListKind.ascii | 5)
            $0.append("$null")
        }
    }

    mutating func write(_ value: Bool) { scalar { $0.append(value ? 0x09 : 0x08) } }

    /// Negative numbers take eight bytes.
    mutating func write(_ value: Int64) {
        scalar { buffer in
            if value >= 0 { return Self.writeInteger(UInt64(value), to: &buffer) }
            buffer.append(BinaryPropertyListKind.integer | 3)
            buffer.append(bigEndian: UInt64(bitPattern: value), width: 8)
        }
    }

    /// Numbers past the largest `Int64` take sixteen.
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

    /// Seconds since 2001.
    mutating func write(_ value: Date) throws {
        guard StoredDate.canStore(value) else { throw FieldFailure("is a date out of range") }
        write(seconds: value.timeIntervalSinceReferenceDate)
    }

    /// Writes a date given as seconds since 2001.
    mutating func write(seconds: Double) {
        scalar {
            $0.append(BinaryPropertyListKind.date)
            $0.append(bigEndian: seconds.bitPattern, width: 8)
        }
    }

    mutating func write(_ value: UUID) { write(value.uuidString) }

    mutating func write(_ value: URL) throws { try writeKeyed(value) }

    mutating func write(_ value: Decimal) throws { try writeKeyed(value) }

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

    /// Whether a text is written in ASCII.
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

    mutating func write(_ value: Data) {
        scalar {
            Self.writeHead(BinaryPropertyListKind.data, value.count, to: &$0)
            $0.append(value)
        }
    }
}

// MARK: - Containers

extension BinaryPropertyListWriter {
    /// Makes a container of what was written since it began, members as key, value, key, value.
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

    mutating func beginObject() -> Int { pending.count }
    mutating func endObject(_ mark: Int, count: Int) {
        end(BinaryPropertyListKind.object, count: count, since: mark)
    }
    mutating func writeKey(_ keys: EncodedKeys, _ index: Int, position: Int) {
        writeKey(keys[index])
    }

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

    /// Writes a key, unless it has been written already.
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
    /// The whole file: objects, the table of their places, the trailer. The writer is not used after that.
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

    /// The bytes of numbers up to this one: 1, 2, 4 or 8.
    private static func width(of value: Int) -> Int {
        value < 0x100 ? 1 : value < 0x1_0000 ? 2 : value < 0x1_0000_0000 ? 4 : 8
    }
}
