internal import RepositoryRuntime

/// Throws unless a call throws a ``CRUDRepositoryError`` of one of these codes; returns it.
@discardableResult
func expectError<R>(
    _ codes: CRUDRepositoryError.Code..., id: String? = nil, table: String? = nil,
    field: String? = nil, saying message: String = "The call should throw.",
    fileID: String = #fileID,
    line: Int = #line, _ call: () async throws -> R
) async throws -> CRUDRepositoryError {
    let expected = codes.map(\.rawValue).joined(separator: " or ")
    func failure(_ message: String, _ expected: String, _ actual: String) -> ExpectationFailure {
        ExpectationFailure(
            message: message, expected: expected, actual: actual, fileID: fileID, line: line)
    }
    let thrown: any Error
    do {
        let result = try await call()
        throw failure(message, expected, "returned \(result)")
    } catch let error as ExpectationFailure {
        throw error
    } catch {
        thrown = error
    }
    guard let error = thrown as? CRUDRepositoryError else {
        throw failure("Every error is a CRUDRepositoryError.", expected, "\(thrown)")
    }
    guard codes.contains(error.code) else {
        throw failure("The error has another code.", expected, "\(error)")
    }
    if let id, error.id != id {
        throw failure("The error names another id.", id, "\(error.id ?? "nil"): \(error)")
    }
    if let table, error.table != table {
        throw failure("The error names another table.", table, "\(error.table ?? "nil"): \(error)")
    }
    if let field, error.field != field {
        throw failure("The error names another field.", field, "\(error.field ?? "nil"): \(error)")
    }
    return error
}

/// What a call throws.
func thrown<R>(
    fileID: String = #fileID, line: Int = #line, _ call: () async throws -> R
) async throws -> any Error {
    let result: R
    do {
        result = try await call()
    } catch let error as ExpectationFailure {
        throw error
    } catch {
        return error
    }
    throw ExpectationFailure(
        message: "The call should throw.", actual: "returned \(result)", fileID: fileID, line: line)
}
