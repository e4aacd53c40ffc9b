import Foundation
import Testing

@testable import RepositoryRuntime

/// Words of values beside the bytes of sort keys, and sorts by columns beside plain Swift.
@Suite("Words of sort values")
struct SortWordTests {
    /// Values of every kind that has words, with those that are easily confused.
    private static let values: [StoredValue] =
        [.null, .bool(false), .bool(true)]
        + [Int64.min, -1, 0, 1, 255, 256, .max].map { .integer($0) }
        + [-.infinity, -1.5, -0.0, 0.0, Double.leastNonzeroMagnitude, 1.5, .infinity, .nan].map {
            .double($0)
        }
        + [-1e9, -0.25, 0, 0.25, 1e9].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        + (0..<3).map { .uuid(UUID(uuid: ($0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))) }
        + [
            "", "\u{0}", "\u{1}", "a", "a\u{0}", "a\u{0}b", "a\u{1}", "ab", "é", "e\u{301}",
            "\u{10FFFF}",
            "fifteen bytes 1", "fifteen bytes 12", "fifteen bytes 13", "fifteen bytes 1\u{0}",
        ].map { .text($0) }

    @Test("Compare as the bytes of sort keys do", arguments: [false, true])
    func compareAsKeysDo(descending: Bool) {
        func key(_ value: StoredValue) -> IndexKey {
            var writer = IndexKeyWriter()
            writer.append(value, .text, descending: descending)
            return IndexKey(writer.bytes)
        }
        for one in Self.values {
            for two in Self.values {
                let word = SortWord(one, descending: descending)
                let order = word.compare(SortWord(two, descending: descending))
                if order == 0, word.isBeginning(descending: descending) { continue }
                let (first, second) = (key(one), key(two))
                #expect((order < 0) == (first < second), "\(one) \(two)")
                #expect((order > 0) == (second < first), "\(one) \(two)")
            }
        }
    }

    @Test("Sorts find the first records of their order", arguments: 1...4)
    func sortsFindTheFirst(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let titles = ["", "fifteen bytes 1", "fifteen bytes 12", "fifteen bytes 123", "é", "z"]
        let volumes = (0..<1_500).map { number in
            var volume = Volume(code: Volume.ID("volume-\(10_000 + number)"))
            volume.title = titles[random.below(titles.count)]
            volume.subtitle = random.below(3) == 0 ? nil : titles[random.below(titles.count)]
            volume.score = random.below(4) == 0 ? nil : Double(random.below(9)) - 4
            volume.pages = seed == 1 ? number : random.below(300)
            return volume
        }
        let repository = VolumeRepository(over: InMemoryStore())
        try await repository.createAll(volumes)
        let query = Query<Volume>.where { $0.pages >= 3 }.sorted(by: \.title, .descending)
            .sorted(by: \.subtitle).sorted(by: \.score, .descending).sorted(
                by: \.pages, .descending)
        let order = RowOrder(query.sortKeys, VolumeMapper.table)
        let expected = try volumes.filter { $0.pages >= 3 }.map { volume in
            (order.key(of: try StoredValueEncoder.values(of: volume, VolumeMapper.self)), volume)
        }.sorted { $0.0 < $1.0 }.map(\.1)
        for limit in [1, 20, 64, 300, 5_000] {
            #expect(
                try await repository.fetch(query.limit(limit)) == Array(expected.prefix(limit)),
                "\(limit)")
            #expect(
                try await repository.ids(query.offset(7).limit(limit))
                    == expected.dropFirst(7).prefix(limit).map(\.id))
        }
        #expect(try await repository.fetch(query) == expected)
    }
}
