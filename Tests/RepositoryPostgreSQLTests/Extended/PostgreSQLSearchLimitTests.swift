#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// Search indexes with long words and ids, many writers and searchers, tenants, and damage.
    @Suite(
        "PostgreSQL: search at its limits", .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLSearchLimitTests {
        private func withStore(
            _ body: (PostgreSQLStore, String) async throws -> Void
        ) async throws {
            let schema = "s\(UUID().uuidString.prefix(8).lowercased())"
            let store = try TestServer.store(schema)
            try await body(store, schema)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \(schema) CASCADE")
        }

        @Test("Words and prefixes that are longer than the rows of an index can hold are found")
        func longWords() async throws {
            try await withStore { store, _ in
                let set = Conformance(store)
                // A scalar of two bytes stands across each place where words are cut.
                let starts = [388, 391, 392, 396, 399, 400, 401, 3_000].map {
                    String(repeating: "a", count: $0 - 1) + "\u{df}" + "b"
                }
                let titles = starts.enumerated().flatMap { number, start in
                    [start, start + "c\(number)", start + String(repeating: "d", count: 3_000)]
                }
                let filling = (0..<100).map { Essay(number: .init(1_000 + $0), title: "x\($0)") }
                try await set.essays.createAll(
                    filling + titles.enumerated().map { Essay(number: .init($0), title: $1) })
                #expect(try await set.essays.count(searching: "x7") == 1)
                let folded = titles.map { $0.replacing("\u{df}", with: "ss") }
                for title in titles {
                    for length in [10, 387, 390, 391, 392, 393, 395, 400, 401, 2_000, title.count] {
                        let text = String(title.prefix(length))
                        let words = text.replacing("\u{df}", with: "ss")
                        let whole = folded.indices.filter { folded[$0] == words }
                        let begun = folded.indices.filter { folded[$0].hasPrefix(words) }
                        let (found, prefixed) = try await (
                            set.essays.search(text), set.essays.search(text + "*")
                        )
                        #expect(Set(found.map(\.number.rawValue)) == Set(whole))
                        #expect(Set(prefixed.map(\.number.rawValue)) == Set(begun))
                    }
                }
                #expect(try await store.check(set.context.schema, repair: false).isSound)
            }
        }

        @Test("Records with ids that an index cannot hold are found")
        func longIDs() async throws {
            typealias Thing = Shaped<Shapes.Searched>
            try await withStore { store, schema in
                try await store.open(StoreSchema("Changing", [Thing.self]))
                var random = SeededGenerator(seed: 1)
                let ids = (0..<200).map { number in
                    let digits = (0..<2_600).map { _ in random.one(of: Array("0123456789abcdef")) }
                    return number < 70 ? String(digits) : "\(number)"
                }
                try await store.createAll(
                    ids.enumerated().map { Thing($1, .text("word \($0)"), .integer(1)) })
                // More long ids than a search reads: it reads all records.
                #expect(try await store.search(Thing.self, SearchQuery("word")) == nil)
                try await TestServer.run("UPDATE \(schema).things SET title = title || ' x'")
                _ = try await store.deleteAll(Thing.self, ids: ids[..<20].map { .init($0) })
                let hits = try #require(
                    try await store.search(Thing.self, SearchQuery("word")))
                #expect(hits.unranked.count == 50)
                #expect(hits.ranked.count == 130)
            }
        }

        @Test("Writers do not wait for a program that indexes, nor it for them")
        func waiting() async throws {
            try await withStore { store, schema in
                let set = Conformance(store)
                try await set.essays.createAll(
                    (0..<100).map { Essay(number: .init($0), title: "Essay \($0)") })
                let plan = try store.tables.table("essays")
                let index = try #require(PostgreSQLSearchIndex(plan.table))
                try await store.access.write(.batch(setting: nil, check: nil)) { job in
                    _ = try await PostgreSQLSearchUpkeep<Essay>(index, job, plan).run()
                    // These would wait until the end of the test for a lock of the transaction.
                    for number in 0..<100 {
                        var essay = try await set.essays.read(.init(number))
                        essay.title = "Saga \(number)"
                        try await set.essays.save(essay)
                    }
                    try await set.essays.delete(0)
                    try await set.essays.create(Essay(number: 0, title: "Saga 0"))
                } diagnose: { error, _, _ in
                    PostgreSQLErrors.databaseError(error)
                }
                #expect(
                    try await TestServer.value(
                        "SELECT count(*) FROM \(schema).repository_search_changes_essays") == "102")
                let writing = try await store.begin()
                try await Conformance(writing).essays.updateAll(
                    where: { $0.number < 90 }, set: { $0.title = "Novel" })
                #expect(try await set.essays.count(searching: "saga") == 100)
                #expect(try await set.essays.count(searching: "essay") == 0)
                try await writing.commit()
                #expect(try await set.essays.count(searching: "saga") == 10)
                #expect(try await set.essays.count(searching: "novel") == 90)
            }
        }

        @Test("Many writers and searchers of two programs leave an index that equals the records")
        func manyPrograms() async throws {
            try await withStore { store, schema in
                let other = try TestServer.store(schema)
                let sets = [Conformance(store), Conformance(other)]
                let seed = RandomSettings.seed
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for task in 0..<8 {
                        group.addTask {
                            var random = SeededGenerator(seed: seed &+ UInt64(task))
                            let essays = sets[task % 2].essays
                            for number in 0..<60 {
                                let id = Essay.ID(task * 100 + number)
                                let words = (0..<8).map { _ in random.one(of: ["a", "b", "c", "d"])
                                }
                                try await essays.create(
                                    Essay(number: id, title: words.joined(separator: " ")))
                                if random.once(in: 3) { try await essays.delete(id) }
                                if random.once(in: 3) {
                                    // What was found may be gone when it is read.
                                    _ = try await essays.search("\(random.one(of: words)) a*")
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                for set in sets {
                    let all = try await set.essays.fetch()
                    for word in ["a", "b", "c", "d"] {
                        let found = try await set.essays.search(word).map(\.number)
                        let expected = all.filter { $0.title.contains(word) }.map(\.number)
                        #expect(Set(found) == Set(expected), "seed \(seed)")
                    }
                }
                #expect(try await store.check(sets[0].context.schema, repair: false).isSound)
                try await other.close()
            }
        }

        @Test("A check finds words that the index lacks, and repairs them")
        func check() async throws {
            try await withStore { store, schema in
                let set = Conformance(store)
                try await set.essays.createAll(
                    (0..<100).map { Essay(number: .init($0), title: "Essay \($0)") })
                #expect(try await set.essays.count(searching: "essay") == 100)
                #expect(try await store.check(set.context.schema, repair: false).isSound)
                try await TestServer.run(
                    "DELETE FROM \(schema).repository_search_words_essays WHERE word = '7'")
                let damaged = try await store.check(set.context.schema, repair: false)
                #expect(damaged.problems.map(\.kind) == [.outdatedSearchIndex])
                let repaired = try await store.check(set.context.schema, repair: true)
                #expect(repaired.problems.map(\.isRepaired) == [true])
                #expect(try await set.essays.search("7").map(\.number) == [7])
                #expect(try await store.check(set.context.schema, repair: false).isSound)
            }
        }

        @Test("A program that may only read searches, and each tenant has an index of its own")
        func readOnly() async throws {
            try await withStore { store, schema in
                let set = Conformance(store)
                try await set.essays.createAll(
                    (0..<100).map { Essay(number: .init($0), title: "Essay \($0)") })
                let address = try TestServer.address.get()
                let option = "options=-c%20default_transaction_read_only%3Don"
                let reading = PostgreSQLStore(
                    address + (address.contains("?") ? "&" : "?") + option, schema: schema)
                #expect(try await Conformance(reading).essays.count(searching: "essay") == 100)
                let changes = "SELECT count(*) FROM \(schema).repository_search_changes_essays"
                #expect(try await TestServer.value(changes) == "100")
                let tenant = try store.tenant("acme", connections: 2)
                let apart = Conformance(tenant)
                try await apart.essays.create(Essay(number: 1, title: "Essay"))
                #expect(try await apart.essays.count(searching: "essay") == 1)
                #expect(try await set.essays.count(searching: "essay") == 100)
                #expect(try await TestServer.value(changes) == "0")
                try await tenant.close()
                try await reading.close()
                try await TestServer.run("DROP SCHEMA \"\(schema).tenant.acme\" CASCADE")
            }
        }
    }
#endif
