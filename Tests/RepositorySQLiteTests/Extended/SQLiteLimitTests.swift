import Foundation
import Testing

@testable import RepositoryRuntime
@testable import RepositorySQLite
@testable import RepositoryTesting

/// What is written as SQL stays within SQLite's limits: 32,766 parameters, expressions 1,000 deep.
@Suite struct SQLiteLimitTests {
    private let fields = Sparse.Fields()

    private func repository() async throws -> SparseRepository {
        let set = Conformance(
            context: RepositoryContext(
                store: SQLiteStore.inMemory(), schema: Conformance.schema, fullScans: .allow))
        try await set.sparses.createAll(
            (0..<20).map { number in
                var record = Sparse(id: .init("r\(number)"))
                record.double = Double(number)
                record.int = number
                return record
            })
        return set.sparses
    }

    /// Lists of doubles have no form as one parameter, and each value is bound.
    @Test func manyListsOfManyValues() async throws {
        let repository = try await repository()
        var condition = fields.double == 3
        for list in 0..<150 {
            let values = (0..<500).map { Double(list * 1_000 + $0) + 0.25 }
            condition = condition || (fields.double.in(values) && fields.int >= 0)
        }
        let all = condition
        #expect(try await repository.fetch(.where { _ in all }).map(\.int) == [3])
        for count in [511, 512, 513, 40_000] {
            let values = (0..<count).map { Double($0) + ($0 == 7 ? 0 : 0.5) }
            #expect(try await repository.fetch(.where { $0.double.in(values) }).map(\.int) == [7])
            #expect(try await repository.count(.where { !$0.double.in(values) }) == 19)
        }
    }

    @Test func manyConjunctsAndAlternatives() async throws {
        let repository = try await repository()
        for count in [150, 199, 200, 201, 999, 1_000, 1_001, 5_000] {
            var both = fields.int >= 0
            var either = fields.int == 5
            for number in 0..<count {
                both = both && (fields.double != Double(number) + 0.5 || fields.int == nil)
                either = either || (fields.double == Double(number) + 0.5 && fields.int >= 0)
            }
            let (all, one) = (both, either)
            #expect(try await repository.count(.where { _ in all }) == 20, "\(count)")
            #expect(try await repository.fetch(.where { _ in one }).map(\.int) == [5], "\(count)")
            #expect(try await repository.count(.where { _ in !one }) == 19, "\(count)")
        }
    }

    /// Equalities of one field become one list, which an index serves.
    @Test func alternativesBecomeAList() async throws {
        let repository = try await repository()
        let ids = (0..<20_000).map { fields.id == .init("r\($0)") }
        let condition = ids.dropFirst().reduce(ids[0]) { $0 || $1 }
        let text = try await repository.explain(.where { _ in condition }).description
        #expect(text.contains("json_each"), "\(text.prefix(400))")
        #expect(text.contains("SEARCH"), "\(text.prefix(400))")
        #expect(try await repository.count(.where { _ in condition }) == 20)
    }
}
