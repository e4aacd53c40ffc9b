internal import Foundation

/// The major types of data items (RFC 8949, section 3.1), in the high bits of the first byte.
enum CBORMajor {
    /// An unsigned integer.
    static let unsigned: UInt8 = 0x00
    /// A negative integer n, with the argument -1 - n.
    static let negative: UInt8 = 0x20
    /// A byte string.
    static let bytes: UInt8 = 0x40
    /// A text string in UTF-8.
    static let text: UInt8 = 0x60
    /// An array.
    static let list: UInt8 = 0x80
    /// A map of pairs.
    static let map: UInt8 = 0xA0
    /// A tag, followed by the tagged item.
    static let tag: UInt8 = 0xC0
    /// A float, a simple value, or the break.
    static let simple: UInt8 = 0xE0
}

/// The tags in use (RFC 8949, section 3.4; the IANA registry; RFC 9581 for extended time).
enum CBORTag {
    /// RFC 3339 text.
    static let dateText: UInt64 = 0
    /// Seconds since 1970.
    static let seconds: UInt64 = 1
    /// A nonnegative big integer.
    static let positiveBignum: UInt64 = 2
    /// A negative big integer n, with the magnitude -1 - n.
    static let negativeBignum: UInt64 = 3
    /// A decimal fraction: a list of an exponent and a mantissa.
    static let decimal: UInt64 = 4
    /// A URI (RFC 8949, section 3.4.5.3).
    static let url: UInt64 = 32
    /// A binary UUID.
    static let uuid: UInt64 = 37
    /// Extended time (RFC 9581, section 3).
    static let extendedTime: UInt64 = 1001
    /// Marks the content as CBOR (RFC 8949, section 3.4.6).
    static let selfDescribed: UInt64 = 55_799
}

/// Encodes CBOR (RFC 8949) with definite lengths and the shortest representation of integers,
/// lengths and floats.
struct CBORWriter: DocumentWriter {
    var buffer = ByteBuffer()

    func takeDocument() -> Data { buffer.takeData() }
    func discard() { buffer.discard() }

    /// Returns a field name as an encoded text string.
    static func key(_ name: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        defer { writer.buffer.discard() }
        writer.write(String(decoding: name, as: UTF8.self))
        return Array(writer.buffer.bytes)
    }

    static func keys(of layout: FieldLayout) -> EncodedKeys {
        layout.formatKeys.cbor.keys { layout.keys.map(key) }
    }

    /// Writes the head of an item: its major type with a length, a value or a tag.
    @inline(__always)
    mutating func writeHead(_ major: UInt8, _ argument: UInt64) {
        switch argument {
        case 0..<24:
            buffer.append(major | UInt8(truncatingIfNeeded: argument))
        case 24...0xFF:
            buffer.append(major | 24)
            buffer.append(UInt8(truncatingIfNeeded: argument))
        case 0x100...0xFFFF:
            buffer.append(major | 25)
            buffer.append(bigEndian: argument, width: 2)
        case 0x1_0000...0xFFFF_FFFF:
            buffer.append(major | 26)
            buffer.append(bigEndian: argument, width: 4)
        default:
            buffer.append(major | 27)
            buffer.append(bigEndian: argument, width: 8)
        }
    }

    mutating func writeNull() { buffer.append(0xF6) }

    mutating func write(_ value: Bool) { buffer.append(value ? 0xF5 : 0xF4) }

    /// Writes an integer in the fewest bytes.
    mutating func write(_ value: Int64) {
        if value < 0 {
            writeHead(CBORMajor.negative, UInt64(bitPattern: ~value))
        } else {
            writeHead(CBORMajor.unsigned, UInt64(bitPattern: value))
        }
    }

    mutating func write(_ value: UInt64) { writeHead(CBORMajor.unsigned, value) }

    /// Writes a float in the fewest bytes that represent it exactly.
    mutating func write(_ value: Float) { write(Double(value)) }

    /// Writes the shortest float that represents the value exactly: 16, 32 or 64 bits. NaN takes 16
    /// bits.
    mutating func write(_ value: Double) {
        let single = Float(value)
        guard Double(single) == value || value.isNaN else {
            buffer.append(0xFB)
            return buffer.append(bigEndian: value.bitPattern, width: 8)
        }
        if let half = HalfFloat.bits(of: single) {
            buffer.append(0xF9)
            buffer.append(bigEndian: UInt64(half), width: 2)
        } else {
            buffer.append(0xFA)
            buffer.append(bigEndian: UInt64(single.bitPattern), width: 4)
        }
    }

    /// Writes 16 bytes with the tag for UUIDs.
    mutating func write(_ value: UUID) {
        writeHead(CBORMajor.tag, CBORTag.uuid)
        writeHead(CBORMajor.bytes, 16)
        withUnsafeBytes(of: value.uuid) { buffer.append($0) }
    }

