internal import Foundation
internal import RepositoryGeneratorCore
internal import RepositorySchemaParser

/// A hash of everything that the output of a run depends on: the program, the options and the
/// schemas.
///
/// Templates are not part of it; see ``GeneratorRun``.
struct RunInputs: Sendable, Equatable {
    /// The hash.
    let digest: UInt64

    /// Hashes the inputs of a run. The result is `nil` if the running program cannot be identified.
    ///
    /// - Parameters:
    ///   - folder: the schemas and versions as they were read. The run must use these bytes.
    ///   - locations: the options of the run.
    init?(_ folder: SchemaFolder, _ locations: Locations) {
        guard let program = Self.program else { return nil }
        var hasher = XXHash64()
        let texts = [program, locations.schemaFolderName, locations.module ?? ""]
        for text in texts { Self.add(text, to: &hasher) }
        hasher.update(locations.module == nil ? 0 : 1)
        let files = folder.files + [folder.settings].compactMap { $0 }
        hasher.update(UInt64(files.count))
        for file in files {
            Self.add(file.path, to: &hasher)
            hasher.update(UInt64(file.bytes.count))
            hasher.update(XXHash64.hash(of: file.bytes))
        }
        hasher.update(UInt64(folder.versions.count))
        for entry in folder.versions {
            Self.add(entry.name, to: &hasher)
            if case .other(let noun) = entry.content { Self.add(noun, to: &hasher) }
            hasher.update(UInt64(entry.bytes.count))
            hasher.update(XXHash64.hash(of: entry.bytes))
        }
        digest = hasher.digest()
    }

    /// Adds a string preceded by its length, so that two strings cannot hash like two others.
    private static func add(_ text: String, to hasher: inout XXHash64) {
        hasher.update(UInt64(text.utf8.count))
        hasher.update(text)
    }

    /// The identity of the running program's file: inode, size and times, which change with every
    /// build.
    ///
    /// It is determined once, so that a long-running program does not mistake a new build for
    /// itself.
    private static let program: String? = {
        #if os(Linux)
            // This refers to the running file, even if another file has its path by now.
            let path: String? = "/proc/self/exe"
        #else
            let path = Bundle.main.executablePath
        #endif
        var information = stat()
        guard let path, stat(path, &information) == 0 else { return nil }
        #if canImport(Darwin)
            let (modified, changed) = (information.st_mtimespec, information.st_ctimespec)
        #else
            let (modified, changed) = (information.st_mtim, information.st_ctim)
        #endif
        return """
            \(information.st_dev) \(information.st_ino) \(information.st_size) \
            \(modified.tv_sec) \(modified.tv_nsec) \(changed.tv_sec) \(changed.tv_nsec)
            """
    }()
}
