extension RecordDecodingError {
    /// Converts an error in a field's value and prepends the field's name to its path.
    ///
    /// Implementers of ``FieldDecoder`` call it. For a sensitive field, the reason and the rest of
    /// the path are dropped.
    public static func inside(_ field: FieldDescription, _ error: any Error) -> RecordDecodingError
    {
        guard field.isSensitive else { return inside(field.name, error) }
        let isMismatch = (error as? RecordDecodingError)?.isMismatch ?? true
        return RecordDecodingError(
            path: field.name, "is not a value of its type", isMismatch: isMismatch)
    }

    /// Converts an error in an element of a list or map and prepends its position or key to its
    /// path.
    static func inside(_ name: String, _ error: any Error) -> RecordDecodingError {
        var error = converted(error)
        error.path = error.path.isEmpty ? name : "\(name).\(error.path)"
        return error
    }

    /// Converts an error of any type, such as one thrown by a user-defined scalar.
    static func converted(_ error: any Error) -> RecordDecodingError {
        error as? RecordDecodingError
            ?? RecordDecodingError("is rejected by its type: \(error)", isMismatch: true)
    }
}
