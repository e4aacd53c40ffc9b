import Foundation
import RepositoryRuntime
import Testing

@testable import RepositorySQLite
@testable import RepositoryTesting

/// The blocks in which the search index stores the entries of a word.
@Suite struct SQLiteSearchBlockTests {
    private static let words = "\"repository_search words: \"\"essays\"\"\""
    private static let records = "\"repository_search records: \"\"essays\"\"\""

    /// Returns the entries of a block; nil if it is damaged.
    private func entries(
        _ bytes: [UInt8], from first: Int64, _ encoding: SQLiteSearchBlock
    ) -> [SQLiteSearchEntry]? {
        var found: [SQLiteSearchEntry] = []
        let isIntact = bytes.withUnsafeBytes {
            encoding.visit($0, from: first) { found.append($0) }
        }
        return isIntact ? found : nil
    }

    @Test(arguments: [1, 2, 3, 8, 9])
    func entriesAreDecodedAsTheyWereEncoded(fields: Int) {
        let encoding = SQLiteSearchBlock(fields: fields)
        let most = Int(Int32.max)
        let list = [
            SQLiteSearchEntry(record: .min, field: 0, occurrences: 1, words: 1),
            SQLiteSearchEntry(record: -1, field: fields - 1, occurrences: 127, words: 127),
            SQLiteSearchEntry(record: 0, field: 0, occurrences: 128, words: 128),
            SQLiteSearchEntry(record: 1, field: fields / 2, occurrences: most, words: most),
            SQLiteSearchEntry(record: 1 << 40, field: 0, occurrences: 1, words: 0),
        ]
        var bytes: [UInt8] = []
        var last: Int64?
        for entry in list {
            encoding.append(entry, after: last, to: &bytes)
            last = entry.record
        }
        #expect(entries(bytes, from: .min, encoding) == list)
        for count in 0..<bytes.count {
            let start = entries(Array(bytes[..<count]), from: .min, encoding)
            #expect(start.map { list.starts(with: $0) } ?? true)
        }
    }

