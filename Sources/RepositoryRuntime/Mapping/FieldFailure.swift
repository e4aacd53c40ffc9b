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

    /// An error from inside of a field of a layout, or of an element where there is no layout, one level up.
    ///
    /// What stands below a sensitive field is left out of the path, because the keys of a map are values too.
    static func inside(_ layout: FieldLayout?, _ index: Int, _ error: any Error) -> any Error {
        guard var failure = error as? FieldFailure else { return error }
        if let field = layout?.fields[index] {
            failure.path = [field.name] + (field.isSensitive ? [] : failure.path)
        } else {
            failure.path.insert("\(index)", at: 0)
        }
        return failure
    }

    /// An error from inside of a member, one level up.
    static func inside(_ name: String, _ error: any Error) -> any Error {
        guard var failure = error as? FieldFailure else { return error }
        failure.path.insert(name, at: 0)
        return failure
    }

    /// An error from an entry of a map, whose place is its key and not the position that was counted for it.
    static func replacing(_ key: String, _ error: any Error) -> any Error {
        guard var failure = error as? FieldFailure else { return error }
        if failure.path.isEmpty { failure.path.append(key) } else { failure.path[0] = key }
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
