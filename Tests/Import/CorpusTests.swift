import Foundation
import RepositoryGeneratorCore
import RepositoryImport
import RepositorySchema
import RepositorySchemaParser
import Testing

/// Each folder `Corpus/<case>` has the SQL of a database, the schemas of its import and the report,
/// byte for byte.
///
/// `REFERENCE_RECORD=1` in the environment writes the files anew instead of comparing them.
@Suite("Imported databases")
struct CorpusTests {
    @Test("give the recorded schemas and report", arguments: Corpus.cases)
    func recorded(name: String) throws {
        let folder = try DatabaseFolder(Corpus.sql(name), name: "\(name).db")
        folder.close()
        let before = try folder.bytes()
        let found = try DatabaseImport(sqlite: folder.path)
        #expect(try folder.bytes() == before)
        var files = Dictionary(uniqueKeysWithValues: found.files.map { ($0.path, $0.text) })
        files["report.txt"] = found.report.joined(separator: "\n") + "\n"
        let expected = Corpus.root.appending(path: "\(name)/expected")
        if Corpus.isRecording {
            try? FileManager.default.removeItem(at: expected)
            try FileManager.default.createDirectory(
                at: expected, withIntermediateDirectories: true)
            for (path, text) in files {
                try Data(text.utf8).write(to: expected.appending(path: path))
            }
            return
        }
        for (path, text) in files {
            let recorded = try String(contentsOf: expected.appending(path: path), encoding: .utf8)
            #expect(recorded == text, "\(name)/expected/\(path)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: expected.path)
        #expect(Set(names) == Set(files.keys))
    }

    @Test("generate without errors", arguments: Corpus.cases)
    func generated(name: String) throws {
        let folder = try DatabaseFolder(Corpus.sql(name), name: "\(name).db")
        let found = try DatabaseImport(sqlite: folder.path)
        let sources = found.files.map {
            SchemaSource(path: $0.path, bytes: Array($0.text.utf8), displayPath: $0.path)
        }
        let (set, problems) = SchemaParser.parse(
            files: Array(sources.dropFirst()), settings: sources.first)
        #expect(problems.map(\.message) == [])
        #expect(Validator.validate(set).map(\.message) == [])
        #expect(set.settings.manage == false)
        #expect(try RepositoryGenerator.render(set).count == found.entityCount + 1)
    }

    @Test("name every table, column, index, foreign key and check that they do not describe")
    func nothingIsDropped() throws {
        let folder = try DatabaseFolder(
            """
            CREATE TABLE kept (id INTEGER PRIMARY KEY, a, b INTEGER REFERENCES gone (id), c TEXT);
            CREATE TABLE gone (id REAL PRIMARY KEY, text TEXT) WITHOUT ROWID;
            INSERT INTO kept VALUES (1, 1, 1, 'x'), (2, x'00', 1, 'y');
            CREATE INDEX of_a ON kept (a);
            CREATE INDEX of_lower ON kept (lower(c));
            CREATE VIEW seen AS SELECT c FROM kept WHERE c = 'none';
            CREATE TRIGGER fired AFTER INSERT ON kept BEGIN SELECT 1; END;
            """)
        let found = try DatabaseImport(sqlite: folder.path)
        let report = found.report.joined(separator: "\n")
        let comments = found.files.flatMap { $0.text.split(separator: "\n") }
            .filter { $0.hasPrefix("#") }.joined(separator: "\n")
        for name in ["\"a\"", "\"gone\"", "\"of_a\"", "\"of_lower\"", "\"seen\"", "\"fired\""] {
            #expect(report.contains(name), "\(name) in the report")
            #expect(comments.contains(name), "\(name) in a comment")
        }
    }

    @Test("are at least thirty")
    func count() {
        #expect(Corpus.cases.count >= 30)
    }
}
