import RepositoryRuntime

@testable import RepositoryTesting

extension BrokenStore {
    func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int {
        switch flaw {
        case .updatesOneByOne:
            let evaluator = try QueryEvaluator(query)
            let rows = try await good.page(E.self, after: nil, limit: .max).map {
                try StoredValueEncoder.values(of: $0, E.Mapper.self)
            }
            let found = evaluator.results(of: rows)
            for row in found {
                await Task.yield()
                _ = try await good.update(change(ReferenceTables.entity(row)))
            }
            return found.count
        case .updatesDespiteChecks:
            return try await good.updateAll(query) { entity in
                do {
                    return try change(entity)
                } catch let error as CRUDRepositoryError where error.constraint != nil {
                    return entity
                }
            }
        case .updatesBeyondTheLimit:
            guard let maximum = query.maximum, maximum > 0 else { break }
            return try await good.updateAll(query.limit(maximum + 1), change)
        default: break
        }
        return try await good.updateAll(query, change)
    }
}
