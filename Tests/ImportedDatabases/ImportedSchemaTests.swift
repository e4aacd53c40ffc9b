import Foundation
import RepositoryGeneratorCore
import RepositoryImport
import RepositorySchema
import RepositorySchemaParser
import Testing

/// What an import of real databases gives: the recorded schemas and sources, and how they differ from
/// the schemas that a person has written.
///
/// `differences.txt` lists the lines of the written schemas (`-`) and of the imported ones (`+`) that
/// differ. An import knows neither what a column means (a link, a weight, JSON, an enum, seconds since
/// 1970 in an integer) nor what a program does with it (`default: generated`, relations that nobody
/// needs). It names references as the columns are named.
///
/// `REFERENCE_RECORD=1` in the environment writes the files anew.
@Suite("Schemas of real databases")
struct ImportedSchemaTests {
    private static let isRecording =
        ProcessInfo.processInfo.environment["REFERENCE_RECORD"] == "1"

    @Test("are those that were recorded, as is their output", arguments: RealDatabase.present)
    func recorded(database: RealDatabase) async throws {
        try await Self.check(database)
    }

    @Test("are those that were recorded, of awkward tables, too")
    func awkward() async throws {
        let database = try RealDatabase.awkward()
        defer { database.file.map { try? FileManager.default.removeItem(at: $0) } }
        try await Self.check(database)
    }

    /// Compares the import of a database and its output with the recorded files.
    private static func check(_ database: RealDatabase) async throws {
        try await database.withCopy { path in
            let found = try DatabaseImport(sqlite: path)
            var files = found.files.map { (path: "Schemas/\($0.path)", text: $0.text) }
            let sources = found.files.map {
                SchemaSource(path: $0.path, bytes: Array($0.text.utf8), displayPath: $0.path)
            }
            let (set, problems) = SchemaParser.parse(
                files: Array(sources.dropFirst().sorted { $0.path < $1.path }),
                settings: sources.first)
            #expect(problems.isEmpty)
            files += try RepositoryGenerator.render(set).map { ("Generated/\($0.path)", $0.text) }
            for file in files {
                let url = database.folder.appending(path: file.path)
                if Self.isRecording { try Data(file.text.utf8).write(to: url) }
                #expect(try String(contentsOf: url, encoding: .utf8) == file.text, "\(file.path)")
            }
        }
    }

    @Test(
        "differ from written ones as listed",
        .enabled(if: RealDatabase.chinook.file != nil, "needs the Chinook data"))
    func differences() throws {
        var lines: [String] = []
        for database in [RealDatabase.chinook, .grdb] {
            let written = try Self.fields(
                of: String(contentsOf: database.written, encoding: .utf8))
            let folder = database.folder.appending(path: "Schemas")
            let texts = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                .filter { $0 != "repositories.yaml" }
                .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            let imported = try Self.fields(of: texts.joined(separator: "---\n"))
            for entity in Set(written.keys).union(imported.keys).sorted() {
                let (old, new) = (written[entity] ?? [], imported[entity] ?? [])
                let gone = old.filter { !new.contains($0) }.map { "- \($0)" }
                let added = new.filter { !old.contains($0) }.map { "+ \($0)" }
                if !(gone + added).isEmpty { lines += [entity] + gone + added }
            }
        }
        let text = lines.joined(separator: "\n") + "\n"
        let url = RealDatabase.chinook.folder.deletingLastPathComponent()
            .appending(path: "differences.txt")
        if Self.isRecording { try Data(text.utf8).write(to: url) }
        #expect(try String(contentsOf: url, encoding: .utf8) == text)
    }

    /// Returns the lines of each entity without documentation.
    private static func fields(of text: String) throws -> [String: [String]] {
        var entities: [String: [String]] = [:]
        var name = ""
        for line in text.split(separator: "\n") {
            let line = line.trimmingCharacters(in: .whitespaces)
                .replacing("name: id, ", with: "")
            if line.hasPrefix("entity: ") || line.hasPrefix("enum: ") || line.hasPrefix("value: ") {
                name = line
            } else if line != "---", !line.hasPrefix("doc: "), !line.hasSuffix(":") {
                entities[name, default: []].append(line)
            }
        }
        return entities
    }
}
