package import Foundation

/// Writes a copy of data under a temporary name, and gives it its name when it is complete.
///
/// The temporary file or folder is locked while it is written. A copy that nobody writes any more,
/// because its process ended, is replaced. If another program is writing one to the same name, the
/// call fails: two writers of one file or folder could otherwise mix two copies.
package enum WholeCopy {
    /// What is copied to.
    package enum Kind: Sendable { case file, folder }

    /// What is added to the name until the copy is complete.
    static let suffix = ".unfinished"

    /// Runs a body that writes a file or folder.
    ///
    /// - Parameters:
    ///   - url: the name, which must not exist.
    ///   - kind: what is written.
    ///   - leftovers: what is added to the name of an unfinished file by those who write it.
    ///   - write: writes into the file or folder at the given path, which exists and is empty, and
    ///     syncs what it writes to disk.
    /// - Throws: `databaseError` if the name exists or if another program is writing a copy to it;
    ///   the error of `write`.
    package static func write(
        _ kind: Kind, to url: URL, leftovers: [String] = [], _ write: (String) throws -> Void
    ) throws {
        let path = url.standardizedFileURL.path
        func failure(_ code: Int32) -> CRUDRepositoryError {
            DiskSync.failure("The data cannot be copied to '\(path)'", code)
        }
        var status = stat()
        guard lstat(path, &status) != 0 else { throw failure(EEXIST) }
        let unfinished = try UnfinishedCopy(kind, path + suffix, leftovers)
        // After the copy has its name, only a second name of a file is left to remove.
        defer { unfinished.remove() }
        try write(unfinished.path)
        if kind == .folder { try DiskSync.entries(of: unfinished.path) }
        guard unfinished.isInPlace else { throw failure(ESTALE) }
        try name(unfinished.path, path, kind, failure)
        try DiskSync.folder(of: path)
    }

    /// Gives a finished copy its name.
    private static func name(
        _ unfinished: String, _ path: String, _ kind: Kind,
        _ failure: (Int32) -> CRUDRepositoryError
    ) throws {
        switch kind {
        case .file:
            // A link, unlike a renaming, does not replace a file that was created in the meantime.
            if link(unfinished, path) == 0 { return }
            let hasLinks = ![EPERM, EOPNOTSUPP, ENOSYS].contains(errno)
            if !hasLinks, access(path, F_OK) != 0, rename(unfinished, path) == 0 { return }
        case .folder:
            // A folder replaces nothing but an empty folder.
            if rename(unfinished, path) == 0 { return }
        }
        throw failure(errno)
    }
}

/// The temporary file or folder of a copy, locked for its writer.
private final class UnfinishedCopy {
    let path: String
    private let leftovers: [String]
    /// The descriptor that holds the lock.
    private var descriptor: Int32

    /// Creates the file or folder, and replaces what a process left that ended during a copy.
    init(_ kind: WholeCopy.Kind, _ path: String, _ leftovers: [String]) throws {
        self.path = path
        self.leftovers = leftovers
        for _ in 0..<50 {
            try Self.removeAbandoned(path, leftovers)
            let isMade =
                switch kind {
                case .folder: mkdir(path, 0o777) == 0
                case .file: Self.makeFile(path)
                }
            if !isMade {
                if errno == EEXIST { continue }
                throw Self.failure(path, errno)
            }
            if let descriptor = Self.locked(path) {
                self.descriptor = descriptor
                return
            }
            // Another program took it for an abandoned one, and is about to remove it.
            usleep(2_000)
        }
        throw Self.failure(path, EBUSY)
    }

    deinit { close(descriptor) }

    /// Whether the name is still that of the locked file or folder.
    var isInPlace: Bool { Self.isSame(descriptor, path) }

    /// Removes the name, if it is still that of the locked file or folder.
    func remove() {
        // What cannot be removed is removed by the next copy.
        if isInPlace { try? Self.remove(path, leftovers) }
    }

    private static func makeFile(_ path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file < 0 { return false }
        close(file)
        return true
    }

    /// Opens and locks what has a path; nil if another descriptor has locked it, or if nothing has
    /// the path any more.
    private static func locked(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0 { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isSame(descriptor, path) { return descriptor }
        close(descriptor)
        return nil
    }

    /// Removes what a process left that ended during a copy.
    ///
    /// - Throws: `databaseError` if another program is writing to it.
    private static func removeAbandoned(_ path: String, _ leftovers: [String]) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        // A link is none of a copy, and has no lock.
        guard status.st_mode & S_IFMT != S_IFLNK else { return try remove(path, []) }
        guard let descriptor = locked(path) else {
            if lstat(path, &status) != 0 { return }
            throw failure(path, EBUSY)
        }
        defer { close(descriptor) }
        try remove(path, leftovers)
    }

    private static func remove(_ path: String, _ leftovers: [String]) throws {
        for suffix in leftovers { unlink(path + suffix) }
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            guard unlink(path) == 0 || errno == ENOENT else { throw failure(path, errno) }
            return
        }
        try FileManager.default.removeItem(atPath: path)
    }

    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var own = stat()
        var named = stat()
        return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0
            && own.st_dev == named.st_dev && own.st_ino == named.st_ino
    }

    private static func failure(_ path: String, _ code: Int32) -> CRUDRepositoryError {
        let writer = code == EBUSY ? ", to which another program is writing" : ""
        return DiskSync.failure("The data cannot be copied through '\(path)'\(writer)", code)
    }
}
