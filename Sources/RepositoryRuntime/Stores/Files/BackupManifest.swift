internal import Foundation
internal import StoredSchema

/// The list of the files of a backup with their sizes and hashes, in the file `.repository/backup`.
///
/// A folder that was copied in part, or changed afterwards, does not match its manifest.
struct BackupManifest {
    /// One file.
    struct File: Sendable {
        /// The path relative to the folder.
        var path: String
        var size: Int
        /// The SHA-256 hash in hexadecimal digits.
        var hash: String

        /// Describes the contents of a file.
        init(_ path: String, _ data: Data) {
            self.path = path
            size = data.count
            hash = SHA256.hexadecimal(data)
        }

        /// Describes a file whose bytes were hashed.
        init(_ path: String, _ hash: SHA256Stream) {
            self.path = path
            size = hash.count
            self.hash = hash.hexadecimal
        }

        fileprivate init?(line: Substring) {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 3, let size = Int(parts[1]), size >= 0,
                let path = String(parts[2]).removingPercentEncoding
            else { return nil }
            (self.path, self.size, hash) = (path, size, String(parts[0]))
        }

        /// Whether the path stays in the folder and is none of a running store.
        fileprivate var isPlain: Bool {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
                && !path.utf8.contains(0)
        }

        /// Whether the file has these contents.
        func matches(_ data: Data) -> Bool {
            data.count == size && SHA256.hexadecimal(data) == hash
        }
    }

    /// The path of the manifest relative to the folder.
    static let path = ".repository/backup"
    private static let firstLine = "repository-backup 1"

    /// The files, sorted by their paths.
    let files: [File]

    /// Creates the manifest of files.
    init(_ files: [File]) { self.files = files.sorted { $0.path < $1.path } }

    /// Parses a manifest; nil if it is not whole.
    init?(_ data: Data) {
        let lines = String(decoding: data, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 3, lines[0] == Self.firstLine, lines.last == "",
            lines[lines.count - 2] == "end \(lines.count - 3)"
        else { return nil }
        var files: [File] = []
        for line in lines[1..<(lines.count - 2)] {
            guard let file = File(line: line), file.isPlain else { return nil }
            files.append(file)
        }
        self.files = files
    }

    /// The bytes of the manifest.
    var data: Data {
        let lines = files.map { file in
            let path = PercentEncoding.encode(file.path) {
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%")
            }
            return "\(file.hash) \(file.size) \(path)\n"
        }
        return Data("\(Self.firstLine)\n\(lines.joined())end \(files.count)\n".utf8)
    }

    /// Writes the manifest into the folder of a backup, and syncs it to disk.
    ///
    /// - Throws: `databaseError`.
    func write(into folder: String) throws {
        try? FileManager.default.createDirectory(
            atPath: folder + "/.repository", withIntermediateDirectories: true)
        try BackupFile.write(data, to: folder + "/" + Self.path, 0o600)
        try DiskSync.entries(of: folder + "/.repository")
    }
}
