internal import Foundation
internal import RepositoryGeneratorCore

/// The cache of the last run for a schema folder. With it, a run without changes only reads and
/// hashes files.
///
/// It is stored outside the committed files. It affects only the duration of a run: a record that
/// is missing, invalid or cannot be written is ignored.
struct RunCache: Sendable {
    /// The path of the record's file.
    let path: String

    /// Creates the cache of a schema folder and an output folder.
    ///
    /// - Parameters:
    ///   - folder: the folder of the records.
    ///   - locations: the schema folder and the output folder, whose absolute paths determine the
    ///     name of the file.
    init(in folder: String, for locations: Locations) {
        var hasher = XXHash64()
        for path in [locations.schemas, locations.output ?? ""] {
            let path = path.isEmpty ? "" : Self.absolute(path)
            hasher.update(UInt64(path.utf8.count))
            hasher.update(path)
        }
        path = Locations.path(folder, String(hasher.digest(), radix: 16) + ".run")
    }

    /// The record of the last run; `nil` if there is no valid one.
    var lastRun: RunRecord? {
        // A file that cannot be read counts as a missing record.
        guard let bytes = try? BoundedFile.bytes(at: path, limit: Self.limit),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        return RunRecord(text)
    }

    /// Writes a record. A failure is ignored.
    func remember(_ record: RunRecord) {
        guard record != lastRun else { return }
        // Without a record, the next run does all of its work.
        try? AtomicFile.write(record.text, to: path)
    }

    /// The maximum size of a record in bytes.
    private static let limit = 1 << 16

    /// Returns the folder of the records: in the `.build` folder of the package that contains the
    /// schemas, or otherwise in the user's cache folder.
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

    /// Returns an absolute path without `.` and `..`.
    private static func absolute(_ path: String) -> String {
        URL(filePath: path, directoryHint: .isDirectory).absoluteURL.standardized.path
    }
}
