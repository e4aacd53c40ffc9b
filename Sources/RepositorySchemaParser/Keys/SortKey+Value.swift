internal import RepositorySchema

extension SortKey {
    /// Whether a text with an optional leading `-` is a key of the order of a query: names that
    /// begin with lower-case letters, with `.` between them, or `count(…)` of such names.
    static func isValue(_ text: String) -> Bool {
        names(of: text.hasPrefix("-") ? String(text.dropFirst()) : text).allSatisfy { name in
            Naming.isIdentifier(name) && name.unicodeScalars.first?.properties.isUppercase == false
        }
    }
}
