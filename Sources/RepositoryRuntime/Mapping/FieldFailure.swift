/// The reason why a value of a record cannot be encoded, with the path of the value.
///
/// Nested encoders throw it and prepend their part of the path. ``reported(_:)`` converts it to
/// ``CRUDRepositoryError`` at the top level.
struct FieldFailure: Error {
    /// The field names and element positions, starting at the record.
    var path: [String] = []
    /// The code of the error: `invalidItem`, or `unsupported` if the format cannot represent the
    /// value.
    var code: CRUDRepositoryError.Code
    /// The problem, as the predicate of a sentence about the field. It never contains the value.
    var reason: String

    init(_ reason: String, code: CRUDRepositoryError.Code = .invalidItem) {
        self.reason = reason
        self.code = code
    }

    /// Prepends a field, or an element if there is no layout, to the path of an error.
    ///
    /// Path components below a sensitive field are dropped, because the keys of a map are values
    /// too.
    static func inside(_ layout: FieldLayout?, _ index: Int, _ error: any Error) -> any Error {
        guard var failure = error as? FieldFailure else { return error }
        if let field = layout?.fields[index] {
            failure.path = [field.name] + (field.isSensitive ? [] : failure.path)
        } else {
            failure.path.insert("\(index)", at: 0)
        }
        return failure
    }

    /// Prepends a member to the path of an error.
    static func inside(_ name: String, _ error: any Error) -> any Error {
        guard var failure = error as? FieldFailure else { return error }
        failure.path.insert(name, at: 0)
        return failure
    }

    /// Replaces the first path component by a map key, because elements of a map are encoded at
    /// position 0.
    static func replacing(_ key: String, _ error: any Error) -> any Error {
        guard var failure = error as? FieldFailure else { return error }
        if failure.path.isEmpty { failure.path.append(key) } else { failure.path[0] = key }
        return failure
    }

    /// The error that the caller of the repository receives.
    var repositoryError: CRUDRepositoryError {
        let field = path.isEmpty ? nil : path.joined(separator: ".")
        guard code != .invalidItem else { return .invalidItem(field: field, reason: reason) }
        let subject = field.map { "The field '\($0)'" } ?? "The item"
        return CRUDRepositoryError(code, "\(subject) \(reason).", field: field)
    }

    /// Calls a closure and converts its ``FieldFailure`` to ``CRUDRepositoryError``.
    static func reported<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let failure as FieldFailure {
            throw failure.repositoryError
        }
    }
}
