import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

@testable import RepositorySQLite

/// Checks of what the store derives from the records or keeps beside them.
@Suite struct SQLiteDerivedCheckTests {
    /// Stores essays and photos, changes the database as another program would, and returns what a
    /// check finds and repairs.
    private func check(
        _ damage: String, _ body: (StoreCheck, StoreCheck, StoreCheck) throws -> Void
    ) async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let store = SQLiteStore(path: path)
            let (gallery, library) = (Conformance.gallery(store), Conformance.plain(store))
            func check(repair: Bool = false) async throws -> StoreCheck {
                var check = try await gallery.check(repair: repair)
                check.problems += try await library.check(repair: repair).problems
                return check
            }
            // A search indexes the records when more than a few are new.
            try await library.essays.createAll(
                (0..<100).map {
                    Essay(number: .init($0), title: $0 % 2 == 0 ? "Of ships" : "Of the sea")
                })
            #expect(try await library.essays.search("sea", limit: 100).count == 50)
            let bytes = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try await gallery.photos.create(Photo(id: "a", image: ExternalData(bytes)))
            try await gallery.photos.create(Photo(id: "b", image: ExternalData(Data([1, 2]))))
            #expect(try await check().problems == [])
            try PlainDatabase(path).run(damage)
            let found = try await check()
            let repaired = try await check(repair: true)
            try body(found, repaired, await check())
        }
    }

    @Test func aSearchIndexThatLacksWordsIsRebuilt() async throws {
        try await check(
            "DELETE FROM \"repository_search words: \"\"essays\"\"\" WHERE word = 'sea'"
        ) { found, repaired, after in
            #expect(found.problems.map(\.kind) == [.outdatedSearchIndex])
            #expect(found.problems.map(\.table) == ["essays"])
            #expect(repaired.isSound && repaired.problems.count == 1)
            #expect(after.problems == [])
        }
    }

    @Test(arguments: [
        "DELETE FROM repository_chunks_photos WHERE k0 = 'a' AND number = 1",
        "UPDATE repository_chunks_photos SET data = zeroblob(length(data))"
            + " WHERE k0 = 'a' AND number = 1",
    ])
    func missingAndChangedExternalDataIsReported(damage: String) async throws {
        try await check(damage) { found, repaired, after in
            #expect(found.problems.map(\.kind) == [.damagedExternalData])
            #expect(found.problems.map(\.id) == ["a"])
            #expect(found.problems.map(\.field) == ["image"])
            #expect(!repaired.isSound)
            #expect(after.problems == found.problems)
        }
    }

    @Test func externalDataThatNoRecordHasIsRemoved() async throws {
        // SQLite calls no trigger for the record that another one displaces.
        try await check(
            "INSERT OR REPLACE INTO photos (id) VALUES ('a')"
        ) { found, repaired, after in
            #expect(found.problems.map(\.kind) == [.strayExternalData])
            #expect(found.problems.map(\.table) == ["photos"])
            #expect(repaired.isSound && repaired.problems.count == 1)
            #expect(after.problems == [])
        }
    }

    @Test func recordsWithIDsThatCannotBeDecodedAreNamed() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let library = Conformance.plain(SQLiteStore(path: path))
            func letter(_ id: String, _ text: String) -> Letter {
                Letter(
                    id: .init(id), text: text, madeAt: Date(timeIntervalSince1970: 0),
                    changedAt: Date(timeIntervalSince1970: 0))
            }
            try await library.letters.create(letter("b", "of ships"))
            let columns = try PlainDatabase(path).rows(
                "SELECT name FROM pragma_table_info('letters')"
            )
            .map { "\"\($0[0])\"" }.filter { $0 != "\"id\"" }.joined(separator: ", ")
            // Texts that are no UTF-8, before and after all others.
            try PlainDatabase(path).run(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
                INSERT INTO letters (id, \(columns)) SELECT
                CAST(iif(i % 2, X'01FF', X'FFFF') AS TEXT) || i, \(columns)
                FROM n, letters WHERE id = 'b'
                """)
            for id in 0..<100 {
                try await library.letters.create(letter("n\(id)", "of the sea"))
            }
            for _ in 0..<2 {
                #expect(try await library.letters.search("sea", limit: 200).count == 100)
                #expect(try await library.letters.search("ships", limit: 200).map(\.id) == ["b"])
            }
            try await library.letters.create(letter("c", "of the sea"))
            #expect(try await library.letters.search("sea", limit: 200).count == 101)
            for repair in [false, true] {
                let check = try await library.check(repair: repair)
                #expect(check.problems.count == 200)
                #expect(Set(check.problems.map(\.kind)) == [.unreadableRecord])
                #expect(Set(check.problems.map(\.table)) == ["letters"])
                #expect(check.recordCount >= 302)
            }
        }
    }

    @Test func recordsOnDamagedPagesAreNamed() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let library = Conformance.plain(SQLiteStore(path: path))
            let text = String(repeating: "x", count: 200)
            try await library.notes.createAll(
                (0..<500).map { Note(id: .init("\($0)"), text: text) })
            try await library.close()
            let root = try PlainDatabase(path).value(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'notes'")
            let size = try PlainDatabase(path).value("PRAGMA page_size")
            let page = try #require(root.flatMap { Int($0) })
            let bytes = try #require(size.flatMap { Int($0) })
            let whole = try Data(contentsOf: URL(filePath: path))
            // The root, and a page that has records.
            let record =
                try #require(
                    whole.range(of: Data(text.utf8), options: .backwards)
                ).lowerBound / bytes
            for damaged in [page - 1, record] {
                var data = whole
                for offset in damaged * bytes..<damaged * bytes + 64 { data[offset] ^= 0xFF }
                let other = folder + "/damaged-\(damaged).sqlite"
                try data.write(to: URL(filePath: other))
                let library = Conformance.plain(SQLiteStore(path: other))
                for repair in [false, true] {
                    let check = try await library.check(repair: repair)
                    #expect(!check.isSound)
                    #expect(check.problems.contains { $0.kind == .damagedDatabase })
                    #expect(
                        check.problems.contains {
                            $0.table == "notes"
                                && [.unreadableRecord, .damagedDatabase].contains($0.kind)
                        })
                }
            }
        }
    }
}
