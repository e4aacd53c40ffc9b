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
/// Scalars are written as they come; containers, whose form depends on the number of objects, by ``assemble()``. A text
/// `$null` is written in UTF-16, to be told from Foundation's null, which is that text in ASCII.
struct BinaryPropertyListWriter: DocumentWriter {
    /// An object: its bytes, or the kind of a container and the numbers of its children.
    private enum Object {
        case scalar(Range<Int>)
        case container(UInt8, count: Int, children: Range<Int>)
    }

    /// The bytes of the scalars.
    var buffer = ByteBuffer()
    private var objects: [Object] = []
    private var children: [Int] = []
    /// The objects that no container holds yet.
    private var pending: [Int] = []
    /// Where in ``pending`` each open container begins.
    private var marks: [Int] = []
    /// The objects of the keys, which are written once for all containers.
    private var keyNumbers: [String: Int] = [:]

    init() {
        objects.reserveCapacity(64)
        children.reserveCapacity(64)
        pending.reserveCapacity(64)
    }

    static func keys(of layout: FieldLayout) -> EncodedKeys {
        layout.formatKeys.plain(layout.keys)
    }

    @inline(__always)
    private mutating func scalar(_ write: (inout ByteBuffer) -> Void) {
        let start = buffer.count
        write(&buffer)
        pending.append(objects.count)
        objects.append(.scalar(start..<buffer.count))
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
    mutating func write(_ value: Date) {
        scalar {
            $0.append(BinaryPropertyListKind.date)
            $0.append(bigEndian: value.timeIntervalSinceReferenceDate.bitPattern, width: 8)
        }
    }

    mutating func write(_ value: UUID) { write(value.uuidString) }

    mutating func write(_ value: URL) throws { try writeKeyed(value) }

    mutating func write(_ value: Decimal) throws { try writeKeyed(value) }

    mutating func write(_ value: String) {
        let isASCII = value != "$null" && value.withUTF8Bytes(ValidText.isASCII)
        scalar { buffer in
            guard isASCII else {
                let units = Array(value.utf16)
                Self.writeHead(BinaryPropertyListKind.utf16, units.count, to: &buffer)
                for unit in units { buffer.append(bigEndian: UInt64(unit), width: 2) }
                return
            }
            Self.writeHead(BinaryPropertyListKind.ascii, value.utf8.count, to: &buffer)
            buffer.append(text: value)
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
    private mutating func begin() { marks.append(pending.count) }

    /// Makes a container of what was written since it began, members as key, value, key, value.
    private mutating func end(_ kind: UInt8, count: Int) {
        let mark = marks.popLast() ?? 0
        let first = children.count
        if kind == BinaryPropertyListKind.list {
            children += pending[mark...]
        } else {
            children += stride(from: mark, to: pending.count, by: 2).map { pending[$0] }
            children += stride(from: mark + 1, to: pending.count, by: 2).map { pending[$0] }
        }
        pending.removeSubrange(mark...)
        pending.append(objects.count)
        objects.append(.container(kind, count: count, children: first..<children.count))
    }

    mutating func beginObject() { begin() }
    mutating func endObject(_ mark: (), count: Int) {
        end(BinaryPropertyListKind.object, count: count)
    }
    mutating func writeKey(_ keys: EncodedKeys, _ index: Int, position: Int) {
        writeMapKey(String(decoding: keys[index], as: UTF8.self), position: position)
    }

    mutating func beginList(count: Int) { begin() }
    mutating func beginElement(position: Int) {}
    mutating func endList(count: Int) { end(BinaryPropertyListKind.list, count: count) }

    mutating func beginMap(count: Int) { begin() }
    mutating func writeMapKey(_ key: String, position: Int) {
        if let number = keyNumbers[key] { return pending.append(number) }
        keyNumbers[key] = objects.count
        write(key)
    }
    mutating func endMap(count: Int) { end(BinaryPropertyListKind.object, count: count) }
}

// MARK: - The file

extension BinaryPropertyListWriter {
    /// The whole file: objects, the table of their places, the trailer. The buffer of the scalars is freed.
    func assemble() -> Data {
        defer { buffer.discard() }
        var file = ByteBuffer(capacity: buffer.count + 64 + 8 * objects.count)
        file.append("bplist00")
        let width = Self.width(of: objects.count)
        let scalars = buffer.bytes
        var places: [Int] = []
        places.reserveCapacity(objects.count)
        for object in objects {
            places.append(file.count)
            switch object {
            case .scalar(let range):
                if let base = scalars.baseAddress {
                    file.append(base + range.lowerBound, count: range.count)
                }
            case .container(let kind, let count, let range):
                Self.writeHead(kind, count, to: &file)
                for child in children[range] { file.append(bigEndian: UInt64(child), width: width) }
            }
        }
        let table = file.count
        let placeWidth = Self.width(of: table)
        for place in places { file.append(bigEndian: UInt64(place), width: placeWidth) }
        file.append(bigEndian: 0, width: 6)
        file.append(UInt8(placeWidth))
        file.append(UInt8(width))
        file.append(bigEndian: UInt64(objects.count), width: 8)
        file.append(bigEndian: UInt64(pending.first ?? 0), width: 8)
        file.append(bigEndian: UInt64(table), width: 8)
        return file.takeData()
    }

    /// The bytes of numbers up to this one: 1, 2, 4 or 8.
    private static func width(of value: Int) -> Int {
        value < 0x100 ? 1 : value < 0x1_0000 ? 2 : value < 0x1_0000_0000 ? 4 : 8
    }
}
