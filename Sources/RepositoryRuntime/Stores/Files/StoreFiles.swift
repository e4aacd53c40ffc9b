internal import Foundation
internal import Synchronization

/// Access to the files of one store by paths relative to its root, without leaving the root.
///
/// The root and its parent folders may be symbolic links; `FileLayout` resolves them once. No
/// component below the root may be a symbolic link:
///
/// - A reader opens a path with one system call that rejects links, if the system has such a call.
///   Otherwise it opens the path folder by folder.
/// - A writer, which holds the store's lock, keeps folder descriptors open. A name is then looked
///   up in a folder that no other program can replace by a link, and a folder is flushed without
///   being opened again.
///
/// A path that begins with `/` is outside the store. Only the file of the user defaults has such a
/// path; the system determines its folder.
///
/// Failed system calls throw ``FileFailure``.
final class StoreFiles: Sendable {
    /// The absolute path of the root, without a trailing slash; empty for the root of the file
    /// system.
    let root: String
    /// The system calls.
    let operations: any FileOperations
    /// Whether folder descriptors stay open between calls. True for a writer.
    private let keepsFolders: Bool
    /// The open folders. The threads of a parallel write share them.
    private let folders = Mutex(OpenFolders())
    /// Whether the system can open a path without following links in one call. Set to false after
    /// the first `ENOSYS`.
    private let opensPlain = Atomic(true)

    /// Creates the access to the files below a root.
    ///
    /// - Parameters:
    ///   - root: The absolute path of the root with all links resolved.
    ///   - operations: The system calls.
    ///   - keepsFolders: Whether folders stay open until ``closeFolders(keeping:)`` closes them.
    init(root: String, operations: any FileOperations, keepsFolders: Bool) {
        self.root = root
        self.operations = operations
        self.keepsFolders = keepsFolders
    }

    deinit { closeFolders(keeping: []) }

    /// Closes the open folders, except those with the given paths.
    func closeFolders(keeping kept: [String]) {
        for folder in folders.withLock({ $0.remove { !kept.contains($0) } }) {
            // The descriptor is invalid after `close`, even if `close` reports an error.
            try? operations.close(folder.descriptor, folder.path)
        }
    }

    /// Returns the descriptor of a folder that stays open, and opens the folder if necessary.
    ///
    /// Returns nil if this instance keeps no folders open or already keeps the maximum number. The
    /// caller then opens and closes the folder itself.
    ///
    /// - Parameters:
    ///   - path: the path of the folder, or of a file in the folder.
    ///   - count: the number of bytes of `path` that are the path of the folder.
    func keptFolder(of path: String, first count: Int) throws(FileFailure) -> Int32? {
        guard keepsFolders else { return nil }
        let (known, isFull) = folders.withLock { folders in
            (folders.descriptor(of: path, first: count), folders.isFull)
        }
        if let known { return known }
        if isFull { return nil }
        let name = String(decoding: path.utf8.prefix(count), as: UTF8.self)
        let folder = try openFolder(name)
        let other = folders.withLock { folders in
            let other = folders.descriptor(of: path, first: count)
            if other == nil { folders.add(name, folder) }
            return other
        }
        guard let other else { return folder }
        // Another thread of the batch opened it at the same moment.
        try operations.close(folder, name)
        return other
    }

    /// Opens a folder; the caller closes the descriptor.
    ///
    /// The root and absolute paths may be symbolic links. Other paths may not contain any.
    private func openFolder(_ path: String) throws(FileFailure) -> Int32 {
        if path.isEmpty || path.utf8.first == UInt8(ascii: "/") {
            let place = path.isEmpty ? (root.isEmpty ? "/" : root) : path
            return try operations.open(FileName(absolute: place, path: path), .root)
        }
        do throws(FileFailure) {
            return try open(path, .folder)
        } catch {
            // For a link that they do not follow, systems report `ENOTDIR`. A link must cause an
            // error; it must not look like an absent folder.
            var failure = error
            if error.code == ENOTDIR, try status(of: path)?.kind == .link { failure.code = ELOOP }
            throw failure
        }
    }