    /// Writes the absolute string with the tag for URLs.
    mutating func write(_ value: URL) {
        writeHead(CBORMajor.tag, CBORTag.url)
        write(value.absoluteString)
    }

    mutating func write(_ value: String) {
        value.withUTF8Bytes { utf8 in
            writeHead(CBORMajor.text, UInt64(utf8.count))
            if let base = utf8.baseAddress { buffer.append(base, count: utf8.count) }
        }
    }

    mutating func write(_ value: Data) {
        writeHead(CBORMajor.bytes, UInt64(value.count))
        value.withUnsafeBytes { bytes in
            let bytes = bytes.assumingMemoryBound(to: UInt8.self)
            if let base = bytes.baseAddress { buffer.append(base, count: bytes.count) }
        }
    }
}

// MARK: - Decimals and dates

extension CBORWriter {
    /// Writes a decimal fraction: the power of ten and the mantissa, which is a bignum if 64 bits
    /// cannot represent it.
    mutating func write(_ value: Decimal) throws {
        guard var parts = DecimalParts(value) else { throw FieldFailure("is not a finite number") }
        parts.strip()
        writeHead(CBORMajor.tag, CBORTag.decimal)
        writeHead(CBORMajor.list, 2)
        write(Int64(parts.exponent))
        // CBOR represents a negative integer n as -1 - n.
        let isNegative = parts.isNegative && parts.mantissa > 0
        let magnitude = isNegative ? parts.mantissa - 1 : parts.mantissa
        if let small = UInt64(exactly: magnitude) {
            return writeHead(isNegative ? CBORMajor.negative : CBORMajor.unsigned, small)
        }
        let tag = isNegative ? CBORTag.negativeBignum : CBORTag.positiveBignum
        writeHead(CBORMajor.tag, tag)
        let width = (128 - magnitude.leadingZeroBitCount + 7) / 8
        writeHead(CBORMajor.bytes, UInt64(width))
        buffer.append(bigEndian: UInt64(truncatingIfNeeded: magnitude >> 64), width: width - 8)
        buffer.append(bigEndian: UInt64(truncatingIfNeeded: magnitude), width: 8)
    }

    /// Writes a date in the representation that ``CBORTime`` chooses.
    mutating func write(_ value: Date) throws {
        switch CBORTime(value) {
        case .seconds(let seconds):
            writeHead(CBORMajor.tag, CBORTag.seconds)
            write(seconds)
        case .fractional(let seconds):
            writeHead(CBORMajor.tag, CBORTag.seconds)
            write(seconds)
        case .text(let text):
            writeHead(CBORMajor.tag, CBORTag.dateText)
            write(text)
        case .extended(let seconds, let attoseconds):
            writeHead(CBORMajor.tag, CBORTag.extendedTime)
            writeHead(CBORMajor.map, 2)
            write(Int64(1))
            write(seconds)
            write(Int64(-18))
            write(attoseconds)
        case nil:
            throw FieldFailure("is a date out of range")
        }
    }
}

// MARK: - Containers

extension CBORWriter {
    /// Reserves one byte for the head, and returns its offset.
    mutating func beginObject() -> Int {
        buffer.append(CBORMajor.map)
        return buffer.count - 1
    }

    @inline(__always)
    mutating func writeKey(_ keys: EncodedKeys, _ index: Int, position: Int) {
        let key = keys[index]
        if let base = key.baseAddress { buffer.append(base, count: key.count) }
    }

    /// Writes the head of an object. With 24 or more members the head needs more than the reserved
    /// byte, and the content is moved.
    mutating func endObject(_ mark: Int, count: Int) {
        guard count >= 24 else { return buffer.set(CBORMajor.map | UInt8(count), at: mark) }
        let width = count < 0x100 ? 1 : count < 0x1_0000 ? 2 : 4
        buffer.open(width, at: mark)
        buffer.set(CBORMajor.map | (width == 1 ? 24 : width == 2 ? 25 : 26), at: mark)
        for place in 0..<width {
            let byte = UInt8(truncatingIfNeeded: count >> (8 * (width - 1 - place)))
            buffer.set(byte, at: mark + 1 + place)
        }
    }

    /// Writes the head of a list, whose length is known. Elements and the end need no bytes.
    mutating func beginList(count: Int) { writeHead(CBORMajor.list, UInt64(count)) }
    mutating func beginElement(position: Int) {}
    mutating func endList(count: Int) {}
    /// Writes the head of a map, whose length is known. The end needs no bytes.
    mutating func beginMap(count: Int) { writeHead(CBORMajor.map, UInt64(count)) }
    mutating func writeMapKey(_ key: String, position: Int) { write(key) }
    mutating func endMap(count: Int) {}
}
