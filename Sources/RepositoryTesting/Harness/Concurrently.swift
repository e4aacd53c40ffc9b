internal import RepositoryRuntime

/// Runs `count` concurrent tasks and returns their results in the order of their numbers.
func concurrently<R: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> R
) async throws -> [R] {
    try await withThrowingTaskGroup(of: (Int, R).self) { group in
        for number in 0..<count {
            group.addTask { @concurrent in (number, try await body(number)) }
        }
        var results: [Int: R] = [:]
        for try await (number, result) in group { results[number] = result }
        return (0..<count).compactMap { results[$0] }
    }
}

/// Returns the code of the error that a call throws; nil if it returns.
func code<R>(
    _ call: () async throws -> R
) async throws -> CRUDRepositoryError.Code? {
    do {
        _ = try await call()
        return nil
    } catch let error as CRUDRepositoryError {
        return error.code
    }
}
