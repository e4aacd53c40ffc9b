/// A representation of a value in a column that differs from the default of its type, by the name
/// that schemas and descriptions give it; see ``StoredField/storedAs``.
///
/// The runtime's public types `StoredForm` and `DateForm` describe each form. A test compares the
/// names.
package enum StoredColumnForm: String, Sendable, Hashable, CaseIterable {
    case text, integer, real, blob, lowercaseText
    // For dates alone, which are rounded to a precision of the form.
    case textSeconds, iso8601, iso8601Milliseconds, iso8601Microseconds
    case milliseconds, microseconds, secondsSince2001, julianDay

    /// Whether dates of the form are rounded to a precision of its own.
    package var isOfDates: Bool { Self.dates.contains(self) }

    /// The forms for dates alone.
    package static let dates: [StoredColumnForm] = [
        .textSeconds, .iso8601, .iso8601Milliseconds, .iso8601Microseconds, .milliseconds,
        .microseconds, .secondsSince2001, .julianDay,
    ]
}
