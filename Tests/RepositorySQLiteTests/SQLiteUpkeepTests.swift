import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLite

/// Backups, compaction and checks of databases.
@Suite struct SQLiteUpkeepTests {
    private func size(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.size] as? Int)
    }

    @Test func aBackupIsADatabase() async throws {
        try await withFolder { folder in
            for store in [SQLiteStore(path: folder + "/data.sqlite"), .inMemory()] {
                let library = Library(store)
                try await library.authors.create(Author(name: "A"))
                let url = URL(filePath: folder + "/backup \(store.capabilities.has(.persistent))")
                try await library.backup(to: url)
                do {
                    let other = try PlainDatabase(url.path)
                    #expect(try other.rows("SELECT name FROM authors") == [["A"]])
                }
                let copy = Library(SQLiteStore.inMemory())
                try await copy.restore(from: url)
                #expect(try await copy.authors.fetch().map(\.name) == ["A"])
            }
        }
    }

    @Test func aBackupOfAStoreWithoutDataIsEmpty() async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            try await store.backup(to: URL(filePath: folder + "/backup"))
            let other = SQLiteStore(path: folder + "/other.sqlite")
            try await other.restore(from: URL(filePath: folder + "/backup"))
            #expect(try await Library(other).authors.count() == 0)
        }
    }

    @Test func aDamagedBackupIsNotRestored() async throws {
        try await withFolder { folder in
            let library = Library(SQLiteStore(path: folder + "/data.sqlite"))
            try await library.authors.createAll((0..<300).map { Author(name: "\($0)") })
            let url = URL(filePath: folder + "/backup")
            try await library.backup(to: url)
            let data = try Data(contentsOf: url)
            for count in [data.count / 2, data.count - 4_096, data.count - 1, 100, 1] {
                try data.prefix(count).write(to: url)
                let other = Library(SQLiteStore(path: folder + "/other.sqlite"))
                try await expectError(.invalidBackup) { try await other.restore(from: url) }
            }
            var damaged = data
            for offset in 4_096..<4_160 { damaged[offset] ^= 0xFF }
            try damaged.write(to: url)
            let other = Library(SQLiteStore(path: folder + "/other.sqlite"))
            try await expectError(.invalidBackup) { try await other.restore(from: url) }
            let link = folder + "/link"
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: folder + "/data.sqlite")
            try await expectError(.invalidBackup) {
                try await other.restore(from: URL(filePath: link))
            }
            try data.write(to: url)
            try await other.restore(from: url)
            #expect(try await other.authors.count() == 300)
        }
    }

    @Test func compactionReleasesTheSpaceOfDeletedRecords() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let library = Library(SQLiteStore(path: path))
            try await library.authors.createAll(
                (0..<2_000).map { Author(name: String(repeating: "\($0)", count: 100)) })
            _ = try await library.authors.deleteAll()
            try await library.authors.create(Author(name: "A"))
            try Data().write(to: URL(filePath: path + "-migrating"))
            try await library.compact()
            #expect(try size(path) < 400_000)
            #expect(try size(path + "-wal") == 0)
            #expect(!FileManager.default.fileExists(atPath: path + "-migrating"))
            #expect(try await library.authors.fetch().map(\.name) == ["A"])
        }
    }

    @Test func aCheckFindsWhatAnotherProgramHasBroken() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let library = Library(SQLiteStore(path: path))
            let author = try await library.authors.create(Author(name: "A"))
            let book = try await library.books.create(
                Book(isbn: "9780000000002", title: "T", pages: 1, authorID: author.id))
            #expect(try await library.check().problems == [])
            do {
                let other = try PlainDatabase(path)
                try other.run("PRAGMA foreign_keys = OFF")
                try other.run("DELETE FROM authors")
            }
            let problems = try await library.check(repair: true).problems
            #expect(problems.map(\.kind) == [.danglingReference])
            #expect(problems.first?.id == "\(book.id)")
            #expect(problems.first?.isRepaired == false)
        }
    }

    @Test func aCheckRepairsAnIndex() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let library = Library(SQLiteStore(path: path))
            try await library.clients.createAll(
                (0..<50).map { Client(id: Client.ID("\($0)"), name: "N", email: "\($0)@x") })
            try await library.close()
            do {
                let other = try PlainDatabase(path)
                // The index keeps its entries, and leaves out other records from now on.
                let name = try #require(
                    try other.value(
                        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%email%'"
                    ))
                try other.run("PRAGMA writable_schema = ON")
                try other.run(
                    "UPDATE sqlite_schema SET sql = sql || ' WHERE 0' WHERE name = '\(name)'")
            }
            do {
                let other = try PlainDatabase(path)
                try other.run("UPDATE clients SET email = 'moved@x' WHERE id = '7'")
                try other.run("PRAGMA writable_schema = ON")
                try other.run(
                    "UPDATE sqlite_schema SET sql = replace(sql, ' WHERE 0', '') WHERE type = 'index'"
                )
            }
            let again = Library(SQLiteStore(path: path))
            let found = try await again.check()
            #expect(!found.isSound)
            #expect(found.problems.allSatisfy { $0.kind == .damagedDatabase })
            let repaired = try await again.check(repair: true)
            #expect(repaired.isSound && !repaired.problems.isEmpty)
            #expect(try await again.check().problems == [])
        }
    }
}
