internal import Foundation
internal import RepositoryGeneratorCore

/// Reads the folder of released versions in a schema folder.
enum VersionFolder {
    /// Returns the path of the folder of versions.
    static func path(in schemas: String) -> String {
        Locations.path(schemas, ReleasedVersions.folder)
    }

    /// Returns whether a name in a schema folder is that of the folder of versions.
    ///
    /// - Throws: ``FileProblem`` if the name differs in case only, because the folder would be the
    ///   same one on other file systems, or if it is not a folder.
    static func isReserved(_ name: String, in schemas: String) throws -> Bool {
        let reserved = ReleasedVersions.folder
        guard name.lowercased() == reserved.lowercased() else { return false }
        let path = Locations.path(schemas, name)
        guard name == reserved else {
            throw FileProblem(
                path: path,
                reason: "the name is reserved for the folder '\(reserved)' of released versions; "
                    + "rename it")
        }
        guard FileStatus(of: path) == .folder else {
            throw FileProblem(
                path: path,
                reason: "is \(FileStatus(of: path).noun), and released versions are in a folder of "
                    + "this name")
        }
        return true
    }

    /// Reads all entries of the folder that are not hidden, sorted by name. Nothing but files is
    /// opened.
    ///
    /// - Parameter schemas: the schema folder. It need not contain a folder of versions.
    /// - Throws: ``FileProblem`` if the folder cannot be listed or a file cannot be read.
    static func entries(in schemas: String) throws -> [VersionFolderEntry] {
        let folder = path(in: schemas)
        guard FileStatus(of: folder) == .folder else { return [] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw FileProblem(
                path: folder, reason: "cannot be listed: \(error.localizedDescription)")
        }
        return try names.sorted().filter { !$0.hasPrefix(".") }.map { name in
            let path = Locations.path(folder, name)
            let status = FileStatus(of: path)
            let content: VersionFolderEntry.Content =
                status == .file
                ? .file(try BoundedFile.bytes(at: path, limit: VersionFile.limit))
                : .other(status.noun)
            return VersionFolderEntry(name: name, content: content, displayPath: path)
        }
    }

    /// Deletes temporary files that killed runs of `release` have left.
    ///
    /// - Throws: ``FileProblem``.
    static func removeLeftBehind(in schemas: String) throws {
        let folder = path(in: schemas)
        // A folder that cannot be listed is reported by ``entries(in:)``.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where AtomicFile.isLeftBehind(name, ofFilesWith: ".yaml.") {
            try AtomicFile.delete(Locations.path(folder, name))
        }
    }
}

extension FileStatus {
    /// The noun for messages, with its article.
    fileprivate var noun: String {
        switch self {
        case .absent: "missing"
        case .file: "a file"
        case .folder: "a folder"
        case .symbolicLink: "a symbolic link"
        case .other: "a device"
        }
    }
}
