import Foundation
import RepositoryGeneratorCore
import RepositoryImport
import RepositorySchema
import RepositorySchemaParser
import Testing

/// What an import of a PostgreSQL database gives.
///
/// `REFERENCE_RECORD=1` in the environment writes the files anew.
@Suite("Import of a PostgreSQL database")
struct ServerImportTests {
    private static let isRecording =
        ProcessInfo.processInfo.environment["REFERENCE_RECORD"] == "1"
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    #if PostgreSQL
        @Test(
            "gives the recorded schemas, sources and report",
            .enabled(if: ShopServer.isAvailable, ShopServer.reason))
        func recorded() async throws {
            try await ShopServer.withShop { database in
                // The name of the set is that of the database.
                let name = "shop"
                let found = try DatabaseImport(.postgreSQL(database.address))
                func named(_ text: String) -> String {
                    let own = database.address.split(separator: "/").last.map(String.init) ?? ""
                    let set = own.split(separator: "_").map(\.capitalized).joined()
                    return text.replacing(own, with: name).replacing(set, with: name.capitalized)
                }
                var files = found.files.map { (path: "Schemas/\($0.path)", text: named($0.text)) }
                let sources = zip(found.files, files).map {
                    SchemaSource(path: $0.path, bytes: Array($1.text.utf8), displayPath: $0.path)
                }
                let (set, problems) = SchemaParser.parse(
                    files: Array(sources.dropFirst().sorted { $0.path < $1.path }),
                    settings: sources.first)
                #expect(problems.isEmpty)
                files += try RepositoryGenerator.render(set).map {
                    ("Generated/\($0.path)", $0.text)
                }
                files.append(("report.txt", named(found.report.joined(separator: "\n")) + "\n"))
                for file in files {
                    let url = Self.folder.appending(path: file.path)
                    if Self.isRecording { try Data(file.text.utf8).write(to: url) }
                    #expect(
                        try String(contentsOf: url, encoding: .utf8) == file.text, "\(file.path)")
                }
            }
        }

        @Test(
            "adds nothing the second time, and then what is new",
            .enabled(if: ShopServer.isAvailable, ShopServer.reason))
        func again() async throws {
            try await ShopServer.withShop { database in
                let source = DatabaseSource.postgreSQL(database.address)
                let sources = try DatabaseImport(source).files.map {
                    SchemaSource(path: $0.path, bytes: Array($0.text.utf8), displayPath: $0.path)
                }
                let existing = try ExistingSchemas(
                    files: Array(sources.dropFirst()), settings: sources.first)
                let merge = try DatabaseMerge(source, into: existing)
                #expect(merge.files.isEmpty && merge.warnings.isEmpty && merge.problems.isEmpty)
                try database.run("ALTER TABLE tags ADD COLUMN made timestamp")
                let more = try DatabaseMerge(source, into: existing)
                #expect(more.files.map(\.path) == ["Tag.yaml"])
                let text = more.files.first?.text ?? ""
                #expect(text.contains("made: { type: Date?, storedAs: { postgresql: timestamp } }"))
            }
        }

        @Test(
            "reads the schema of '?schema='",
            .enabled(if: ShopServer.isAvailable, ShopServer.reason))
        func schema() async throws {
            let changes = "CREATE SCHEMA other; CREATE TABLE other.books (id integer PRIMARY KEY)"
            try await ShopServer.withShop(changes) { database in
                let found = try DatabaseImport(.postgreSQL("\(database.address)?schema=other"))
                #expect(found.files.map(\.path) == ["repositories.yaml", "Book.yaml"])
            }
        }

        @Test(
            "shows no password",
            .enabled(if: ShopServer.isAvailable, ShopServer.reason))
        func password() throws {
            for address in [
                "postgresql://nobody:se%63ret@127.0.0.1:1/gone",
                "postgresql://nobody@127.0.0.1:1/gone?password=secret&connect_timeout=2",
            ] {
                do {
                    _ = try DatabaseImport(.postgreSQL(address))
                    Issue.record("It was read.")
                } catch {
                    let text = error.description
                    #expect(text.hasPrefix("postgresql://nobody@127.0.0.1:1/gone"))
                    #expect(!text.contains("cret") && !text.contains("\n"), "\(text)")
                }
            }
        }
    #endif
}
