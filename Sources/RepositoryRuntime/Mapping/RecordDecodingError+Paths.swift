extension RecordDecodingError {
    /// An error from inside of a field, with the field's name before its path.
    ///
    /// For implementers of ``FieldDecoder``. What a sensitive field holds, and where below it, is left out.
    public static func inside(_ field: FieldDescription, _ error: any Error) -> RecordDecodingError
    {
        guard field.isSensitive else { return inside(field.name, error) }
        let isMismatch = (error as? RecordDecodingError)?.isMismatch ?? true
        return RecordDecodingError(
            path: field.name, "does not hold a value of its type", isMismatch: isMismatch)
    }

    /// An error from inside of an element of a list or a map, with its position or key before its path.
    static func inside(_ name: String, _ error: any Error) -> RecordDecodingError {
        var error = converted(error)
        error.path = error.path.isEmpty ? name : "\(name).\(error.path)"
        return error
    }

    /// An error of any type, such as one thrown by a type of the user's own, as one of this type.
    static func converted(_ error: any Error) -> RecordDecodingError {
        error as? RecordDecodingError
            ?? RecordDecodingError("is refused by its type: \(error)", isMismatch: true)
    }
}
