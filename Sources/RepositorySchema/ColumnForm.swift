/// A form of a column in SQLite that is not the usual one of its type.
///
/// A test compares these with the runtime's `StoredForm`, which the generator does not import.
public enum ColumnForm: String, Sendable, Hashable, CaseIterable {
    /// A text.
    case text
    /// A whole number.
    case integer
    /// A floating-point number.
    case real
    /// Bytes.
    case blob
    /// A text in small letters.
    case lowercaseText
}

extension BaseType {
    /// The forms that a column of the type can have; none where there is but the usual one.
    public var columnForms: [ColumnForm] {
        switch self {
        case .date, .decimal: [.text, .integer, .real]
        case .uuid: [.text, .blob, .lowercaseText]
        default: []
        }
    }
}
