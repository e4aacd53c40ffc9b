import Foundation
import Testing

@testable import RepositoryRuntime

/// Random queries, answered by the runtime over a store and by plain Swift over the same volumes.
@Suite struct RandomQueryTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func answersAsPlainSwiftDoes(seed: UInt64) async throws {
        try await compare(InMemoryStore(), seed: seed, queries: 100)
    }

    @Test func answersTheSameFromFiles() async throws {
        let folder = TemporaryFolder()
        try await compare(FileSystemStore(directory: folder.url), seed: 5, queries: 15)
        let other = TemporaryFolder()
        try await compare(
            FileSystemStore(directory: other.url, transformer: CBORDataTransformer()), seed: 6,
            queries: 15)
    }

    @Test func answersTheSameFromUserDefaults() async throws {
        let suite = TemporarySuite()
        try await compare(UserDefaultsStore(suiteName: suite.name), seed: 7, queries: 15)
    }

    private func compare(_ store: any EntityStore, seed: UInt64, queries: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let volumes = RandomVolumes.make(90, &random)
        let repository = VolumeRepository(over: store)
        try await repository.createAll(volumes)
        let rows = try volumes.map { try StoredValueEncoder.values(of: $0, VolumeMapper.self) }
        for number in 0..<queries {
            let condition = RandomCondition.make(&random, depth: 3)
            let orders = RandomOrder.make(&random)
            let limit = random.below(3) == 0 ? nil : random.below(40)
            let offset = random.below(3) == 0 ? random.below(20) : 0
            var query = Query<Volume>.where(condition.query).offset(offset)
            for order in orders { query = order.sorted(query) }
            if let limit { query = query.limit(limit) }
            let name: Comment =
                "\(store.name), seed \(seed), query \(number): \(condition.name) by \(orders.map(\.name)) \(String(describing: limit)) \(offset)"

            let matching = RandomOrder.sort(volumes.filter(condition.plain), by: orders)
            let expected = Array(matching.dropFirst(offset).prefix(limit ?? .max))

            #expect(try await repository.fetch(query) == expected, name)
            #expect(try await repository.fetchOne(query) == expected.first, name)
            #expect(try await repository.ids(query) == expected.map(\.id), name)
            #expect(try await repository.count(query) == expected.count, name)
            #expect(
                try await repository.exists(where: condition.query) == !matching.isEmpty, name)
            var streamed: [Volume] = []
            for try await volume in repository.stream(query) { streamed.append(volume) }
            #expect(streamed == expected, name)
            let evaluated = try QueryEvaluator(query).results(of: rows)
            #expect(evaluated.map { $0[0] } == expected.map { .text($0.code.rawValue) }, name)

            var paged: [Volume] = []
            var cursor: QueryCursor?
            let paging = query.limit(random.below(25) + 5)
            repeat {
                let page = try await repository.page(paging, after: cursor)
                paged += page.items
                cursor = page.next
            } while cursor != nil && paged.count <= volumes.count
            #expect(paged == Array(matching.dropFirst(offset)), name)
        }
    }
}
