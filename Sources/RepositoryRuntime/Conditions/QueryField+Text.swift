extension QueryField where Value: OrderedFieldValue, Value.Comparand == String {
    /// Whether the string contains another one; false if it is null.
    ///
    /// - Parameters:
    ///   - text: the substring, compared by its UTF-8 bytes. Every string contains the empty one.
    ///   - ignoringCase: whether both strings are compared after simple case folding.
    public func contains(_ text: String, ignoringCase: Bool = false) -> Condition {
        matches(.contains, text, ignoringCase)
    }

    /// Whether the string starts with another one; false if it is null.
    ///
    /// - Parameters:
    ///   - text: the prefix, compared by its UTF-8 bytes. Every string starts with the empty one.
    ///   - ignoringCase: whether both strings are compared after simple case folding.
    public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> Condition {
        matches(.hasPrefix, text, ignoringCase)
    }

    /// Whether the string equals another one after simple case folding of both; false if it is
    /// null.
    public func equalsIgnoringCase(_ text: String) -> Condition {
        matches(.equals, text, true)
    }

    /// Creates a condition for a string search.
    private func matches(
        _ kind: TextSearch.Kind, _ text: String, _ ignoringCase: Bool
    ) -> Condition {
        Condition(
            .text(queryPath, TextSearch(kind, text, ignoringCase: ignoringCase)), of: Root.self)
    }
}
