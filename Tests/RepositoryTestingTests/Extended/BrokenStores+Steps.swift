import Foundation
import RepositoryRuntime
import Synchronization

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

/// Backups and checks.
extension BrokenStore {
    func backup(to url: URL) async throws {
        if flaw == .replacesFiles { try? FileManager.default.removeItem(at: url) }
        try await good.backup(to: url)
    }

    func restore(from url: URL) async throws {
        do {
            try await good.restore(from: url)
        } catch let error as CRUDRepositoryError
            where error.code == .storeNotEmpty && flaw == .restoresOverRecords
            || error.code == .invalidBackup && flaw == .findsNoBackupInvalid
        {
            return
        }
        guard flaw == .losesInBackups else { return }
        for schema in opened.schemas.withLock({ $0 }) { try await good.reset(schema) }
        try await good.open(Conformance.schema)
        _ = try await good.deleteAll(Product.self)
    }

    func compact() async throws { try await good.compact() }

    func check(_ schema: StoreSchema, repair: Bool) async throws -> StoreCheck {
        var check = try await good.check(schema, repair: repair)
        if flaw == .findsProblems {
            check.problems.append(StoreCheck.Problem(.outdatedIndex, "An index is outdated."))
        }
        return check
    }
}
