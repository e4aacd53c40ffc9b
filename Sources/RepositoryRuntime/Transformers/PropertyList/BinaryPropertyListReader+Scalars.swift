internal import Foundation

extension BinaryPropertyListReader {
    /// Reads Foundation's null, the string `$null` in ASCII, or the null of the format, which no
    /// encoder writes.
    mutating func readNull() throws -> Bool {
        let head = try head()
        if head.kind == 0, head.information == 0 { return true }
        guard head.kind == BinaryPropertyListKind.ascii, head.information == 5 else { return false }
        let extent = try extent(head, width: 1)
        return bytes[extent.start..<extent.start + 5].elementsEqual("$null".utf8)
    }

    mutating func readBool() throws -> Bool {
        let head = try head()
        guard head.kind == 0, head.information == 8 || head.information == 9 else {
            throw mismatch("true or false")
        }
        return head.information == 9
    }

    /// Reads an integer, or a real with an integral value.
    mutating func readInteger() throws -> Int64 {
        let head = try head()
        let value =
            head.kind == BinaryPropertyListKind.real
            ? Int64(exactly: try readDouble()) : Int64(exactly: try readWideInteger())
        guard let value else { throw mismatch("an integer of 64 bits") }
        return value
    }

    /// Reads an integer of any width. Integers of 1, 2 and 4 bytes are unsigned. In 16 bytes, the
    /// upper eight are zero or the sign.
    func readWideInteger() throws -> Int128 {
        let head = try head()
        guard head.kind == BinaryPropertyListKind.integer else { throw mismatch("an integer") }
        switch head.information {
        case 0...2:
            return Int128(try number(at: head.start, width: 1 << Int(head.information)))
        case 3:
            return Int128(Int64(bitPattern: try number(at: head.start, width: 8)))
        case 4:
            let high = Int64(bitPattern: try number(at: head.start, width: 8))
            return Int128(high) << 64 | Int128(try number(at: head.start + 8, width: 8))
        default:
            throw malformed
        }
    }

    /// Reads a real, or an integer, which is rounded to the nearest `Double`.
    mutating func readDouble() throws -> Double {
        let head = try head()
        if head.kind == BinaryPropertyListKind.integer { return Double(try readWideInteger()) }
        guard head.kind == BinaryPropertyListKind.real else { throw mismatch("a number") }
        switch head.information {
        case 2:
            let bits = UInt32(truncatingIfNeeded: try number(at: head.start, width: 4))
            return Double(Float(bitPattern: bits))
        case 3: return Double(bitPattern: try number(at: head.start, width: 8))
        default: throw malformed
        }
    }

    /// Reads a number. Overflow to infinity is a mismatch.
    mutating func readFloat() throws -> Float {
        let value = try readDouble()
        let single = Float(value)
        guard single.isFinite || !value.isFinite else {
            throw mismatch("a number of single precision")
        }
        return single
    }

    /// Reads a date as seconds since 2001.
    mutating func readDate() throws -> Date {
        let head = try head()
        guard head.kind | head.information == BinaryPropertyListKind.date else {
            throw mismatch("a date")
        }
        let seconds = Double(bitPattern: try number(at: head.start, width: 8))
        guard seconds.isFinite else { throw mismatch("a date in range") }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// Reads an ASCII or UTF-16 string. Invalid text is malformed.
    mutating func readString() throws -> String {
        let head = try head()
        let text: String?
        switch head.kind {
        case BinaryPropertyListKind.ascii:
            let extent = try extent(head, width: 1)
            let ascii = bytes[extent.start..<extent.start + extent.count]
            text = UnsafeRawBufferPointer(rebasing: ascii).withMemoryRebound(to: UInt8.self) {
                ValidText.string($0)
            }
        case BinaryPropertyListKind.utf16:
            let extent = try extent(head, width: 2)
            // The code units are copied for alignment and byte order. A string of usual length
            // needs no heap allocation.
            text = withUnsafeTemporaryAllocation(of: UInt16.self, capacity: extent.count) { units in
                for index in units.indices {
                    let place = extent.start + 2 * index
                    let unit = bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)
                    units.initializeElement(at: index, to: UInt16(bigEndian: unit))
                }
                return String(validating: units, as: UTF16.self)
            }
        default:
            throw mismatch("a text")
        }
        guard let text else { throw malformed }
        return text
    }

    mutating func readData() throws -> Data {
        let head = try head()
        guard head.kind == BinaryPropertyListKind.data else { throw mismatch("data") }
        let extent = try extent(head, width: 1)
        return Data(bytes[extent.start..<extent.start + extent.count])
    }

    /// Reads a UUID as text.
    mutating func readUUID() throws -> UUID {
        var text = try readString()
        guard let uuid = text.withUTF8(UUIDText.read) else { throw mismatch("a UUID") }
        return uuid
    }

    /// Reads a URL in the representation of Foundation's `Codable` conformance.
    mutating func readURL() throws -> URL { try readKeyedURL() }

    /// Reads a decimal in the representation of Foundation's `Codable` conformance.
    mutating func readDecimal() throws -> Decimal { try readKeyedDecimal() }
}

extension BinaryPropertyListReader: DocumentTreeReader {
    func standsAtObject() -> Bool { (try? head().kind) == BinaryPropertyListKind.object }

    mutating func readScalar() throws -> DocumentNode? {
        if try readNull() { return .null }
        switch try head().kind {
        case 0: return .bool(try readBool())
        case BinaryPropertyListKind.integer:
            let value = try readWideInteger()
            if let small = Int64(exactly: value) { return .integer(small) }
            guard let large = UInt64(exactly: value) else { throw malformed }
            return .unsigned(large)
        case BinaryPropertyListKind.real: return .double(try readDouble())
        case BinaryPropertyListKind.date & 0xF0: return .date(try readDate())
        case BinaryPropertyListKind.data: return .data(try readData())
        case BinaryPropertyListKind.ascii, BinaryPropertyListKind.utf16:
            return .string(try readString())
        case BinaryPropertyListKind.list, BinaryPropertyListKind.object: return nil
        default: throw malformed
        }
    }
}
