internal import RepositorySchema

/// Rules for `ignoringCase`.
extension Validator {
    /// Checks that `ignoringCase` is only set for strings.
    ///
    /// Other types have no case to ignore.
    ///
    /// ```yaml
    /// email: { type: String, ignoringCase: true }
    /// pages: { type: Int, ignoringCase: true }   # reported
    /// ```
    mutating func checkCaseFolding(of field: FieldDeclaration) {
        guard let flag = field.ignoringCase, flag.value else { return }
        let type = field.type.value
        if case .unknown = scope.kind(of: type) { return }
        guard type.unwrapped != .base(.string) else { return }
        add(
            "'ignoringCase' is for String and 'String?', not for \(type.description)",
            at: flag.range, help: "remove it")
    }

    /// Checks that an id, or a component of one, does not ignore case.
    ///
    /// Ids are compared byte for byte.
    ///
    /// - Parameters:
    ///   - field: The id or the component.
    ///   - subject: The id or component, with its article, for the message.
    mutating func checkCaseFolding(ofComponent field: FieldDeclaration, in subject: String) {
        guard let flag = field.ignoringCase, flag.value,
            field.type.value.unwrapped == .base(.string)
        else { return }
        add(
            "\(subject) cannot ignore case: it is the name of a record, byte for byte",
            at: flag.range,
            help: "make the id a UUID, and the text a field with 'unique: true, ignoringCase: true'"
        )
    }
}
