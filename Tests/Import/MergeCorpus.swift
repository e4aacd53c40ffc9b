import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

@testable import RepositoryImport

/// The corpus of merges: a folder for each, with the SQL of a database, schemas that a person has
/// edited, and what a further import makes of them.
enum MergeCorpus {
    /// The folder of the corpus.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Merges")

    /// The names of the cases, in order.
    static let cases: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: root.path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }()

    /// Returns the schemas of a case by their paths.
    static func schemas(_ name: String) throws -> [String: String] {
        try files(in: root.appending(path: "\(name)/schemas"))
    }

    /// Returns the texts of the files of a folder, byte for byte.
    static func files(in folder: URL) throws -> [String: String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".txt") }
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                let data = try Data(contentsOf: folder.appending(path: $0))
                return ($0, String(decoding: data, as: UTF8.self))
            })
    }
}

/// Schemas by their paths, and their merges with databases.
enum MergedText {
    /// Merges a database into schemas.
    static func merge(_ database: String, into schemas: [String: String]) throws -> DatabaseMerge {
        try DatabaseMerge(sqlite: database, into: existing(schemas))
    }

    /// Returns schemas as they are parsed.
    static func existing(_ schemas: [String: String]) throws -> ExistingSchemas {
        let files = sources(schemas)
        return try ExistingSchemas(
            files: files.filter { $0.path != "repositories.yaml" },
            settings: files.first { $0.path == "repositories.yaml" })
    }

    /// Returns schemas as files of the folder `Schemas`.
    static func sources(_ schemas: [String: String]) -> [SchemaSource] {
        schemas.sorted { $0.key < $1.key }.map {
            SchemaSource(
                path: $0.key, bytes: Array($0.value.utf8), displayPath: "Schemas/" + $0.key)
        }
    }

    /// Returns everything that a merge prints.
    static func report(of merge: DatabaseMerge, _ schemas: [String: String]) -> String {
        let texts = sources(schemas).map { ($0.displayPath, SourceText(bytes: $0.bytes)) }
        let renderer = DiagnosticText(
            sources: Dictionary(texts, uniquingKeysWith: { first, _ in first }))
        let diagnostics = merge.warnings + merge.problems
        return (merge.report + [renderer.render(diagnostics)] + merge.textToAdd)
            .joined(separator: "\n") + "\n"
    }

    /// Returns the schemas with the files of a merge.
    static func applying(_ merge: DatabaseMerge, to schemas: [String: String]) -> [String: String] {
        schemas.merging(merge.files.map { ($0.path, $0.text) }) { $1 }
    }

    /// Returns the errors of schemas.
    static func errors(of schemas: [String: String]) -> [String] {
        let files = sources(schemas)
        let (set, found) = SchemaParser.parse(
            files: files.filter { $0.path != "repositories.yaml" },
            settings: files.first { $0.path == "repositories.yaml" })
        let errors = found.isEmpty ? Validator.validate(set) : found
        return errors.map { "\($0.range.path):\($0.range.start.line): \($0.message)" }
    }

    /// Returns whether the bytes of a text can be found in another one in order, line by line.
    static func isKept(_ old: String, in new: String) -> Bool {
        var rest = lines(of: new)[...]
        for line in lines(of: old) {
            guard let index = rest.firstIndex(of: line) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }

    /// The lines without their breaks. The last one is empty if the text ends with a break.
    private static func lines(of text: String) -> [[UInt8]] {
        Array(text.utf8).split(omittingEmptySubsequences: false) { [0x0A, 0x0D].contains($0) }
            .map(Array.init)
    }
}
