import CSQLite
import Foundation
import RepositoryImport
import Testing

/// How a database file is read.
@Suite("The file of an imported database")
struct SourceFileTests {
    private static let sql = """
        CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
        INSERT INTO notes VALUES (1, 'a'), (2, 'b');
        """

    @Test(
        "is read with its write-ahead log, with or without the shared memory beside it",
        arguments: [["", "-wal"], ["", "-wal", "-shm"]])
    func log(suffixes: [String]) throws {
        let folder = try DatabaseFolder("PRAGMA journal_mode=WAL;" + Self.sql)
        let copy = try DatabaseFolder("", name: "copy.db")
        copy.close()
        for suffix in suffixes {
            try Data(contentsOf: URL(filePath: folder.path + suffix))
                .write(to: URL(filePath: copy.path + suffix))
        }
        let before = try copy.bytes()
        let found = try DatabaseImport(sqlite: copy.path)
        #expect(found.report.contains("Note: table \"notes\", 2 rows"))
        #expect(try copy.bytes() == before)
    }

    @Test("with a write-ahead log that is not there gets no new files beside it")
    func closedLog() throws {
        let folder = try DatabaseFolder("PRAGMA journal_mode=WAL;" + Self.sql)
        folder.close()
        let before = try folder.bytes()
        #expect(Array(before.keys) == ["test.db"])
        let found = try DatabaseImport(sqlite: folder.path)
        #expect(found.report.contains("Note: table \"notes\", 2 rows"))
        #expect(try folder.bytes() == before)
    }

    @Test("can have characters in its path that are not plain in a URI, and lie behind a link")
    func hostilePath() throws {
        let folder = try DatabaseFolder(Self.sql, name: "a?mode=rwc&b#c %41.db")
        folder.close()
        #expect(try DatabaseImport(sqlite: folder.path).entityCount == 1)
        let link = folder.root.appending(path: "link").path
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: folder.path)
        #expect(try DatabaseImport(sqlite: link).entityCount == 1)
    }

    @Test("is refused if it is missing, a folder, empty, no database or damaged")
    func refused() throws {
        let folder = try DatabaseFolder(Self.sql)
        folder.close()
        func reason(_ path: String) -> String {
            do {
                _ = try DatabaseImport(sqlite: path)
                return "none"
            } catch {
                return error.reason
            }
        }
        #expect(reason(folder.root.appending(path: "gone").path) == "there is no such file")
        #expect(reason(folder.root.path) == "is not a file")
        let other = folder.root.appending(path: "other")
        try Data().write(to: other)
        #expect(reason(other.path) == "is empty")
        try Data(String(repeating: "text ", count: 100).utf8).write(to: other)
        #expect(reason(other.path) == "is no SQLite database, or is encrypted")
        var bytes = try Data(contentsOf: URL(filePath: folder.path))
        for index in 100..<bytes.count { bytes[index] = 0xAA }
        try bytes.write(to: other)
        #expect(reason(other.path).hasPrefix("cannot be read: "))
        try bytes.prefix(3000).write(to: other)
        #expect(reason(other.path).hasPrefix("cannot be read: "))
    }

    @Test("gives the same schemas and report every time")
    func deterministic() throws {
        for name in ["references", "join-tables", "indexes"] {
            let folder = try DatabaseFolder(Corpus.sql(name))
            let first = try DatabaseImport(sqlite: folder.path)
            for _ in 0..<3 {
                let again = try DatabaseImport(sqlite: folder.path)
                #expect(again.files == first.files)
                #expect(again.report == first.report)
            }
        }
    }
}
