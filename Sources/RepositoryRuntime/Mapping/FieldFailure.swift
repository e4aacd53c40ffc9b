/// Why a value of a record cannot be written, with its path; becomes a ``CRUDRepositoryError`` at the top.
struct FieldFailure: Error {
    /// The names and positions from the record down.
    var path: [String] = []
    var code: CRUDRepositoryError.Code
    /// What is wrong, as the rest of a sentence about the field. Never holds the value.
    var reason: String

    init(_ reason: String, code: CRUDRepositoryError.Code = .invalidItem) {
        self.reason = reason
        self.code = code
    }

    /// An error from inside of a field or an element, one level up.
    static func inside(_ name: @autoclosure () -> String, _ error: any Error) -> any Error {
        guard var failure = error as? FieldFailure else { return error }
        failure.path.insert(name(), at: 0)
        return failure
    }

    /// The error of the whole write.
    var repositoryError: CRUDRepositoryError {
        let field = path.isEmpty ? nil : path.joined(separator: ".")
        guard code != .invalidItem else { return .invalidItem(field: field, reason: reason) }
        let subject = field.map { "The field '\($0)'" } ?? "The item"
        return CRUDRepositoryError(code, "\(subject) \(reason).", field: field)
    }

    /// Runs a write, and turns a failure inside it into the error that callers see.
    static func reported<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let failure as FieldFailure {
            throw failure.repositoryError
        }
    }
}
