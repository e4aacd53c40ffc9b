internal import Foundation

/// Writes files atomically: a reader sees either the old or the new content, and a process that is
/// killed leaves one of them.
///
/// A text is written to a temporary file, which then replaces the file. The file is not synced to
/// disk: after a power failure it may have to be generated again.
enum AtomicFile {
    /// The suffix of temporary files: `.<name>.<process>.tmp`.
    private static let suffix = ".tmp"

    /// Writes a temporary file in the folder of `path` and renames it. Missing folders are created.
    ///
    /// - Throws: ``FileProblem``; the temporary file is then deleted.
    static func write(_ text: String, to path: String) throws {
        let folder = Locations.parent(of: path)
        let name = path.split(separator: "/").last ?? ""
        try createFolder(folder)
        let temporary = Locations.path(
            folder.isEmpty ? "." : folder, ".\(name).\(getpid())\(suffix)")
        do {
            try writeWhole(text, to: temporary)
            guard rename(temporary, path) == 0 else { throw failure(path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Deletes a file. A missing file is not an error.
    ///
    /// - Throws: ``FileProblem``.
    static func delete(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw FileProblem(path: path, reason: "cannot be deleted: \(BoundedFile.systemError())")
        }
    }

    /// Removes a folder if it is empty.
    static func removeIfEmpty(_ folder: String) { rmdir(folder) }

    /// Returns whether a name is that of a temporary file of a process that no longer exists.
    static func isLeftBehind(_ name: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(suffix),
            let process = name.dropLast(suffix.count).split(separator: ".").last,
            let identifier = pid_t(process), name.contains(".generated.")
        else { return false }
        return kill(identifier, 0) != 0 && errno == ESRCH
    }

    /// Creates a folder and its parents if it does not exist.
    private static func createFolder(_ folder: String) throws {
        guard !folder.isEmpty, FileStatus(of: folder) == .absent else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw FileProblem(
                path: folder, reason: "the folder cannot be made: \(error.localizedDescription)")
        }
    }

    /// Writes a whole text to a file, and continues after partial writes and interrupted calls.
    private static func writeWhole(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var text = text
        try text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure(path) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Returns the error of the last system call, which must have failed.
    private static func failure(_ path: String) -> FileProblem {
        FileProblem(path: path, reason: "cannot be written: \(BoundedFile.systemError())")
    }
}
