internal import Foundation

extension CBORReader {
    /// Null, or undefined, which means as much.
    mutating func readNull() throws -> Bool {
        guard position < count, next == 0xF6 || next == 0xF7 else { return false }
        position += 1
        return true
    }

    mutating func readBool() throws -> Bool {
        guard position < count, next == 0xF4 || next == 0xF5 else {
            throw mismatch("true or false")
        }
        defer { position += 1 }
        return next == 0xF5
    }

    /// A float that is whole is an integer too.
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

    /// An integer is a number too.
    mutating func readDouble() throws -> Double {
        guard major == CBORMajor.unsigned || major == CBORMajor.negative else {
            return try readFloating("a number")
        }
        let head = try readHead()
        let value = Double(head.argument)
        return head.major == CBORMajor.unsigned ? value : -1 - value
    }

    mutating func readFloat() throws -> Float {
        let value = try readDouble()
        let single = Float(value)
        guard single.isFinite || !value.isFinite else {
            throw mismatch("a number of single precision")
        }
        return single
    }

    /// The next item, a float of 16, 32 or 64 bits.
    func isFloating() -> Bool { position < count && (0xF9...0xFB).contains(next) }

    private mutating func readFloating(_ expected: String) throws -> Double {
        guard isFloating() else { throw mismatch(expected) }
        let head = try readHead()
        switch head.information {
        case 25: return HalfFloat.value(bits: UInt16(truncatingIfNeeded: head.argument))
        case 26: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: head.argument)))
        default: return Double(bitPattern: head.argument)
        }
    }

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

    mutating func readData() throws -> Data {
        guard position < count, major == CBORMajor.bytes else { throw mismatch("data") }
        let head = try readHead()
        return head.information == 31 ? Data(try readString(head)) : Data(try readBytes(head))
    }
}

// MARK: - Tagged values

extension CBORReader {
    /// The tag of the next item, which is left behind; nil, and nothing is read, where there is none.
    mutating func readTag() throws -> UInt64? {
        guard position < count, major == CBORMajor.tag else { return nil }
        return try readHead().argument
    }

    /// Tagged bytes, or text.
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

    /// Text with a tag or without.
    mutating func readURL() throws -> URL {
        let tag = try readTag()
        guard tag == nil || tag == CBORTag.url, let url = URL(string: try readString()) else {
            throw mismatch("a URL")
        }
        return url
    }

    /// A decimal fraction, an integer or a float.
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

    /// An integer, or a bignum of 128 bits at most.
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

    /// Any of the forms of ``CBORTime``.
    mutating func readDate() throws -> Date {
        let date: Date?
        switch try readTag() {
        case CBORTag.dateText: date = CBORTime.date(text: try readString())
        case CBORTag.seconds where isFloating(): date = CBORTime.date(seconds: try readDouble())
        case CBORTag.seconds: date = CBORTime.date(seconds: try readInteger())
        case CBORTag.extendedTime: date = try readExtendedTime()
        default: throw mismatch("a date")
        }
        guard let date else { throw mismatch("a date in range") }
        return date
    }

    /// A map of seconds (key 1) and one fraction of them (key -18 to 0, the power of ten).
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
