internal import Foundation
internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

/// Reads the files of a schema folder.
struct SchemaFolder {
    /// The schema files, sorted by the bytes of their paths.
    private(set) var files: [SchemaSource] = []
    /// The settings file, if there is one.
    private(set) var settings: SchemaSource?
    /// The entries of the folder of released versions, which holds no schemas. Empty if there is no
    /// such folder.
    private(set) var versions: [VersionFolderEntry] = []

    /// The size limit of a schema in bytes. The parser reports larger files as errors; at most one
    /// byte more is read.
    private static let limit = 16 << 20

    /// Reads all schemas in a folder and its subfolders, and the released versions.
    ///
    /// The folder `Versions` at the top level is reserved for versions: its files are no schemas.
    /// Hidden files are ignored. A folder, a symbolic link or a device with the name of a schema is
    /// reported as an error.
    ///
    /// - Throws: ``FileProblem``
    init(at folder: String) throws {
        // The folder itself may be a symbolic link.
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            throw FileProblem(
                path: folder,
                reason: "there is no such folder; 'repository-generator init' writes a first schema"
            )
        }
        guard isFolder.boolValue else { throw FileProblem(path: folder, reason: "is not a folder") }
        var found: [Place] = []
        try look(into: folder, below: "", &found)
        versions = try VersionFolder.entries(in: folder)
        let sources = found.concurrentlyMapped { place in Result { try place.source() } }
        for source in sources { take(try source.get()) }
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Reads all schemas in a folder that may be missing, and adds files as if they had been read
    /// from it.
    ///
    /// - Parameters:
    ///   - folder: the folder of the schemas.
    ///   - added: the files to add, with their whole paths.
    init(at folder: String, adding added: [OutputFile]) throws {
        if FileStatus(of: folder) == .absent {
            self.init()
        } else {
            try self.init(at: folder)
        }
        for file in added {
            let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
            take(SchemaSource(path: name, bytes: Array(file.text.utf8), displayPath: file.path))
        }
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Creates a folder without schemas.
    private init() {}

    /// Adds a file, as the settings or as a schema.
    private mutating func take(_ source: SchemaSource) {
        if source.path == "repositories.yaml" {
            settings = source
        } else {
            files.append(source)
        }
    }

    /// A schema file that has not been read yet.
    private struct Place: Sendable {
        /// The path of the file.
        let path: String
        /// The path relative to the schema folder.
        let name: String

        /// Reads the file. Any thread may call it.
        func source() throws -> SchemaSource {
            let bytes = try BoundedFile.bytes(at: path, limit: SchemaFolder.limit)
            return SchemaSource(path: name, bytes: bytes, displayPath: path)
        }
    }

    /// Finds the schemas in a folder and its subfolders.
    ///
    /// - Throws: ``FileProblem`` if a folder cannot be listed, or if something other than a file
    ///   has the name of a schema.
    private func look(
        into folder: String, below prefix: String, _ found: inout [Place]
    ) throws {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw FileProblem(
                path: folder, reason: "cannot be listed: \(error.localizedDescription)")
        }
        for name in names.sorted() where !name.hasPrefix(".") {
            if prefix.isEmpty, try VersionFolder.isReserved(name, in: folder) { continue }
            let path = Locations.path(folder, name)
            let isNamedSchema = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
            switch FileStatus(of: path) {
            case .folder:
                guard !isNamedSchema else { throw Self.notAFile(path, "a folder") }
                try look(into: path, below: prefix + name + "/", &found)
            case .file where isNamedSchema:
                found.append(Place(path: path, name: prefix + name))
            case .symbolicLink where isNamedSchema: throw Self.notAFile(path, "a symbolic link")
            case .other where isNamedSchema: throw Self.notAFile(path, "a device")
            case .file, .symbolicLink, .other, .absent: continue
            }
        }
    }

    /// Returns the error for something other than a file that has the name of a schema.
    private static func notAFile(_ path: String, _ kind: String) -> FileProblem {
        FileProblem(path: path, reason: "is \(kind), and a schema is a file")
    }
}
