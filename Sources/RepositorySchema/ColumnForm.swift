/// A representation of a value in an SQLite column that differs from the default of its type.
///
/// The generator does not import the runtime. A test compares the cases with `StoredForm`.
public enum ColumnForm: String, Sendable, Hashable, CaseIterable {
    /// A string.
    case text
    /// An integer.
    case integer
    /// A floating-point number.
    case real
    /// Bytes.
    case blob
    /// A lower-case string.
    case lowercaseText
    /// A date such as `2026-11-22 15:28:50`.
    case textSeconds
    /// A date such as `2026-11-22T15:28:50Z`.
    case iso8601
    /// A date such as `2026-11-22T15:28:50.123Z`.
    case iso8601Milliseconds
    /// A date such as `2026-11-22T15:28:50.123456Z`.
    case iso8601Microseconds
    /// A date as an integer of milliseconds since 1970.
    case milliseconds
    /// A date as an integer of microseconds since 1970.
    case microseconds
    /// A date as a number of seconds since 2001.
    case secondsSince2001
    /// A date as a Julian day.
    case julianDay

    /// Whether dates of the form are rounded to a precision of its own.
    public var isDateForm: Bool { Self.dateForms.contains(self) }

    /// The forms for dates alone.
    package static let dateForms: [ColumnForm] = [
        .textSeconds, .iso8601, .iso8601Milliseconds, .iso8601Microseconds, .milliseconds,
        .microseconds, .secondsSince2001, .julianDay,
    ]
}
