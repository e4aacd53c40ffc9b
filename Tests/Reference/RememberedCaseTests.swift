import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

/// The good schemas, by who remembers what it read and made.
@Suite("Good schemas, again")
struct RememberedCaseTests {
    @Test("generate the same files from what is remembered", arguments: GoodCaseTests.cases)
    func again(name: String) throws {
        let folder = ReferenceFolder.root.appending(path: "good/\(name)")
        var (files, settings) = try ReferenceFolder.sources(in: folder)
        let schemas = SchemaCache()
        let cache = RenderCache()
        func output() throws -> [OutputFile] {
            let result = SchemaParser.parse(
                files: files, settings: settings, cache: schemas)
            return try RepositoryGenerator.render(result.set, cache: cache)
        }
        let plain = SchemaParser.parse(files: files, settings: settings)
        let expected = try RepositoryGenerator.render(plain.set)
        #expect(try output() == expected)
        #expect(try output() == expected)
        for index in files.indices {
            files[index].bytes += Array("\n# again\n".utf8)
            #expect(try output() == expected, "\(name): \(files[index].path)")
        }
    }

    @Test("notice that another file hides a base type, and that it no longer does")
    func hiddenBaseType() throws {
        func source(_ name: String, _ text: String) -> SchemaSource {
            SchemaSource(path: name, bytes: Array(text.utf8))
        }
        let sources = [
            // An error if the type is the enum.
            source(
                "Stay.yaml",
                "entity: Stay\nfields: { day: { type: LocalDate, default: 2024-02-29 } }\n"),
            source("Trip.yaml", "entity: Trip\nfields: { day: LocalDate }\n"),
            source("LocalDate.yaml", "enum: LocalDate\ntype: String\ncases: [today]\n"),
        ]
        let (schemas, cache, checks) = (SchemaCache(), RenderCache(), CheckCache())
        for count in [2, 3, 2, 3] {
            let files = Array(sources.prefix(count))
            let set = SchemaParser.parse(files: files, settings: nil, cache: schemas).set
            let problems = Validator.validate(set, cache: checks)
            #expect(problems.isEmpty == (count == 2))
            let plain = SchemaParser.parse(files: files, settings: nil).set
            #expect(problems.map(\.message) == Validator.validate(plain).map(\.message))
            let output = try RepositoryGenerator.render(set, cache: cache)
            let type = count == 2 ? "RepositoryRuntime.LocalDate" : "LocalDate"
            let trip = output.first { $0.path == "Trip.generated.swift" }
            #expect(trip?.text.contains("public var day: \(type)\n") == true)
        }
    }
}
