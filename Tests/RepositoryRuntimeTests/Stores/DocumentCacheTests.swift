import Foundation
import RepositoryTesting
import Synchronization
import Testing

@testable import RepositoryRuntime

@Suite("What document stores keep in memory is bounded")
struct DocumentCacheTests {
    private static let collection = DocumentIndexNames.collection(of: "things")

    private func key(_ number: Int) -> IndexKey { IndexKey(Array("key \(number)".utf8)) }

    private func name(_ number: Int) -> String { DocumentIndexNames.page(0, number) }

    /// A driver that holds pages of one key each.
    private func driver(pages: Int) throws -> CountingDriver {
        let driver = CountingDriver()
        try driver.applyAll(
            (0..<pages).map { number in
                DocumentChange(
                    name(number), in: Self.collection,
                    data: IndexPageBytes.encode(page: [key(number)]))
            })
        return driver
    }

    @Test("Of the pages of an index those used last")
    func pages() throws {
        let limit = 2 * DocumentPageCache.generationLimit
        let driver = try driver(pages: 2_000)
        let cache = DocumentPageCache(driver, Self.collection)
        for number in 0..<2_000 {
            #expect(try cache.page(name(number), number) == [key(number)])
            // One that is used again and again is read once.
            #expect(try cache.page(name(7), 7) == [key(7)])
            #expect(cache.count <= limit)
        }
        let calls = driver.content.withLock { $0.calls }
        #expect(try cache.page(name(7), 7) == [key(7)])
        #expect(try cache.page(name(1_999), 1_999) == [key(1_999)])
        #expect(driver.content.withLock { $0.calls } == calls)
    }

    @Test("What a write makes of pages is kept until it has happened, however much it is")
    func changes() throws {
        let driver = try driver(pages: 1_000)
        let cache = DocumentPageCache(driver, Self.collection)
        let changed = (0..<1_000).map { ($0, $0 == 3 ? nil : [key(-$0)]) }
        let next = cache.with(Dictionary(uniqueKeysWithValues: changed))
        for number in 0..<1_000 where number != 3 {
            #expect(try next.page(name(number), number) == [key(-number)])
            #expect(try cache.page(name(number), number) == [key(number)])
        }
        #expect(throws: IndexFailure.self) { try next.page(name(3), 3) }
        next.settle()
        #expect(next.count <= 2 * DocumentPageCache.generationLimit)
        // Those that were given up are read where the write has put them, and nowhere else.
        try driver.applyAll(
            changed.map { number, keys in
                DocumentChange(
                    name(number), in: Self.collection,
                    data: keys.map(IndexPageBytes.encode(page:)))
            })
        for (number, keys) in changed {
            guard let keys else { continue }
            #expect(try next.page(name(number), number) == keys)
        }
    }

    @Test("Windows of ids are the ids in their order", arguments: [1, 2, 3] as [UInt64])
    func windows(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for capacity in [1, 2, 7, 100] {
            let count = Int.random(in: 0...60, using: &random)
            let ids = (0..<count).map { Note.ID("\($0)") }
            let sorted = ids.sorted()
            var found: [Note.ID] = []
            var window: IDWindow<Note.ID>
            repeat {
                let shuffled = ids.shuffled(using: &random)
                window = try IDWindow(after: found.last, capacity: capacity) {
                    try shuffled.forEach($0)
                }
                #expect(window.ids.count <= capacity)
                for (place, id) in window.ids.enumerated() {
                    let goesOn = window.reachesEnd || place < window.ids.count - 1
                    #expect(window.covers(after: id) == goesOn)
                    #expect(Array(window.ids(after: id)) == Array(window.ids[(place + 1)...]))
                }
                if let last = found.last { #expect(window.covers(after: last)) }
                if found.count > 1 { #expect(!window.covers(after: found[0])) }
                found += window.ids
            } while !window.reachesEnd
            #expect(found == sorted, "seed \(seed), \(count) ids by \(capacity)")
        }
    }

    @Test("A stream that has ended keeps no ids")
    func streams() async throws {
        let folder = TemporaryFolder()
        let store = DocumentStore(
            FileDriver(root: folder.url, formatExtension: "json", providesStamps: true),
            transformer: JSONDataTransformer())
        let library = Conformance(store)
        try await library.notes.createAll((0..<600).map { Note(id: .init("\($0)"), text: "") })
        var seen = 0
        var kept = 0
        for try await _ in library.notes.stream(.all) {
            seen += 1
            kept = max(kept, store.listings.count(Note.self))
        }
        #expect(seen == 600)
        #expect(kept == 600)
        #expect(store.listings.count(Note.self) == 0)
    }
}
