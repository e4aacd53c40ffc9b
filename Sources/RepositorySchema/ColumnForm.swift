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
}
