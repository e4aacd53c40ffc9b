internal import Foundation

/// Writes files atomically: a reader sees either the old or the new content, and a process that is
/// killed leaves one of them.
///
/// A text is written to a temporary file, which then replaces the file. Generated files are not
/// synced to disk: after a power failure they may have to be generated again.
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

    /// Writes a new file, which must not exist. The text is synced to disk before the file gets its
    /// name. Missing folders are created.
    ///
    /// - Throws: ``FileProblem``, also if the file exists, even if another process creates it at the
    ///   same time; the temporary file is then deleted.
    static func create(_ text: String, at path: String) throws {
        let folder = Locations.parent(of: path)
        let name = path.split(separator: "/").last ?? ""
        try createFolder(folder)
        let temporary = Locations.path(
            folder.isEmpty ? "." : folder, ".\(name).\(getpid())\(suffix)")
        defer { unlink(temporary) }
        try writeWhole(text, to: temporary, isSynced: true)
        // Unlike `rename`, `link` does not replace a file.
        if link(temporary, path) == 0 { return }
        let error = errno
        // Some file systems have no hard links.
        let isUnsupported = [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(error)
        guard isUnsupported, FileStatus(of: path) == .absent else {
            throw FileProblem(
                path: path, reason: "cannot be written: \(String(cString: strerror(error)))")
        }
        guard rename(temporary, path) == 0 else { throw failure(path) }
    }

    /// Replaces the text of a file that a person has written, and keeps its permissions. The text
    /// is synced to disk before it replaces the file.
    ///
    /// - Parameters:
    ///   - old: the expected old contents.
    ///   - text: the new text.
    ///   - path: the path of the file.
    /// - Throws: ``FileProblem``, also if the file does not have the expected contents; the
    ///   temporary file is then deleted.
    static func replace(_ old: [UInt8], by text: String, at path: String) throws {
        let folder = Locations.parent(of: path)
        let name = path.split(separator: "/").last ?? ""
        let temporary = Locations.path(
            folder.isEmpty ? "." : folder, ".\(name).\(getpid())\(suffix)")
        do {
            try writeWhole(text, to: temporary, isSynced: true)
            var status = stat()
            guard stat(path, &status) == 0, chmod(temporary, status.st_mode & 0o7777) == 0 else {
                throw failure(path)
            }
            guard try BoundedFile.bytes(at: path, limit: old.count) == old else {
                throw FileProblem(path: path, reason: "has been changed in the meantime")
            }
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
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - part: the part that the names of the files have.
    static func isLeftBehind(_ name: String, ofFilesWith part: String = ".generated.") -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(suffix),
            let process = name.dropLast(suffix.count).split(separator: ".").last,
            let identifier = pid_t(process), name.contains(part)
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
    private static func writeWhole(
        _ text: String, to path: String, isSynced: Bool = false
    ) throws {
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
        guard !isSynced || fsync(descriptor) == 0 else { throw failure(path) }
    }

    /// Returns the error of the last system call, which must have failed.
    private static func failure(_ path: String) -> FileProblem {
        FileProblem(path: path, reason: "cannot be written: \(BoundedFile.systemError())")
    }
}
