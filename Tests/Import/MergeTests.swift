import Foundation
import RepositoryImport
import RepositorySchema
import Testing

/// Each folder `Merges/<case>` has the SQL of a database, schemas, the files that change and
/// everything that is printed, byte for byte.
///
/// `REFERENCE_RECORD=1` in the environment writes the files anew instead of comparing them.
@Suite("Further imports")
struct MergeTests {
    @Test("give the recorded files and report", arguments: MergeCorpus.cases)
    func recorded(name: String) throws {
        let sql = try String(
            contentsOf: MergeCorpus.root.appending(path: "\(name)/database.sql"), encoding: .utf8)
        let folder = try DatabaseFolder(sql, name: "\(name).db")
        folder.close()
        let schemas = try MergeCorpus.schemas(name)
        let merge = try MergedText.merge(folder.path, into: schemas)
        var files = Dictionary(uniqueKeysWithValues: merge.files.map { ($0.path, $0.text) })
        files["report.txt"] = MergedText.report(of: merge, schemas)
        let expected = MergeCorpus.root.appending(path: "\(name)/expected")
        if Corpus.isRecording {
            try? FileManager.default.removeItem(at: expected)
            try FileManager.default.createDirectory(
                at: expected, withIntermediateDirectories: true)
            for (path, text) in files {
                let file = expected.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            return
        }
        #expect(try MergeCorpus.files(in: expected) == files)
    }

    @Test(
        "keep every line, give schemas without errors, and find nothing new the second time",
        arguments: MergeCorpus.cases)
    func kept(name: String) throws {
        let sql = try String(
            contentsOf: MergeCorpus.root.appending(path: "\(name)/database.sql"), encoding: .utf8)
        let folder = try DatabaseFolder(sql, name: "\(name).db")
        let schemas = try MergeCorpus.schemas(name)
        let merge = try MergedText.merge(folder.path, into: schemas)
        let merged = MergedText.applying(merge, to: schemas)
        for (path, text) in schemas {
            #expect(MergedText.isKept(text, in: merged[path] ?? ""), "\(path)")
        }
        #expect(MergedText.errors(of: merged) == [])
        guard merge.problems.isEmpty else {
            #expect(merge.files.isEmpty)
            return
        }
        #expect(try MergedText.merge(folder.path, into: merged).files == [])
    }

    @Test(
        "find nothing new and no difference in what an import has written",
        arguments: Corpus.cases)
    func unchanged(name: String) throws {
        let folder = try DatabaseFolder(Corpus.sql(name), name: "\(name).db")
        let first = try DatabaseImport(sqlite: folder.path)
        let schemas = Dictionary(uniqueKeysWithValues: first.files.map { ($0.path, $0.text) })
        let second = try MergedText.merge(folder.path, into: schemas)
        #expect(second.files == [])
        #expect(second.problems.map(\.message) == [])
        #expect(
            second.warnings.map { "\($0.range.path):\($0.range.start.line): \($0.message)" } == [])
        // Every remark is a comment already.
        #expect(second.report.count == 1, "\(second.report)")
    }
}

@Suite("Random merges")
struct RandomMergeTests {
    /// A person edits the schemas of a random database, and the database changes.
    @Test("keep every line, add what is new, and find nothing new the second time")
    func random() throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        print("seed \(seed)")
        let rounds = environment["ROUNDS"].flatMap { UInt64($0) } ?? 15
        let changed = try (0..<rounds).map { try Self.round(seed &+ $0) }
        // Most changes of a database are additions.
        #expect(changed.reduce(0, +) > Int(rounds))
    }

    /// Returns the number of files that the merges have changed.
    private static func round(_ seed: UInt64) throws -> Int {
        var changed = 0
        var database = RandomDatabase(seed: seed)
        var editor = RandomEditor(seed: seed)
        let folder = try DatabaseFolder("")
        func change(_ count: Int) {
            // Some statements are refused by SQLite.
            for statement in database.statements(count) { folder.tryToRun(statement) }
        }
        change(8)
        let first = try DatabaseImport(sqlite: folder.path)
        var schemas = Dictionary(uniqueKeysWithValues: first.files.map { ($0.path, $0.text) })
        for _ in 0..<3 {
            let edited = editor.edited(schemas)
            // An edit can hit the text of another one, and make errors.
            if MergedText.errors(of: edited).isEmpty { schemas = edited }
            change(4)
            let merge = try MergedText.merge(folder.path, into: schemas)
            let merged = MergedText.applying(merge, to: schemas)
            #expect(merge.problems.map(\.message) == [], "seed \(seed)")
            for (path, text) in schemas {
                #expect(MergedText.isKept(text, in: merged[path] ?? ""), "seed \(seed), \(path)")
            }
            #expect(MergedText.errors(of: merged) == [], "seed \(seed)")
            let again = try MergedText.merge(folder.path, into: merged)
            #expect(again.files == [], "seed \(seed)")
            changed += merge.files.count { schemas[$0.path] != nil }
            schemas = merged
        }
        return changed
    }
}
