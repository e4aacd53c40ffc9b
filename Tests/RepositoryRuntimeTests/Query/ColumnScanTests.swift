import Testing

@testable import RepositoryRuntime

/// Queries over the columns of the store in memory, which follow the changes of records.
@Suite("Columns in memory")
struct ColumnScanTests {
    /// A record whose title and weight vary with the number.
    private func volume(_ number: Int, _ random: inout SeededGenerator) -> Volume {
        var volume = Volume(code: Volume.ID("volume-\(10_000 + number)"))
        volume.pages = random.below(50)
        volume.title = random.pick(["", "one", "One", "two", "three"], "")
        volume.isOpen = random.below(2) == 0
        return volume
    }

    /// The results of queries that use columns, each beside the same in plain Swift.
    private func compare(
        _ repository: VolumeRepository, _ model: [Volume.ID: Volume], _ name: Comment
    ) async throws {
        let all = model.values.sorted { $0.code < $1.code }
        let thick = try await repository.fetch(
            .where { $0.pages > 25 && !($0.title == "one") || $0.isOpen == true && $0.pages <= 3 })
        #expect(
            thick
                == all.filter { $0.pages > 25 && $0.title != "one" || $0.isOpen && $0.pages <= 3 },
            name)
        let listed = try await repository.count(
            where: { $0.title.in(["two", ""]) && $0.title.hasPrefix("t") })
        #expect(listed == all.count { $0.title == "two" }, name)
        let sorted = try await repository.fetch(
            .where { $0.pages >= 5 }.sorted(by: \.title, .descending).sorted(by: \.pages).limit(20))
        let expected = all.filter { $0.pages >= 5 }.sorted {
            if $0.title != $1.title {
                return $0.title.utf8.lexicographicallyPrecedes($1.title.utf8) ? false : true
            }
            return $0.pages != $1.pages ? $0.pages < $1.pages : $0.code < $1.code
        }
        #expect(sorted == Array(expected.prefix(20)), name)
        let first = try await repository.page(.where { $0.pages < 40 }.sorted(by: \.pages).limit(7))
        if let next = first.next {
            let second = try await repository.page(
                .where { $0.pages < 40 }.sorted(by: \.pages).limit(7), after: next)
            let pages = all.filter { $0.pages < 40 }.sorted {
                $0.pages != $1.pages ? $0.pages < $1.pages : $0.code < $1.code
            }
            #expect(first.items + second.items == Array(pages.prefix(14)), name)
        }
        let groups = try await repository.group(by: \.title, .count, .sum(of: \.pages))
        let totals = Dictionary(grouping: all, by: \.title)
        #expect(groups.count == totals.count, name)
        for (title, count, pages) in groups {
            #expect(totals[title]?.count == count, name)
            #expect(totals[title]?.reduce(0) { $0 + $1.pages } == pages, name)
        }
    }

    @Test(arguments: 1...2)
    func followChanges(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let repository = VolumeRepository(over: InMemoryStore())
        var model: [Volume.ID: Volume] = [:]
        for step in 0..<15 {
            let name: Comment = "seed \(seed), step \(step)"
            switch random.below(4) {
            case 0, 1:
                let most = random.pick([1, 3, 200, 400], 1)
                let volumes = Set((0..<most).map { _ in random.below(1_500) }).sorted().map {
                    volume($0, &random)
                }
                try await repository.saveAll(volumes)
                for volume in volumes { model[volume.code] = volume }
            case 2:
                let ids = Set(
                    (0..<random.pick([1, 5, 300], 1)).map { _ in
                        Volume.ID("volume-\(10_000 + random.below(1_500))")
                    })
                _ = try await repository.deleteAll(ids: Array(ids))
                for id in ids { model[id] = nil }
            default:
                let most = random.below(50)
                try await repository.updateAll(where: { $0.pages < most }) { $0.pages += 1 }
                for (id, volume) in model where volume.pages < most { model[id]?.pages += 1 }
            }
            try await compare(repository, model, name)
        }
    }

    @Test("A change that is rolled back, and a snapshot, leave the columns as they are")
    func transactions() async throws {
        var random = SeededGenerator(seed: 1)
        let store = InMemoryStore()
        let repository = VolumeRepository(over: store)
        let volumes = (0..<300).map { volume($0, &random) }
        try await repository.createAll(volumes)
        let model = Dictionary(uniqueKeysWithValues: volumes.map { ($0.code, $0) })
        try await compare(repository, model, "before")
        let transaction = try await store.begin()
        _ = try await transaction.deleteAll(Volume.self)
        try await compare(repository, model, "while a transaction runs")
        await transaction.rollBack()
        try await compare(repository, model, "after the transaction")
        let snapshot = try await store.snapshot()
        _ = try await repository.deleteAll(where: { $0.pages < 25 })
        try await compare(repository, model.filter { $0.value.pages >= 25 }, "after a deletion")
        #expect(try await snapshot.count(Volume.self) == 300)
        await snapshot.rollBack()
    }
}
