internal import Foundation

extension XMLPropertyListReader {
    /// Reads Foundation's null in exactly this spelling. A string `$null` is written with a
    /// character reference, so it differs.
    mutating func readNull() throws -> Bool { take("<string>$null</string>") }

    /// Reads `<true/>` or `<false/>`, also as a start tag with an end tag.
    mutating func readBool() throws -> Bool {
        for (name, value) in [("true" as StaticString, true), ("false", false)] {
            if let isEmpty = try open(name) {
                if !isEmpty { try close(name) }
                return value
            }
        }
        throw mismatch("true or false")
    }

    /// Reads an integer, or a real with an integral value.
    mutating func readInteger() throws -> Int64 {
        if next == UInt8(ascii: "<"), position + 1 < count,
            start[position + 1] == UInt8(ascii: "r")
        {
            guard let value = Int64(exactly: try readDouble()) else { throw mismatch("an integer") }
            return value
        }
        guard let value = Int64(exactly: try readIntegerText()) else {
            throw mismatch("an integer of 64 bits")
        }
        return value
    }

    /// Reads an integer: decimal or hexadecimal digits with an optional sign, surrounded by
    /// optional white space.
    mutating func readIntegerText() throws -> Int128 {
        guard let isEmpty = try open("integer") else { throw mismatch("an integer") }
        guard !isEmpty else { throw malformed }
        while Self.isSpace(next) { position += 1 }
        let isNegative = next == UInt8(ascii: "-")
        if isNegative || next == UInt8(ascii: "+") { position += 1 }
        let radix: Int128 = take("0x") || take("0X") ? 16 : 10
        var value: Int128 = 0
        let first = position
        while let digit = Hexadecimal.value(next), digit < radix {
            value = value * radix + Int128(digit)
            guard value <= Int128(UInt64.max) else { throw malformed }
            position += 1
        }
        guard position > first else { throw malformed }
        while Self.isSpace(next) { position += 1 }
        try close("integer")
        return isNegative ? -value : value
    }

    /// Reads a real, or an integer, which is rounded to the nearest `Double`.
    mutating func readDouble() throws -> Double {
        guard let text = try realText() else { return Double(try readIntegerText()) }
        if var reader = try? JSONReader(UnsafeRawBufferPointer(text)),
            let value = try? reader.readDouble(), reader.position == text.count
        {
            return value
        }
        // Not in JSON syntax: a plus sign, infinity, or NaN.
        guard let value = Double(String(decoding: text, as: UTF8.self)) else { throw malformed }
        // A number that is too large parses as infinity. The words for infinity contain no digits.
        let isNumber = text.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard !value.isInfinite || !isNumber else { throw mismatch("a number of double precision") }
        return value
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

    /// Reads the trimmed content of a `real`. Returns nil and reads nothing before an `integer`.
    private mutating func realText() throws -> UnsafeBufferPointer<UInt8>? {
        guard let isEmpty = try open("real") else {
            guard position + 1 < count, start[position + 1] == UInt8(ascii: "i") else {
                throw mismatch("a number")
            }
            return nil
        }
        guard !isEmpty else { throw malformed }
        while Self.isSpace(next) { position += 1 }
        let first = position
        while position < count, next != UInt8(ascii: "<") { position += 1 }
        var end = position
        while end > first, Self.isSpace(start[end - 1]) { end -= 1 }
        try close("real")
        return UnsafeBufferPointer(start: start + first, count: end - first)
    }

    /// Reads a date, in whole seconds and in UTC.
    mutating func readDate() throws -> Date {
        guard let isEmpty = try open("date") else { throw mismatch("a date") }
        guard !isEmpty else { throw malformed }
        let first = position
        while position < count, next != UInt8(ascii: "<") { position += 1 }
        let text = UnsafeBufferPointer(start: start + first, count: position - first)
        try close("date")
        guard let (time, rest) = CivilTime.read(text), rest.elementsEqual("Z".utf8) else {
            throw malformed
        }
        let seconds = time.secondsSince1970(julian: true) - CivilTime.referenceSeconds
        return Date(timeIntervalSinceReferenceDate: Double(seconds))
    }

    /// Reads Base64, ignoring white space.
    mutating func readData() throws -> Data {
        guard let isEmpty = try open("data") else { throw mismatch("data") }
        guard !isEmpty else { return Data() }
        let first = position
        while position < count, next != UInt8(ascii: "<") { position += 1 }
        let text = UnsafeBufferPointer(start: start + first, count: position - first)
        try close("data")
        guard let data = Data(base64Encoded: Data(text.filter { !Self.isSpace($0) })) else {
            throw malformed
        }
        return data
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

    /// Reads a string. References, comments and CDATA sections are resolved.
    mutating func readString() throws -> String {
        guard let isEmpty = try open("string") else { throw mismatch("a text") }
        return isEmpty ? "" : try readText(endingWith: "string")
    }
}

// MARK: - Text

extension XMLPropertyListReader {
    /// Reads text up to and including the closing tag. Without references, comments and CDATA
    /// sections, the bytes are validated in place.
    mutating func readText(endingWith name: StaticString) throws -> String {
        let first = position
        skipPlain()
        let plain = UnsafeBufferPointer(start: start + first, count: position - first)
        if next == UInt8(ascii: "<"), position + 1 < count, start[position + 1] == UInt8(ascii: "/")
        {
            try close(name)
            guard let text = ValidText.string(plain) else { throw malformed }
            return text
        }
        var bytes = Array(plain)
        while !take("</") {
            if take("<![CDATA[") {
                let start = position
                try skip(past: "]]>")
                bytes += UnsafeBufferPointer(start: self.start + start, count: position - 3 - start)
            } else if take("<!--") {
                try skip(past: "-->")
            } else if next == UInt8(ascii: "&") {
                try readReference(into: &bytes)
            } else {
                let first = position
                skipPlain()
                guard position > first else { throw malformed }
                bytes += UnsafeBufferPointer(start: start + first, count: position - first)
            }
        }
        position -= 2
        try close(name)
        guard let text = ValidText.string(bytes) else { throw malformed }
        return text
    }

    /// Advances to the next `<` or `&`.
    @inline(__always)
    private mutating func skipPlain() {
        while position < count {
            let byte = start[position]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { return }
            position += 1
        }
    }

    /// Reads a predefined entity or a character reference. Other entities are malformed.
    private mutating func readReference(into bytes: inout [UInt8]) throws {
        if take("&amp;") { return bytes.append(UInt8(ascii: "&")) }
        if take("&lt;") { return bytes.append(UInt8(ascii: "<")) }
        if take("&gt;") { return bytes.append(UInt8(ascii: ">")) }
        if take("&quot;") { return bytes.append(UInt8(ascii: "\"")) }
        if take("&apos;") { return bytes.append(UInt8(ascii: "'")) }
        guard take("&#") else { throw malformed }
        let radix: UInt32 = take("x") ? 16 : 10
        var code: UInt32 = 0
        let first = position
        while let digit = Hexadecimal.value(next), digit < radix {
            code = code * radix + UInt32(digit)
            guard code <= 0x10FFFF else { throw malformed }
            position += 1
        }
        guard position > first, take(";"), let scalar = Unicode.Scalar(code) else {
            throw malformed
        }
        bytes += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
