internal import Foundation

/// The forms in which a moment stands in CBOR. All of them read back as the same `Date`.
enum CBORTime {
    /// Whole seconds since 1970.
    case seconds(Int64)
    /// Seconds since 1970, of which a reader that rounds to microseconds gets the right ones.
    case fractional(Double)
    /// RFC 3339 text, where a double does not hold the microseconds.
    case text(String)
    /// Seconds since 1970 and 10⁻¹⁸ seconds, where neither will do: beyond year 9999, or finer than microseconds.
    case extended(Int64, Int64)

    /// Chooses the encoding; nil for a date outside of the range of ``StoredDate``.
    init?(_ date: Date) {
        guard StoredDate.canStore(date) else { return nil }
        let reference = date.timeIntervalSinceReferenceDate
        let whole = reference.rounded(.down)
        let seconds = Int64(whole) + CivilTime.referenceSeconds
        guard reference != whole else {
            self = .seconds(seconds)
            return
        }
        let micros = StoredDate.microseconds(date)
        guard StoredDate.date(microseconds: micros) == date else {
            self = Self.extended(reference)
            return
        }
        let double = Double(micros) / 1_000_000
        if Self.micros(ofSeconds: double) == micros {
            self = .fractional(double)
        } else if let text = Self.text(micros: micros) {
            self = .text(text)
        } else {
            self = Self.extended(reference)
        }
    }

    /// Seconds within which of 2001 a double is so fine that products and sums of it would round too often; 10⁻¹⁸ of them
    /// fit into 64 bits.
    private static let fineSeconds = 8.0
    private static let attosecondsInSecond: Int64 = 1_000_000_000_000_000_000

    /// The form of 10⁻¹⁸ seconds. Nearer to 2001 than 0.01 seconds a double is finer than that, and is rounded.
    private static func extended(_ reference: Double) -> CBORTime {
        let whole = reference.rounded(.down)
        guard reference.magnitude < fineSeconds, let total = attoseconds(reference) else {
            return .extended(
                Int64(whole) + CivilTime.referenceSeconds, Int64((reference - whole) * 1e18))
        }
        var (seconds, rest) = total.quotientAndRemainder(dividingBy: attosecondsInSecond)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + attosecondsInSecond) }
        return .extended(seconds + CivilTime.referenceSeconds, rest)
    }

    /// The shortest decimal that reads back as the number, in 10⁻¹⁸.
    private static func attoseconds(_ seconds: Double) -> Int64? {
        StoredDecimal.value(ofText: seconds.description).flatMap {
            StoredDecimal.rounded($0, scale: 18)
        }.flatMap { StoredDecimal.scaledInteger($0, scale: 18) }
    }

    /// Microseconds of seconds since 1970; nil out of range.
    static func micros(ofSeconds seconds: Double) -> Int64? {
        guard StoredDate.isReadable(secondsSince1970: seconds) else { return nil }
        let whole = seconds.rounded(.down)
        return Int64(whole) * 1_000_000 + Int64(((seconds - whole) * 1_000_000).rounded())
    }

    /// RFC 3339 text; nil outside of the years from 1 to 9999.
    private static func text(micros: Int64) -> String? {
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
}

// MARK: - Reading

extension CBORTime {
    static func date(seconds: Double) -> Date? {
        micros(ofSeconds: seconds).map(StoredDate.date(microseconds:))
    }

    static func date(seconds: Int64) -> Date? {
        guard StoredDate.isReadable(secondsSince1970: Double(seconds)) else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(seconds - CivilTime.referenceSeconds))
    }

    /// Seconds since 1970, and a number of 10ᵖᵒʷᵉʳ seconds more.
    static func date(seconds: Int64, fraction: Int64, power: Int) -> Date? {
        guard StoredDate.isReadable(secondsSince1970: Double(seconds)), fraction >= 0,
            (-18...0).contains(power)
        else { return nil }
        let whole = Double(seconds - CivilTime.referenceSeconds)
        if whole.magnitude <= fineSeconds, power == -18, fraction < attosecondsInSecond {
            let total = (seconds - CivilTime.referenceSeconds)
                .multipliedReportingOverflow(by: attosecondsInSecond)
            let sum = total.partialValue.addingReportingOverflow(fraction)
            // The text is rounded once; a quotient of two rounded numbers would be rounded thrice.
            if !total.overflow, !sum.overflow, let exact = Double("\(sum.partialValue)e-18") {
                return Date(timeIntervalSinceReferenceDate: exact)
            }
        }
        var scale = 1.0
        for _ in 0..<(-power) { scale *= 10 }
        return Date(timeIntervalSinceReferenceDate: whole + Double(fraction) / scale)
    }

    /// RFC 3339 text with any number of digits after the point, of which six count.
    static func date(text: String) -> Date? {
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

    /// The seconds by which local time is ahead: `Z`, `+01:30`.
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
