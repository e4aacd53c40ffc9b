import Foundation
import Testing

@testable import RepositoryRuntime

/// Pages while others insert and delete.
@Suite struct CursorTests {
    @Test(arguments: [11, 12, 13] as [UInt64])
    func showsEveryLastingRecordOnce(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let repository = VolumeRepository(over: InMemoryStore())
        let volumes = RandomVolumes.make(80, &random)
        try await repository.createAll(volumes)
        let queries: [Query<Volume>] = [
            .all, .sorted(by: \.subtitle), .sorted(by: \.subtitle, .descending),
            .sorted(by: \.score, .descending).sorted(by: \.title),
            .where { $0.grade != nil }.sorted(by: \.shelf.note),
            .sorted(by: \.id, .descending),
        ]
        for (number, query) in queries.enumerated() {
            let before = try await repository.fetch(query)
            var deleted: Set<Volume.ID> = []
            var seen: [Volume] = []
            var cursor: QueryCursor?
            repeat {
                let page = try await repository.page(query.limit(7), after: cursor)
                seen += page.items
                // The cursor goes through its text, as it does between two requests.
                cursor = try page.next.map { next in
                    try JSONDecoder().decode(
                        [QueryCursor].self, from: JSONEncoder().encode([next]))[0]
                }
                // The very record that the cursor stands on goes, and others come and go.
                for volume in page.items.suffix(1) + before.shuffled(using: &random).prefix(2) {
                    if deleted.insert(volume.id).inserted {
                        try await repository.delete(volume.id)
                    }
                }
                for _ in 0..<2 {
                    let code = "n\(number)-\(random.below(1_000_000))"
                    try await repository.save(RandomVolumes.make(code, &random))
                }
            } while cursor != nil && seen.count < 1_000
            let ids = seen.map(\.id)
            #expect(Set(ids).count == ids.count, "seed \(seed), query \(number): seen twice")
            let lasting = before.filter { !deleted.contains($0.id) }
            let old = Set(before.map(\.id))
            #expect(
                seen.filter { old.contains($0.id) && !deleted.contains($0.id) } == lasting,
                "seed \(seed), query \(number)")
            try await repository.deleteAll()
            try await repository.createAll(volumes)
        }
    }

    @Test func isATextOfPlainLetters() throws {
        let values: [StoredValue] = [
            .null, .bool(true), .integer(.min), .double(-0.1), .decimal(Decimal(1) / 3),
            .date(Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)), .uuid(UUID()),
            .text("?é\u{0}😀>>"), .data(Data([255, 0, 63])), .list([.null, .text("")]),
            .object(["a": .integer(1), "b": .object([:])]),
        ]
        let cursor = QueryCursor(order: "t:-a", position: values)
        #expect(QueryCursor(cursor.description) == cursor)
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
        #expect(cursor.description.unicodeScalars.allSatisfy(allowed.contains))
    }

    @Test func refusesWhatIsNoCursor() {
        #expect(QueryCursor("") == nil)
        #expect(QueryCursor("!") == nil)
        #expect(QueryCursor("AAAA") == nil)
        let text = QueryCursor(order: "t:", position: [.text("a")]).description
        #expect(QueryCursor(String(text.dropLast(3))) == nil)
        var nested = StoredValue.integer(1)
        for _ in 0..<20 { nested = .list([nested]) }
        #expect(QueryCursor(QueryCursor(order: "t:", position: [nested]).description) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([QueryCursor].self, from: Data(#"["x"]"#.utf8))
        }
    }
}
