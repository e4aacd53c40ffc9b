/// Converts the errors of coders to ``CRUDRepositoryError``.
///
/// Messages of coders may quote the value that caused the error. Only types and paths are therefore
/// copied from them, so that no value of a record appears in an error.
package enum TransformerErrors {
    /// Converts the error of an item that could not be encoded.
    static func encoding(_ error: any Error) -> any Error {
        switch error {
        case let error as CRUDRepositoryError:
            return error
        case EncodingError.invalidValue(let value, let context):
            return CRUDRepositoryError.invalidItem(
                field: path(context.codingPath),
                reason: "holds a \(type(of: value)) that the format cannot hold")
        default:
            return CRUDRepositoryError.invalidItem(
                field: nil, reason: "cannot be written (\(type(of: error)))")
        }
    }

    /// Converts the error of bytes that could not be decoded as a `type`.
    ///
    /// - Parameter isWellFormed: whether the bytes are valid in the format. It is called only if
    ///   the error does not decide this.
    static func decoding<T>(_ error: any Error, as type: T.Type, isWellFormed: () -> Bool)
        -> any Error
    {
        switch error {
        case let error as CRUDRepositoryError:
            return error
        case let error as RecordDecodingError:
            let isMismatch = error.isMismatch || isWellFormed()
            return failure(isMismatch, type, error.path, error.reason)
        case DecodingError.typeMismatch(let expected, let context):
            return failure(true, type, path(context.codingPath), "is not of type \(expected)")
        case DecodingError.valueNotFound(let expected, let context):
            return failure(true, type, path(context.codingPath), "is null, not of type \(expected)")
        case DecodingError.keyNotFound(let key, let context):
            let field = path(context.codingPath + [key])
            return failure(true, type, field, "is missing")
        case DecodingError.dataCorrupted(let context):
            let field = path(context.codingPath)
            return isWellFormed()
                ? failure(true, type, field, "has a value that the type refuses")
                : failure(false, type, field, "is malformed")
        default:
            return failure(isWellFormed(), type, nil, "cannot be read (\(Swift.type(of: error)))")
        }
    }

    /// Creates an `itemTypeMismatch` or `invalidRecord` error for a path.
    private static func failure<T>(
        _ isMismatch: Bool, _ type: T.Type, _ path: String?, _ reason: String
    ) -> CRUDRepositoryError {
        let field = path.flatMap { $0.isEmpty ? nil : $0 }
        let subject = field.map { "'\($0)'" } ?? "it"
        guard isMismatch else {
            return CRUDRepositoryError(
                .invalidRecord, "The record cannot be read: \(subject) \(reason).", field: field)
        }
        return CRUDRepositoryError(
            .itemTypeMismatch, "The record is no \(type): \(subject) \(reason).", field: field)
    }

    /// Returns a coding path as a field path: `shelf.room`, `tags.3`. Returns nil for the whole
    /// item.
    static func path(_ keys: [any CodingKey]) -> String? {
        keys.isEmpty
            ? nil
            : keys.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
    }
}

extension CRUDRepositoryError {
    /// Converts an error of a transformer to the error of the record with the given id.
    ///
    /// ``RecordDecodingError`` becomes `invalidRecord`. The id and the table are added to
    /// `invalidRecord` and `itemTypeMismatch`.
    public static func unreadable(_ error: any Error, id: String, table: String? = nil) -> Self {
        switch error {
        case let error as RecordDecodingError:
            return .invalidRecord(
                id: id, table: table, field: error.path.isEmpty ? nil : error.path,
                reason: error.description)
        case var error as CRUDRepositoryError:
            error.id = error.id ?? id
            error.table = error.table ?? table
            return error
        default:
            return .invalidRecord(
                id: id, table: table, reason: "it cannot be read (\(type(of: error)))")
        }
    }
}
