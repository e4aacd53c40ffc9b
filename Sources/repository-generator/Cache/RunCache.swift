internal import Foundation
internal import RepositoryGeneratorCore

/// Remembers the last run over a schema folder, outside of what is committed, so that a run with nothing to do only
/// reads and hashes.
///
/// Nothing depends on it: a record that is missing, foreign or wrong, or that cannot be kept, costs only time.
struct RunCache: Sendable {
    /// The file of the record.
    let path: String

    /// The cache of a schema folder and an output folder.
    ///
    /// - Parameter folder: where records are kept.
    init(in folder: String, for locations: Locations) {
        var hasher = XXHash64()
        for path in [locations.schemas, locations.output ?? ""] {
            let path = path.isEmpty ? "" : Self.absolute(path)
            hasher.update(UInt64(path.utf8.count))
            hasher.update(path)
        }
        path = Locations.path(folder, String(hasher.digest(), radix: 16) + ".run")
    }

    /// The record of the last run.
    var lastRun: RunRecord? {
        // A file that cannot be read is no record.
        guard let bytes = try? BoundedFile.bytes(at: path, limit: Self.limit),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        return RunRecord(text)
    }

    /// Keeps a record, if it can be kept.
    func remember(_ record: RunRecord) {
        guard record != lastRun else { return }
        // The next run does all its work where there is no record.
        try? AtomicFile.write(record.text, to: path)
    }

    /// No record is longer.
    private static let limit = 1 << 16

    /// Where records are kept: in the build folder of the package that the schemas belong to, or among the user's caches.
    static func folder(for locations: Locations) -> String? {
        let name = "repository-generator"
        var folder = absolute(locations.schemas)
        while folder != "/", !folder.isEmpty {
            folder = Locations.parent(of: folder)
            guard FileStatus(of: Locations.path(folder, "Package.swift")) == .file else { continue }
            let build = Locations.path(folder, ".build")
            if FileStatus(of: build) == .folder { return Locations.path(build, name) }
            break
        }
        return FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            .map { Locations.path($0.path, name) }
    }

    private static func absolute(_ path: String) -> String {
        URL(filePath: path, directoryHint: .isDirectory).absoluteURL.standardized.path
    }
}