    @Test func damagedBlocksAreFoundOut() {
        let encoding = SQLiteSearchBlock(fields: 3)
        #expect(entries([], from: 1, encoding) == nil)
        #expect(entries([0x80], from: 1, encoding) == nil)
        // The second entry is of the same record.
        #expect(entries([0, 1, 0, 0, 1], from: 1, encoding) == nil)
        #expect(entries(Array(repeating: 0xFF, count: 40), from: 1, encoding) == nil)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let found = entries(bytes, from: 1, encoding) ?? []
            #expect(found.allSatisfy { $0.occurrences > 0 && $0.words >= 0 })
        }
    }

    /// Checks that the blocks of all words contain exactly the words of the essays.
    private func expectBlocks(_ essays: [Essay], _ database: PlainDatabase) throws {
        let encoding = SQLiteSearchBlock(fields: 3)
        let numbers = try database.rows("SELECT record, k0 FROM \(Self.records)")
        let ids = Dictionary(uniqueKeysWithValues: numbers.map { ($0[0], $0[1]) })
        var found: Set<String> = []
        var last: (word: String, record: Int64) = ("", 0)
        let rows = try database.rows(
            "SELECT word, first, hex(entries) FROM \(Self.words) ORDER BY word, first")
        for row in rows {
            let digits = Array(row[2])
            let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...($0 + 1)]), radix: 16)
            }
            #expect(bytes.count <= 900)
            let first = try #require(Int64(row[1]))
            let block = try #require(entries(bytes, from: first, encoding))
            #expect(last.word != row[0] || last.record < first)
            last = (row[0], block.last?.record ?? first)
            for entry in block {
                let id = try #require(ids[String(entry.record)])
                found.insert("\(row[0]) \(id) \(entry.occurrences) \(entry.words)")
            }
        }
        let wanted = essays.flatMap { essay in
            let words = SearchedWords([.text(essay.title)], [0])
            return words.postings.map {
                "\($0.word) \(essay.number) \($0.occurrences) \(words.count)"
            }
        }
        #expect(found == Set(wanted))
    }

    @Test func blocksAreSplitAndJoined() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let set = Conformance(SQLiteStore(path: path))
            var random = SeededGenerator(seed: 3)
            func title(_ most: Int) -> String {
                let count = Int.random(in: 1...most, using: &random)
                return (0..<count).map { _ in "w\(Int.random(in: 0..<12, using: &random))" }
                    .joined(separator: " ")
            }
            // The numbers of the records and their order in the index differ.
            let numbers = Array(0..<2500).shuffled(using: &random)
            try await set.essays.createAll(
                numbers.map { Essay(number: .init($0), title: title(8)) })
            let other = try PlainDatabase(path)
            for round in 0..<6 {
                _ = try await set.essays.count(searching: "w0")
                try expectBlocks(try await set.essays.fetch(), other)
                let list = try await set.essays.fetch().shuffled(using: &random)
                // Whole blocks, parts of blocks, the middle, and most of everything.
                try await set.essays.deleteAll(
                    ids: list.filter { $0.number.rawValue / 100 % 6 == round }.map(\.number))
                if round == 3 {
                    try await set.essays.deleteAll(
                        where: { $0.number >= 300 && $0.number < 2200 })
                }
                let rest = try await set.essays.fetch().shuffled(using: &random)
                try await set.transaction { inside in
                    for var essay in rest.prefix(400) {
                        essay.title = title(round == 2 ? 30 : 8)
                        try await inside.essays.update(essay)
                    }
                }
                try await set.essays.createAll(
                    (0..<100).map {
                        Essay(number: .init(10_000 + round * 1000 + $0), title: title(8))
                    })
            }
            let blocks = try other.value("SELECT count(*) FROM \(Self.words) WHERE word = 'w0'")
            #expect((1..<8).contains(blocks.flatMap { Int($0) } ?? 0))
        }
    }

    @Test func theBestRecordsAreTheFirstOfAll() async throws {
        let set = Conformance(SQLiteStore.inMemory())
        var random = SeededGenerator(seed: 5)
        func essay(_ number: Int) -> Essay {
            let words = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                "w\(Int.random(in: 0..<4, using: &random))"
            }
            return Essay(number: .init(number), title: words.joined(separator: " "))
        }
        try await set.essays.createAll(Array(0..<600).shuffled(using: &random).map { essay($0) })
        for (round, text) in ["w0", "w1 w2", "w*", "w0 w1 w2 w3", "\"w0 w1\"", "w9"].enumerated() {
            for matching in SearchMatching.allCases {
                let all = try await set.essays.search(text, matching: matching)
                for limit in [1, 2, 7, 64, 150, 599, 600, 5000] {
                    let best = try await set.essays.search(
                        text, .all.limit(limit), matching: matching)
                    #expect(best.map(\.number) == all.prefix(limit).map(\.number))
                }
            }
            // Searches read so few changed records themselves, whose entries are out of date.
            for _ in 0..<20 {
                let id = Essay.ID(Int.random(in: 10..<600, using: &random))
                var changed = try await set.essays.read(id)
                changed.title = essay(0).title
                try await set.essays.update(changed)
            }
            if round == 4 {
                for number in 0..<5 { try await set.essays.delete(.init(number)) }
            }
        }
    }

    /// An index as an earlier version created it.
    private func setEarlierLayout(_ database: PlainDatabase) throws {
        try database.run(
            """
            BEGIN;
            DROP TABLE \(Self.words);
            DROP TABLE \(Self.records);
            CREATE TABLE \(Self.words) (word TEXT NOT NULL, record INTEGER NOT NULL, \
            field INTEGER NOT NULL, occurrences INTEGER NOT NULL, \
            PRIMARY KEY (word, record)) STRICT, WITHOUT ROWID;
            CREATE TABLE \(Self.records) (record INTEGER PRIMARY KEY, "k0" INTEGER NOT NULL, \
            count INTEGER NOT NULL, words TEXT NOT NULL, UNIQUE ("k0")) STRICT;
            INSERT INTO \(Self.records) VALUES (1, 1, 1, 'stale');
            INSERT INTO \(Self.words) VALUES ('stale', 1, 0, 1);
            UPDATE repository_search SET definition = '1' || substr(definition, 2)
                WHERE name = 'essays';
            COMMIT;
            """)
    }

    @Test func anIndexOfTheEarlierLayoutIsRebuilt() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let set = Conformance(SQLiteStore(path: path))
            try await set.essays.createAll(
                (0..<100).map { Essay(number: .init($0), title: "Essay \($0)") })
            #expect(try await set.essays.count(searching: "essay") == 100)
            let other = try PlainDatabase(path)
            try setEarlierLayout(other)
            // An open store does not read an index of another layout, nor does it change it.
            #expect(try await set.essays.count(searching: "essay") == 100)
            #expect(try await set.essays.count(searching: "stale") == 0)
            try await set.essays.update(Essay(number: 7, title: "Novel"))
            #expect(try await set.essays.search("novel").map(\.number) == [7])
            #expect(try other.value("SELECT count(*) FROM \(Self.words)") == "1")
            // Opening rebuilds it.
            let later = Conformance(SQLiteStore(path: path))
            #expect(try await later.essays.count(searching: "essay") == 99)
            #expect(try await later.essays.count(searching: "stale") == 0)
            #expect(try await later.essays.search("novel").map(\.number) == [7])
            try expectBlocks(try await later.essays.fetch(), other)
            // The store that was open from the beginning reads the new one.
            #expect(try await set.essays.count(searching: "essay") == 99)
        }
    }

    @Test func anUpdateThatFailsChangesNothing() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let set = Conformance(SQLiteStore(path: path))
            try await set.essays.createAll(
                (0..<500).map { Essay(number: .init($0), title: "Essay \($0)") })
            #expect(try await set.essays.count(searching: "essay") == 500)
            let other = try PlainDatabase(path)
            let content = "SELECT word, first, hex(entries) FROM \(Self.words) ORDER BY 1, 2"
            let before = try other.rows(content)
            // The last of the changed words cannot be written.
            try other.run(
                """
                CREATE TRIGGER failing BEFORE INSERT ON \(Self.words) WHEN NEW.word = 'zoo'
                BEGIN SELECT RAISE(ABORT, 'no'); END
                """)
            try await set.essays.updateAll(
                where: { $0.number >= 100 && $0.number < 200 }, set: { $0.title = "A zoo" })
            #expect(try await set.essays.count(searching: "zoo") == 100)
            #expect(try await set.essays.count(searching: "essay") == 400)
            #expect(try other.rows(content) == before)
            try other.run("DROP TRIGGER failing")
            #expect(try await set.essays.count(searching: "zoo") == 100)
            try expectBlocks(try await set.essays.fetch(), other)
        }
    }

    @Test func aDamagedBlockIsReportedAndRebuilt() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let store = SQLiteStore(path: path)
            let set = Conformance(store)
            try await set.essays.createAll(
                (0..<100).map { Essay(number: .init($0), title: "Essay \($0)") })
            #expect(try await set.essays.count(searching: "essay") == 100)
            let other = try PlainDatabase(path)
            try other.run("UPDATE \(Self.words) SET entries = x'00' WHERE word = 'essay'")
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await set.essays.search("essay")
            }
            #expect(error?.description.contains("rebuildIndexes") == true)
            try await store.rebuildIndexes()
            #expect(try await set.essays.count(searching: "essay") == 100)
        }
    }
}
