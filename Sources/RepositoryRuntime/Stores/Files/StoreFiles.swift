internal import Foundation
internal import Synchronization

/// The files of a store, named by paths relative to its root, none of which leaves the root.
///
/// The root itself, and the folders above it, may be symbolic links: they are resolved once. No
/// component below the root may be one. A reader opens a path in one system call that refuses
/// links, where the system has such a call, otherwise folder by folder. A writer holds the lock,
/// and with it the descriptors of the folders: a name is then looked up in a folder that cannot be
/// exchanged for a link meanwhile, and a folder is flushed without opening it again.
///
/// A path that begins with `/` is outside the store: only the file of user defaults has one, whose
/// folder the system names.
final class StoreFiles: Sendable {
    let root: String
    let operations: any FileOperations
    /// Whether folders stay open between calls: for a writer.
    private let keepsFolders: Bool
    /// The descriptors of the folders that are kept open, by their paths.
    private let folders = Mutex<[String: Int32]>([:])
    /// Whether the system opens a path without links in one call.
    private let opensPlain = Atomic(true)

    /// The most folders that are kept open: descriptors are few.
    private static let limit = 32

    /// - Parameter keepsFolders: whether folders stay open until ``closeFolders(keeping:)``.
    init(root: String, operations: any FileOperations, keepsFolders: Bool) {
        self.root = root
        self.operations = operations
        self.keepsFolders = keepsFolders
    }

    deinit { closeFolders(keeping: []) }

    /// Closes the folders that are open, except some.
    func closeFolders(keeping kept: [String]) {
        folders.withLock { folders in
            for (path, folder) in folders where !kept.contains(path) {
                // The descriptor is gone whatever closing reports.
                try? operations.close(folder, path)
                folders[path] = nil
            }
        }
    }

    /// The descriptor of a folder, while it is kept open.
    func keptFolder(_ path: String) throws(FileFailure) -> Int32? {
        guard keepsFolders else { return nil }
        if let folder = folders.withLock({ $0[path] }) { return folder }
        guard folders.withLock({ $0.count }) < Self.limit else { return nil }
        let folder = try openFolder(path)
        let other = folders.withLock { folders in
            let other = folders[path]
            if other == nil { folders[path] = folder }
            return other
        }
        guard let other else { return folder }
        // Another thread of the batch opened it at the same moment.
        try operations.close(folder, path)
        return other
    }

    /// Opens a folder.
    private func openFolder(_ path: String) throws(FileFailure) -> Int32 {
        if path.isEmpty || path.utf8.first == UInt8(ascii: "/") {
            let place = path.isEmpty ? (root.isEmpty ? "/" : root) : path
            let name = FileName(folder: FileName.noFolder, name: place, path: path)
            return try operations.open(name, .root)
        }
        do throws(FileFailure) {
            return try open(path, .folder)
        } catch {
            // Systems report a link that is not followed as no folder, and what is no folder must
            // not pass for an absent one.
            var failure = error
            if error.code == ENOTDIR, try status(of: path)?.kind == .link { failure.code = ELOOP }
            throw failure
        }
    }

    /// Runs a body with the name of a path in its open folder.
    private func named<R>(
        _ path: String, _ body: (FileName) throws(FileFailure) -> R
    ) throws(FileFailure) -> R {
        let (folder, name) = Self.parts(path)
        if let kept = try keptFolder(folder) {
            return try body(FileName(folder: kept, name: name, path: path))
        }
        let opened = try openFolder(folder)
        let result: R
        do throws(FileFailure) {
            result = try body(FileName(folder: opened, name: name, path: path))
        } catch {
            // The first failure is the one to report.
            try? operations.close(opened, folder)
            throw error
        }
        try operations.close(opened, folder)
        return result
    }

    /// The folder of a path, and the name in it.
    static func parts(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
        return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
    }

    private func absolute(_ path: String) -> FileName {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        return FileName(
            folder: FileName.noFolder, name: isAbsolute ? path : root + "/" + path, path: path)
    }

    /// Opens a file.
    func open(_ path: String, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        if !keepsFolders, opensPlain.load(ordering: .relaxed) {
            do throws(FileFailure) {
                return try operations.openPlain(absolute(path), mode)
            } catch {
                switch error.code {
                case ENOSYS: opensPlain.store(false, ordering: .relaxed)
                // A folder above the root may have become a link since it was resolved.
                case ELOOP: break
                default: throw error
                }
            }
        }
        return try named(path) { name throws(FileFailure) in try operations.open(name, mode) }
    }

    /// What is known of a path; nil when there is nothing.
    func status(of path: String) throws(FileFailure) -> FileStatus? {
        // The root may be reached through links, what lies directly in it needs no folder.
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

    /// What is known of the folder that has a name in the root at this moment, whichever folder is
    /// kept open.
    func statusInRoot(of name: String) throws(FileFailure) -> FileStatus? {
        try operations.status(of: absolute(name))
    }

    func rename(_ path: String, to other: String) throws(FileFailure) {
        try named(path) { name throws(FileFailure) in
            try named(other) { other throws(FileFailure) in
                try operations.rename(name, to: other)
            }
        }
    }

    func link(_ path: String, to other: String) throws(FileFailure) {
        try named(path) { name throws(FileFailure) in
            try named(other) { other throws(FileFailure) in
                try operations.link(name, to: other)
            }
        }
    }

    func unlink(_ path: String) throws(FileFailure) {
        try named(path) { name throws(FileFailure) in try operations.unlink(name) }
    }

    func removeFolder(_ path: String) throws(FileFailure) {
        forgetFolder(path)
        try named(path) { name throws(FileFailure) in try operations.removeFolder(name) }
    }

    /// Closes a folder that is about to be renamed or removed.
    func forgetFolder(_ path: String) {
        guard let folder = folders.withLock({ $0.removeValue(forKey: path) }) else { return }
        // As in ``closeFolders(keeping:)``.
        try? operations.close(folder, path)
    }

    /// Makes a folder and those above it, and flushes the new names to the disk.
    func makeFolders(_ path: String) throws(FileFailure) {
        // One that is kept open may have been removed by another program.
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

    private func makeAbsoluteFolders(_ path: String) throws(FileFailure) {
        let name = FileName(folder: FileName.noFolder, name: path, path: path)
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
            FileName(folder: FileName.noFolder, name: above, path: above), .root)
        try synchronizeAndClose(folder, above)
    }

    /// Flushes the names in a folder to the disk.
    func synchronizeFolder(_ path: String) throws(FileFailure) {
        if let kept = try keptFolder(path) { return try operations.synchronize(kept, path) }
        try synchronizeAndClose(try openFolder(path), path)
    }

    private func synchronizeAndClose(_ folder: Int32, _ path: String) throws(FileFailure) {
        do throws(FileFailure) {
            try operations.synchronize(folder, path)
        } catch {
            // The first failure is the one to report.
            try? operations.close(folder, path)
            throw error
        }
        try operations.close(folder, path)
    }

    /// Gives each name in a folder that is UTF-8 to a body, in no order; none when the folder is
    /// not there.
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
}

extension StoreFiles {
    /// The path of a folder with all links resolved, as far as it exists.
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
            // What is not there yet is made later.
            let (folder, name) = parts(existing)
            rest = "/" + name + rest
            existing = folder
        }
        return path
    }
}
