/// A form of a column in SQLite that is not the usual one of its type: for databases that exist already.
///
/// | form | `Date` | `UUID` | `Decimal` |
/// |---|---|---|---|
/// | ``text`` | `YYYY-MM-DD HH:MM:SS.SSS` in UTC | 36 characters in upper case | its digits |
/// | ``integer`` | seconds since 1970 | | × 10ˢᶜᵃˡᵉ, the usual form with a scale |
/// | ``real`` | seconds since 1970 | | the nearest number |
/// | ``blob`` | | 16 bytes | |
/// | ``lowercaseText`` | | 36 characters in lower case | |
public enum StoredForm: String, Sendable, Hashable, CaseIterable {
    /// A text.
    case text
    /// A whole number.
    case integer
    /// A floating-point number.
    case real
    /// Bytes.
    case blob
    /// A text whose letters are small.
    case lowercaseText
}