    /// Runs a body with the file name of a path, relative to the descriptor of its open folder.
    private func named<R>(
        _ path: String, _ body: (FileName) throws(FileFailure) -> R
    ) throws(FileFailure) -> R {
        let (count, start) = Self.division(path)
        if let kept = try keptFolder(of: path, first: count) {
            return try body(FileName(folder: kept, path: path, start: start))
        }
        let folder = String(decoding: path.utf8.prefix(count), as: UTF8.self)
        let opened = try openFolder(folder)
        let result: R
        do throws(FileFailure) {
            result = try body(FileName(folder: opened, path: path, start: start))
        } catch {
            // The first failure is the cause; an error from `close` would hide it.
            try? operations.close(opened, folder)
            throw error
        }
        try operations.close(opened, folder)
        return result
    }

    /// Returns the number of bytes of a path that are the path of its folder, and the number of
    /// bytes before the name in that folder.
    private static func division(_ path: String) -> (folder: Int, name: Int) {
        path.withUTF8Bytes { bytes in
            bytes.lastIndex(of: UInt8(ascii: "/")).map { ($0, $0 + 1) } ?? (0, 0)
        }
    }

    /// Splits a path into its folder and the name in that folder. The folder is empty for a name in
    /// the root.
    static func parts(_ path: String) -> (folder: String, name: String) {
        let (count, start) = division(path)
        return (
            String(decoding: path.utf8.prefix(count), as: UTF8.self),
            String(decoding: path.utf8.dropFirst(start), as: UTF8.self)
        )
    }

    /// The absolute path as a file name, for calls that need no folder descriptor.
    private func absolute(_ path: String) -> FileName {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        return FileName(absolute: isAbsolute ? path : root + "/" + path, path: path)
    }

    /// Opens a file without following links below the root; the caller closes the descriptor.
    ///
    /// - Throws: A failure with `ELOOP` if a component below the root is a symbolic link.
    func open(_ path: String, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        if !keepsFolders, opensPlain.load(ordering: .relaxed) {
            do throws(FileFailure) {
                return try operations.openPlain(absolute(path), mode)
            } catch {
                switch error.code {
                case ENOSYS: opensPlain.store(false, ordering: .relaxed)
                // A folder above the root may have become a link since the root was resolved.
                // Opening folder by folder permits that.
                case ELOOP: break
                default: throw error
                }
            }
        }
        return try named(path) { name throws(FileFailure) in try operations.open(name, mode) }
    }

    /// Returns the status of a path, or nil if nothing has that path. Does not follow a link in the
    /// last component.
    func status(of path: String) throws(FileFailure) -> FileStatus? {
        // The path of the root may contain links. An entry directly in the root therefore needs no
        // check of its folder.
        let slash = UInt8(ascii: "/")
        if !keepsFolders, !path.utf8.contains(slash) || path.utf8.first == slash {
            return try operations.status(of: absolute(path))
        }
        do throws(FileFailure) {
            return try named(path) { name throws(FileFailure) in try operations.status(of: name) }
        } catch {
            if error.operation == "open", error.code == ENOENT || error.code == ENOTDIR {
                return nil
            }
            throw error
        }
    }

    /// Returns the current status of a name in the root, regardless of which folders are kept open.
    ///
    /// ``StoreLock`` uses it to detect that another program has replaced the folder of the lock.
    func statusInRoot(of name: String) throws(FileFailure) -> FileStatus? {
        try operations.status(of: absolute(name))
    }

    /// Renames a file or folder and replaces a file that has the new path.
    func rename(_ path: String, to other: String) throws(FileFailure) {
        try named(path) { name throws(FileFailure) in
            try named(other) { other throws(FileFailure) in
                try operations.rename(name, to: other)
            }
        }
    }

    /// Creates a hard link; fails with `EEXIST` if the new path is in use.
    func link(_ path: String, to other: String) throws(FileFailure) {
        try named(path) { name throws(FileFailure) in
            try named(other) { other throws(FileFailure) in
                try operations.link(name, to: other)
            }
        }
    }

    /// Removes the name of a file.
    func unlink(_ path: String) throws(FileFailure) {
        try named(path) { name throws(FileFailure) in try operations.unlink(name) }
    }

    /// Removes an empty folder and closes its descriptor.
    func removeFolder(_ path: String) throws(FileFailure) {
        forgetFolder(path)
        try named(path) { name throws(FileFailure) in try operations.removeFolder(name) }
    }

