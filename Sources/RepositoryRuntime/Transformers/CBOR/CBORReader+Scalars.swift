internal import Foundation

extension CBORReader {
    /// Reads null, or undefined, which is treated as null.
    mutating func readNull() throws -> Bool {
        guard position < count, next == 0xF6 || next == 0xF7 else { return false }
        position += 1
        return true
    }

    /// Reads true or false.
    mutating func readBool() throws -> Bool {
        guard position < count, next == 0xF4 || next == 0xF5 else {
            throw mismatch("true or false")
        }
        defer { position += 1 }
        return next == 0xF5
    }

    /// Reads an integer, or a float with an integral value.
    mutating func readInteger() throws -> Int64 {
        guard major == CBORMajor.unsigned || major == CBORMajor.negative else {
            guard let value = Int64(exactly: try readFloating("an integer")) else {
                throw mismatch("an integer")
            }
            return value
        }
        let head = try readHead()
        guard let value = Int64(exactly: head.argument) else {
            throw mismatch("an integer of 64 bits")
        }
        return head.major == CBORMajor.unsigned ? value : ~value
    }

    /// Reads a float, or an integer, which is rounded to the nearest `Double`.
    mutating func readDouble() throws -> Double {
        guard major == CBORMajor.unsigned || major == CBORMajor.negative else {
            return try readFloating("a number")
        }
        let head = try readHead()
        let value = Double(head.argument)
        return head.major == CBORMajor.unsigned ? value : -1 - value
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

    /// Whether the next item is a float of 16, 32 or 64 bits.
    func isFloating() -> Bool { position < count && (0xF9...0xFB).contains(next) }

    /// Reads a float; throws a mismatch for any other item.
    private mutating func readFloating(_ expected: String) throws -> Double {
        guard isFloating() else { throw mismatch(expected) }
        let head = try readHead()
        switch head.information {
        case 25: return HalfFloat.value(bits: UInt16(truncatingIfNeeded: head.argument))
        case 26: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: head.argument)))
        default: return Double(bitPattern: head.argument)
        }
    }

    /// Reads a text string of definite or indefinite length. Invalid UTF-8 is malformed.
    mutating func readString() throws -> String {
        guard major == CBORMajor.text else { throw mismatch("a text") }
        let head = try readHead()
        let text =
            head.information == 31
            ? ValidText.string(try readString(head))
            : ValidText.string(try readBytes(head))
        guard let text else { throw malformed }
        return text
    }

    /// Reads a byte string of definite or indefinite length.
    mutating func readData() throws -> Data {
        guard position < count, major == CBORMajor.bytes else { throw mismatch("data") }
        let head = try readHead()
        return head.information == 31 ? Data(try readString(head)) : Data(try readBytes(head))
    }
}

// MARK: - Tagged values

extension CBORReader {
    /// Reads the tag of the next item. Returns nil and reads nothing if the item has no tag.
    mutating func readTag() throws -> UInt64? {
        guard position < count, major == CBORMajor.tag else { return nil }
        return try readHead().argument
    }

    /// Reads a UUID: 16 bytes with or without the tag, or a text string without it.
    mutating func readUUID() throws -> UUID {
        let tag = try readTag()
        guard tag == nil || tag == CBORTag.uuid else { throw mismatch("a UUID") }
        if tag == nil, major == CBORMajor.text {
            var text = try readString()
            guard let uuid = text.withUTF8(UUIDText.read) else { throw mismatch("a UUID") }
            return uuid
        }
        let bytes = try readData()
        guard bytes.count == 16 else { throw mismatch("a UUID") }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
        return UUID(uuid: uuid)
    }

    /// Reads a URL: a text string with or without the tag.
    mutating func readURL() throws -> URL {
        let tag = try readTag()
        guard tag == nil || tag == CBORTag.url, let url = URL(string: try readString()) else {
            throw mismatch("a URL")
        }
        return url
    }

    /// Reads a decimal: a decimal fraction, an integer or a float.
    ///
    /// A float is converted by way of its shortest decimal notation.
    mutating func readDecimal() throws -> Decimal {
        if isFloating() {
            let value = try readDouble()
            guard value.isFinite, let parts = DecimalParts(text: Array(value.description.utf8)),
                let decimal = parts.decimal
            else { throw mismatch("a decimal number") }
            return decimal
        }
        var exponent = 0
        let isFraction = try major == CBORMajor.tag && peekHead().argument == CBORTag.decimal
        if isFraction {
            _ = try readHead()
            let head = try readHead()
            guard head.major == CBORMajor.list, head.argument == 2, head.information != 31 else {
                throw mismatch("a decimal number")
            }
            guard let power = Int(exactly: try readInteger()), power.magnitude < 1_000_000 else {
                throw mismatch("a decimal number")
            }
            exponent = power
        }
        var parts = try readBigInteger()
        parts.exponent = exponent
        guard let value = parts.decimal else { throw mismatch("a decimal of 38 digits") }
        return value
    }

    /// Reads an integer, or a bignum of up to 128 bits.
    private mutating func readBigInteger() throws -> DecimalParts {
        let isTagged = major == CBORMajor.tag
        let head = try readHead()
        var magnitude = UInt128(head.argument)
        var isNegative = head.major == CBORMajor.negative
        if isTagged {
            isNegative = head.argument == CBORTag.negativeBignum
            guard isNegative || head.argument == CBORTag.positiveBignum else {
                throw mismatch("a decimal number")
            }
            let bytes = try readData().drop { $0 == 0 }
            guard bytes.count <= 16 else { throw mismatch("a decimal of 38 digits") }
            magnitude = bytes.reduce(0) { $0 << 8 | UInt128($1) }
        } else if head.major != CBORMajor.unsigned, !isNegative {
            throw mismatch("a decimal number")
        }
        if isNegative {
            let (sum, overflow) = magnitude.addingReportingOverflow(1)
            guard !overflow else { throw mismatch("a decimal of 38 digits") }
            magnitude = sum
        }
        return DecimalParts(isNegative: isNegative, mantissa: magnitude, exponent: 0)
    }

    /// Reads a date in any of the representations of ``CBORTime``.
    mutating func readDate() throws -> Date {
        let date: Date?
        switch try readTag() {
        case CBORTag.dateText: date = StoredDate.date(text: try readString())
        case CBORTag.seconds where isFloating(): date = CBORTime.date(seconds: try readDouble())
        case CBORTag.seconds: date = CBORTime.date(seconds: try readInteger())
        case CBORTag.extendedTime: date = try readExtendedTime()
        default: throw mismatch("a date")
        }
        guard let date else { throw mismatch("a date in range") }
        return date
    }

    /// Reads extended time: a map of the seconds (key 1) and at most one fraction (key -18 to -1,
    /// the power of ten of its unit).
    private mutating func readExtendedTime() throws -> Date? {
        var frame = try beginObject()
        var seconds: Int64?
        var fraction: Int64 = 0
        var power = 0
        while try nextMember(&frame) {
            let key = try readInteger()
            let value = try readInteger()
            switch key {
            case 1: seconds = value
            case -18...(-1): (power, fraction) = (Int(key), value)
            default: throw mismatch("a date")
            }
        }
        return seconds.flatMap { CBORTime.date(seconds: $0, fraction: fraction, power: power) }
    }
}
