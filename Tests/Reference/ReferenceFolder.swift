import Foundation
import RepositoryGeneratorCore
import RepositorySchemaParser

/// The corpus of schemas beside this file.
enum ReferenceFolder {
    /// The folder of the corpus.
    static let root = URL(filePath: #filePath).deletingLastPathComponent()

    /// Whether expected output is to be written anew.
    static let isRecording = ProcessInfo.processInfo.environment["REFERENCE_RECORD"] == "1"

    /// The names of the case folders of a kind (`bad`, `good`), in byte order.
    static func cases(of kind: String) -> [String] {
        let folder = root.appending(path: kind)
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The schema files of a case and its settings file, if it has one.
    static func sources(in folder: URL) throws -> (files: [SchemaSource], settings: SchemaSource?) {
        let schemas = folder.appending(path: "Schemas")
        var files: [SchemaSource] = []
        var settings: SchemaSource?
        for path in try FileManager.default.subpathsOfDirectory(atPath: schemas.path).sorted() {
            guard path.hasSuffix(".yaml") || path.hasSuffix(".yml"),
                !path.hasPrefix("\(ReleasedVersions.folder)/")
            else { continue }
            let bytes = try Data(contentsOf: schemas.appending(path: path))
            let source = SchemaSource(
                path: path, bytes: [UInt8](bytes), displayPath: "Schemas/\(path)")
            if path == "repositories.yaml" { settings = source } else { files.append(source) }
        }
        return (files, settings)
    }

    /// The entries of the folder of released versions of a case.
    static func versions(in folder: URL) throws -> [VersionFolderEntry] {
        let versions = folder.appending(path: "Schemas/\(ReleasedVersions.folder)")
        guard FileManager.default.fileExists(atPath: versions.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: versions.path).map { name in
            let path = versions.appending(path: name).path
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
            let isFile = type as? FileAttributeType == .typeRegular
            let content: VersionFolderEntry.Content =
                isFile
                ? .file([UInt8](try Data(contentsOf: URL(filePath: path))))
                : .other("a symbolic link")
            return VersionFolderEntry(
                name: name, content: content,
                displayPath: "Schemas/\(ReleasedVersions.folder)/\(name)")
        }
    }
}