    /// Closes the descriptor of a folder that is about to be renamed or removed.
    func forgetFolder(_ path: String) {
        for folder in folders.withLock({ $0.remove { String.isSameIdentifier($0, path) } }) {
            // The descriptor is invalid in any case, as in ``closeFolders(keeping:)``.
            try? operations.close(folder.descriptor, path)
        }
    }

    /// Creates a folder and its missing parents, and flushes the new directory entries to the disk.
    /// Does nothing if the folder exists.
    func makeFolders(_ path: String) throws(FileFailure) {
        // Another program may have removed the folder while its descriptor was open.
        forgetFolder(path)
        if path.isEmpty { return try makeAbsoluteFolders(root) }
        if path.utf8.first == UInt8(ascii: "/") { return try makeAbsoluteFolders(path) }
        if try status(of: path) != nil { return }
        let (parent, _) = Self.parts(path)
        try makeFolders(parent)
        do throws(FileFailure) {
            try named(path) { name throws(FileFailure) in try operations.makeFolder(name) }
        } catch {
            if error.code != EEXIST { throw error }
        }
        try synchronizeFolder(parent)
    }

    /// The same as ``makeFolders(_:)`` for an absolute path, whose components may be symbolic
    /// links.
    private func makeAbsoluteFolders(_ path: String) throws(FileFailure) {
        let name = FileName(absolute: path, path: path)
        if try operations.status(of: name) != nil { return }
        let (parent, _) = Self.parts(path)
        if !parent.isEmpty { try makeAbsoluteFolders(parent) }
        do throws(FileFailure) {
            try operations.makeFolder(name)
        } catch {
            if error.code != EEXIST { throw error }
        }
        let above = parent.isEmpty ? "/" : parent
        let folder = try operations.open(
            FileName(absolute: above, path: above), .root)
        try synchronizeAndClose(folder, above)
    }

    /// Flushes the directory entries of a folder to the disk.
    func synchronizeFolder(_ path: String) throws(FileFailure) {
        if let kept = try keptFolder(of: path, first: path.utf8.count) {
            return try operations.synchronize(kept, path)
        }
        try synchronizeAndClose(try openFolder(path), path)
    }

    /// Flushes an open folder to the disk and closes it, even after a failure.
    private func synchronizeAndClose(_ folder: Int32, _ path: String) throws(FileFailure) {
        do throws(FileFailure) {
            try operations.synchronize(folder, path)
        } catch {
            // The first failure is the cause; an error from `close` would hide it.
            try? operations.close(folder, path)
            throw error
        }
        try operations.close(folder, path)
    }

    /// Passes each name in a folder to a body, in no particular order; does nothing if the folder
    /// does not exist.
    ///
    /// Names that are not valid UTF-8 are skipped.
    func visitNamesIfPresent(
        in path: String, _ body: (String) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        let folder: Int32
        do throws(FileFailure) {
            folder = try openFolder(path)
        } catch {
            if error.code == ENOENT { return }
            throw error
        }
        try operations.visitNames(in: folder, path, body)
    }

    /// Passes each name in a folder to a body, in no particular order. The folder is found from the
    /// root that stays open, even if the root has been renamed.
    ///
    /// Names that are not valid UTF-8 are skipped.
    func visitNamesOfKept(
        _ path: String, _ body: (String) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        guard path.isEmpty, let root = try keptFolder(of: "", first: 0) else {
            return try operations.visitNames(in: open(path, .folder), path, body)
        }
        let folder = try operations.open(FileName(folder: root, path: ".", start: 0), .folder)
        try operations.visitNames(in: folder, path, body)
    }
}

/// Resolution of the path of a root.
extension StoreFiles {
    /// Returns the absolute path of a folder with all symbolic links resolved, as far as the path
    /// exists, and without a trailing slash.
    static func resolved(_ folder: URL) -> String {
        var path = folder.standardizedFileURL.path(percentEncoded: false)
        if path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        var rest = ""
        var existing = path
        while !existing.isEmpty {
            if let resolved = realpath(existing, nil) {
                defer { free(resolved) }
                let start = String(cString: resolved)
                return (start == "/" ? "" : start) + rest
            }
            // The missing components are created later, by the first write.
            let (folder, name) = parts(existing)
            rest = "/" + name + rest
            existing = folder
        }
        return path
    }
}
