internal import RepositoryRuntime
internal import RepositorySQLCore

/// Converts dates to and from the forms of ``DateForm``.
///
/// Reading is strict: what another notation means is not guessed, because a write would then change
/// the notation of the owner's value.
enum SQLiteDateForm {
    /// The Julian day at the start of 1970.
    static let julianDay1970 = 2_440_587.5
    /// The number of milliseconds in a day.
    static let millisecondsOfDay = 86_400_000.0

    /// Returns the value to store; `nil` if the form does not hold the moment exactly.
    ///
    /// - Parameter microseconds: the moment, in microseconds since 1970.
    static func stored(_ microseconds: Int64, _ form: DateForm) -> StoredValue? {
        guard form.reaches(microseconds), form.floor(microseconds) == microseconds else {
            return nil
        }
        switch form {
        case .textSeconds, .iso8601, .iso8601Milliseconds, .iso8601Microseconds:
            return SQLiteDateText.text(microseconds: microseconds).map {
                .text(notation(of: $0, microseconds, form))
            }
        case .milliseconds: return .integer(microseconds / 1000)
        case .microseconds: return .integer(microseconds)
        case .secondsSince2001:
            let (sinceReference, isTooLarge) = microseconds.subtractingReportingOverflow(
                DateForm.reference)
            guard !isTooLarge else { return nil }
            // Whole seconds are exact beyond the range in which microseconds are.
            if sinceReference.isMultiple(of: 1_000_000) {
                return .double(Double(sinceReference / 1_000_000))
            }
            return SQLReal.seconds(microseconds: sinceReference).map { .double($0) }
        case .julianDay:
            let day = julianDay1970 + Double(microseconds / 1000) / millisecondsOfDay
            return moment(julianDay: day) == microseconds ? .double(day) : nil
        }
    }

    /// Returns the moment that a stored value represents, in microseconds since 1970; `nil` if it
    /// is not written in the form.
    static func microseconds(_ stored: StoredValue, _ form: DateForm) -> Int64? {
        switch (form, stored) {
        case (.textSeconds, .text(let text)), (.iso8601, .text(let text)),
            (.iso8601Milliseconds, .text(let text)), (.iso8601Microseconds, .text(let text)):
            return moment(text, form)
        case (.milliseconds, .integer(let value)):
            let (microseconds, isTooLarge) = value.multipliedReportingOverflow(by: 1000)
            return isTooLarge ? nil : microseconds
        case (.microseconds, .integer(let value)): return value
        case (.secondsSince2001, .double(let seconds)):
            guard let value = SQLReal.microseconds(seconds: seconds) else { return nil }
            let (microseconds, isTooLarge) = value.addingReportingOverflow(DateForm.reference)
            return isTooLarge ? nil : form.floor(microseconds + form.unit(at: microseconds) / 2)
        case (.julianDay, .double(let day)): return moment(julianDay: day)
        // A column whose affinity is not REAL may convert whole numbers to integers.
        case (.secondsSince2001, .integer(let value)), (.julianDay, .integer(let value)):
            return microseconds(.double(Double(value)), form)
        default: return nil
        }
    }

    /// Returns the moment of a Julian day, in microseconds since 1970 and whole milliseconds.
    private static func moment(julianDay day: Double) -> Int64? {
        let milliseconds = ((day - julianDay1970) * millisecondsOfDay).rounded()
        guard let value = Int64(exactly: milliseconds) else { return nil }
        let (microseconds, isTooLarge) = value.multipliedReportingOverflow(by: 1000)
        return isTooLarge || !DateForm.julianDay.reaches(microseconds) ? nil : microseconds
    }

    /// Returns the moment of a text in exactly the notation of a form.
    private static func moment(_ text: String, _ form: DateForm) -> Int64? {
        var text = text
        return text.withUTF8 { bytes in
            let (length, separator): (Int, UInt8) =
                switch form {
                case .textSeconds: (19, UInt8(ascii: " "))
                case .iso8601: (20, UInt8(ascii: "T"))
                case .iso8601Milliseconds: (24, UInt8(ascii: "T"))
                default: (27, UInt8(ascii: "T"))
                }
            guard bytes.count == length, bytes[10] == separator,
                form == .textSeconds || bytes[length - 1] == UInt8(ascii: "Z"),
                length <= 20 || bytes[19] == UInt8(ascii: ".")
            else { return nil }
            return SQLiteDateText.microseconds(bytes)
        }
    }

    /// Changes `2026-11-22 15:28:50.123` to the notation of a form.
    private static func notation(
        of text: String, _ microseconds: Int64, _ form: DateForm
    ) -> String {
        let seconds = text.prefix(19)
        if form == .textSeconds { return String(seconds) }
        let time = "\(seconds.prefix(10))T\(seconds.dropFirst(11))"
        let fraction = text.dropFirst(20)
        switch form {
        case .iso8601: return time + "Z"
        case .iso8601Milliseconds: return "\(time).\(fraction.prefix(3))Z"
        default:
            // The text has three digits if they are enough.
            return "\(time).\(fraction)\(fraction.utf8.count == 3 ? "000" : "")Z"
        }
    }
}
