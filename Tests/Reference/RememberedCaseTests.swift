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
}
