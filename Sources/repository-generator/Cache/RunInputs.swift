internal import Foundation
internal import RepositoryGeneratorCore
internal import RepositorySchemaParser

/// Everything that the output of a run depends on, as one hash.
struct RunInputs: Sendable, Equatable {
    /// The hash.
    let digest: UInt64

    /// The inputs of a run; nil where the system does not say which program runs.
    ///
    /// - Parameter folder: the schemas as they were read: the run must be made from these very bytes.
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
        digest = hasher.digest()
    }

    /// A text with its length before it, so that two texts do not read as two others.
    private static func add(_ text: String, to hasher: inout XXHash64) {
        hasher.update(UInt64(text.utf8.count))
        hasher.update(text)
    }

    /// The file of the running program, told by what changes with every build. It is asked once, so that a program that
    /// runs for long does not take its successor for itself.
    private static let program: String? = {
        #if os(Linux)
            // Names the file that runs even where another one has its path by now.
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
