internal import CFileAccess
internal import Foundation

/// The file operations of the running system.
struct POSIXFileOperations: FileOperations {
    func open(_ path: String, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        // Without O_NONBLOCK a FIFO put into the folder would hold a reader for ever; regular files do not heed it.
        let flags =
            switch mode {
            case .read: O_RDONLY | O_NONBLOCK
            case .create, .createPrivate: O_WRONLY | O_CREAT | O_EXCL
            case .update: O_RDWR | O_CREAT
            case .folder: O_RDONLY | O_DIRECTORY
            case .hold: O_RDONLY | O_NONBLOCK | O_NOFOLLOW
            }
        let permissions: mode_t = mode == .createPrivate ? 0o600 : 0o666
        return try call("open", path) { Foundation.open(path, flags | O_CLOEXEC, permissions) }
    }

    func read(_ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileFailure) -> Int
    {
        try call("read", path) { Foundation.read(file, buffer.baseAddress, buffer.count) }
    }

    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    {
        try call("write", path) { Foundation.write(file, bytes.baseAddress, bytes.count) }
    }

    func overwrite(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    {
        try call("write", path) { pwrite(file, bytes.baseAddress, bytes.count, 0) }
    }

    func synchronize(_ file: Int32, _ path: String) throws(FileFailure) {
        #if canImport(Darwin)
            // On Apple's systems fsync leaves the bytes in the drive's cache.
            if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        try call("save", path) { fsync(file) }
    }

    func close(_ file: Int32, _ path: String) throws(FileFailure) {
        // Linux closes the descriptor also when close was interrupted: a second call could close somebody else's.
        if Foundation.close(file) != 0, errno != EINTR {
            throw FileFailure(operation: "close", path: path, code: errno)
        }
    }

    func lock(_ file: Int32, _ path: String) throws(FileFailure) {
        try call("lock", path) { flock(file, LOCK_EX) }
    }

    func tryLock(_ file: Int32, _ path: String) throws(FileFailure) -> Bool {
        do {
            try call("lock", path) { flock(file, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            if error.code == EWOULDBLOCK { return false }
            throw error
        }
    }

    func rename(_ path: String, to other: String) throws(FileFailure) {
        try call("rename", path) { Foundation.rename(path, other) }
    }

    func link(_ path: String, to other: String) throws(FileFailure) {
        try call("link", path) { Foundation.link(path, other) }
    }

    func unlink(_ path: String) throws(FileFailure) {
        try call("remove", path) { Foundation.unlink(path) }
    }

    func makeFolder(_ path: String) throws(FileFailure) {
        try call("create", path) { mkdir(path, 0o777) }
    }

    func removeFolder(_ path: String) throws(FileFailure) {
        try call("remove", path) { rmdir(path) }
    }

    func visitNames(in path: String, _ body: (String) throws(FileFailure) -> Void)
        throws(FileFailure)
    {
        guard let folder = opendir(path) else {
            throw FileFailure(operation: "list", path: path, code: errno)
        }
        defer { closedir(folder) }
        while true {
            errno = 0
            guard let entry = readdir(folder) else {
                if errno != 0 { throw FileFailure(operation: "list", path: path, code: errno) }
                return
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { try body(name) }
        }
    }

    func readCached(
        _ path: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
    ) -> CachedFile {
        guard let start = buffer.baseAddress else { return .unknown }
        return Self.cachedFile(file_access_read_cached(path, start, buffer.count))
    }

    func findCached(_ path: UnsafePointer<CChar>) -> CachedFile {
        Self.cachedFile(file_access_find_cached(path))
    }

    private static func cachedFile(_ result: Int) -> CachedFile {
        switch result {
        case 0...: .found(result)
        case Int(-ENOENT): .absent
        case Int(-ENOSYS): .unsupported
        default: .unknown
        }
    }

    func isOpen(_ file: Int32, at path: String) throws(FileFailure) -> Bool {
        var opened = stat()
        guard fstat(file, &opened) == 0 else {
            throw FileFailure(operation: "examine", path: path, code: errno)
        }
        var named = stat()
        guard lstat(path, &named) == 0 else {
            if errno == ENOENT { return false }
            throw FileFailure(operation: "examine", path: path, code: errno)
        }
        return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }

    func status(of path: String) throws(FileFailure) -> FileStatus? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            // A name that is too long, or lies below a file, names nothing.
            if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return nil }
            throw FileFailure(operation: "examine", path: path, code: errno)
        }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return FileStatus(
            isFolder: status.st_mode & S_IFMT == S_IFDIR,
            modified: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
            number: UInt64(status.st_ino), size: Int64(status.st_size))
    }

    /// Calls until no signal interrupts; a negative result is a failure.
    @discardableResult
    private func call<R: SignedInteger>(
        _ operation: String, _ path: String, _ body: () -> R
    ) throws(FileFailure) -> R {
        while true {
            let result = body()
            if result >= 0 { return result }
            if errno != EINTR { throw FileFailure(operation: operation, path: path, code: errno) }
        }
    }
}
