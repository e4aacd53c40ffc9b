package import Foundation

/// Dates as text: RFC 3339, a profile of ISO 8601.
extension StoredDate {
    /// Returns the text of a date in RFC 3339 with six fraction digits; nil outside the years 1 to 9999.
    package static func text(microseconds micros: Int64) -> String? {
        let (quotient, remainder) = micros.quotientAndRemainder(dividingBy: 1_000_000)
        let seconds = remainder < 0 ? quotient - 1 : quotient
        let time = CivilTime(secondsSince1970: seconds, julian: false)
        guard (1...9999).contains(time.year) else { return nil }
        var buffer = ByteBuffer(capacity: 32)
        defer { buffer.discard() }
        time.write(to: &buffer)
        buffer.append(UInt8(ascii: "."))
        CivilTime.write(
            remainder < 0 ? remainder + 1_000_000 : remainder, width: 6, to: &buffer)
        buffer.append(UInt8(ascii: "Z"))
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Parses RFC 3339. Any number of fraction digits is accepted; digits after the sixth are
    /// ignored.
    package static func date(text: String) -> Date? {
        var text = text
        return text.withUTF8 { utf8 in
            guard let (time, following) = CivilTime.read(utf8) else { return nil }
            var rest = following
            var micros: Int64 = 0
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
                var unit: Int64 = 100_000
                let digits = rest.prefix { (48...57).contains($0) }
                guard !digits.isEmpty else { return nil }
                for digit in digits {
                    micros += Int64(digit - 48) * unit
                    unit /= 10
                }
                rest = rest.dropFirst(digits.count)
            }
            guard let offset = offset(rest) else { return nil }
            let seconds = time.secondsSince1970(julian: false) - offset
            guard StoredDate.isReadable(secondsSince1970: Double(seconds)) else { return nil }
            return StoredDate.date(microseconds: seconds * 1_000_000 + micros)
        }
    }

    /// Returns the UTC offset in seconds for `Z` or `+01:30`; nil if the text is malformed.
    private static func offset(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        let bytes = Array(text)
        if bytes == [UInt8(ascii: "Z")] || bytes == [UInt8(ascii: "z")] { return 0 }
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
            let hours = Int64(String(decoding: bytes[1...2], as: UTF8.self)), hours >= 0,
            let minutes = Int64(String(decoding: bytes[4...5], as: UTF8.self)), minutes >= 0
        else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "+"): return hours * 3600 + minutes * 60
        case UInt8(ascii: "-"): return -(hours * 3600 + minutes * 60)
        default: return nil
        }
    }
}
