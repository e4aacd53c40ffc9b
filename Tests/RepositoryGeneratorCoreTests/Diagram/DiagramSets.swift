import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

/// Sets to draw.
enum DiagramSets {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    /// The library of `make demo`.
    static func library() throws -> SchemaSet { try set(in: root.appending(path: "Schemas")) }

    /// The music store.
    static func musicStore() throws -> SchemaSet {
        try set(in: root.appending(path: "Tests/MusicStore/Schemas"))
    }

    /// Every good case of the corpus that has declarations.
    static func corpus() throws -> [SchemaSet] {
        let good = root.appending(path: "Tests/Reference/good")
        return try FileManager.default.contentsOfDirectory(atPath: good.path).sorted()
            .filter { !$0.hasPrefix(".") }
            .map { try set(in: good.appending(path: "\($0)/Schemas")) }
    }

    /// A set of one file.
    static func set(_ text: String) -> SchemaSet {
        let file = SchemaSource(path: "A.yaml", bytes: Array(text.utf8))
        let (set, diagnostics) = SchemaParser.parse(files: [file], settings: nil)
        let found = diagnostics + Validator.validate(set)
        #expect(found.isEmpty, "\(found.map(\.message))")
        return set
    }

    /// The set in a folder of schemas.
    static func set(in folder: URL) throws -> SchemaSet {
        var files: [SchemaSource] = []
        var settings: SchemaSource?
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        where path.hasSuffix(".yaml") {
            let bytes = try [UInt8](Data(contentsOf: folder.appending(path: path)))
            let source = SchemaSource(path: path, bytes: bytes)
            if path == "repositories.yaml" { settings = source } else { files.append(source) }
        }
        let (set, diagnostics) = SchemaParser.parse(files: files, settings: settings)
        #expect(diagnostics.isEmpty)
        return set
    }
}
