extension QueryField where Value: OrderedFieldValue, Value.Comparand == String {
    /// Whether the text holds another one; false where it is null.
    ///
    /// - Parameters:
    ///   - text: what is looked for, by its UTF-8 bytes; every text holds the empty one.
    ///   - ignoringCase: whether both are compared after simple case folding.
    public func contains(_ text: String, ignoringCase: Bool = false) -> Condition {
        matches(.contains, text, ignoringCase)
    }

    /// Whether the text starts with another one; false where it is null.
    ///
    /// - Parameters:
    ///   - text: what is looked for, by its UTF-8 bytes; every text starts with the empty one.
    ///   - ignoringCase: whether both are compared after simple case folding.
    public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> Condition {
        matches(.hasPrefix, text, ignoringCase)
    }

    /// Whether the text is another one when both are compared after simple case folding; false where it is null.
    public func equalsIgnoringCase(_ text: String) -> Condition {
        matches(.equals, text, true)
    }

    private func matches(
        _ kind: TextSearch.Kind, _ text: String, _ ignoringCase: Bool
    ) -> Condition {
        Condition(
            .text(queryPath, TextSearch(kind, text, ignoringCase: ignoringCase)), of: Root.self)
    }
}
