internal import RepositoryRuntime

/// The results of tasks that run at once, in the order of their numbers.
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

/// The code of what a call throws; nil when it returns.
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
