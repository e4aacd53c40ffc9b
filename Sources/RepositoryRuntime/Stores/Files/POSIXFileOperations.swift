internal import CFileAccess
internal import Foundation

/// The file operations of the operating system.
///
/// The type has no state. Locks are `flock` locks, which belong to an open file description: two
/// stores of one process exclude each other, too.
struct POSIXFileOperations: FileOperations {
    func open(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        try opening { () throws(FileFailure) in
            try call("open", name.path) {
                name.withName { openat(name.folder, $0, Self.flags(mode), Self.permissions(mode)) }
            }
        }
    }

    /// Opens a file, and tries again if other stores could close idle descriptors.
    private func opening(
        _ open: () throws(FileFailure) -> Int32
    ) throws(FileFailure) -> Int32 {
        do throws(FileFailure) {
            return try open()
        } catch {
            guard [EMFILE, ENFILE].contains(error.code), OpenDescriptors.shared.reclaim() else {
                throw error
            }
            return try open()
        }
    }

    func openPlain(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        try opening { () throws(FileFailure) in
            while true {
                let file = name.withName {
                    file_access_open_plain($0, Self.flags(mode), Int32(Self.permissions(mode)))
                }
                if file >= 0 { return file }
                if -file == EINTR { continue }
                throw FileFailure(operation: "open", path: name.path, code: -file)
            }
        }
    }

    /// The flags of `open` for a purpose.
    private static func flags(_ mode: FileOpenMode) -> Int32 {
        // Without `O_NONBLOCK`, opening a FIFO in the folder would block a reader forever. Regular
        // files ignore the flag.
        let flags =
            switch mode {
            case .read, .hold: O_RDONLY | O_NONBLOCK | O_NOFOLLOW
            case .create, .createPrivate: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
            case .update: O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW
            case .scratch: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
            case .folder: O_RDONLY | O_DIRECTORY | O_NOFOLLOW
            case .root: O_RDONLY | O_DIRECTORY
            }
        return flags | O_CLOEXEC
    }

    /// The permissions of a new file, before the process's `umask` is applied.
    private static func permissions(_ mode: FileOpenMode) -> mode_t {
        mode == .createPrivate || mode == .scratch ? 0o600 : 0o666
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

    func read(
        _ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(FileFailure) -> Int {
        try call("read", path) {
            pread(file, buffer.baseAddress, buffer.count, off_t(offset))
        }
    }

    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer, at offset: UInt64)
        throws(FileFailure) -> Int
    {
        try call("write", path) { pwrite(file, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    /// Uses `F_FULLFSYNC` on Apple's systems, and `fsync` on other systems or if that call fails.
    func synchronize(_ file: Int32, _ path: String) throws(FileFailure) {
        #if canImport(Darwin)
            // On Apple's systems, `fsync` leaves the bytes in the cache of the drive.
            if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        try call("save", path) { fsync(file) }
    }

    func close(_ file: Int32, _ path: String) throws(FileFailure) {
        // Linux closes the descriptor even if `close` is interrupted. A second call could close the
        // descriptor of another file.
        if Foundation.close(file) != 0, errno != EINTR {
            throw FileFailure(operation: "close", path: path, code: errno)
        }
    }

    /// Takes an exclusive `flock` lock.
    func lock(_ file: Int32, _ path: String) throws(FileFailure) {
        try call("lock", path) { flock(file, LOCK_EX) }
    }

    /// Tries to take an exclusive `flock` lock.
    func tryLock(_ file: Int32, _ path: String) throws(FileFailure) -> Bool {
        do {
            try call("lock", path) { flock(file, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            if error.code == EWOULDBLOCK { return false }
            throw error
        }
    }

    func unlock(_ file: Int32, _ path: String) throws(FileFailure) {
        try call("unlock", path) { flock(file, LOCK_UN) }
    }

    func rename(_ name: FileName, to other: FileName) throws(FileFailure) {
        try call("rename", name.path) {
            name.withName { old in
                other.withName { renameat(name.folder, old, other.folder, $0) }
            }
        }
    }

    func link(_ name: FileName, to other: FileName) throws(FileFailure) {
        // Without `AT_SYMLINK_FOLLOW`, the call links a symbolic link itself, not its target.
        try call("link", name.path) {
            name.withName { old in
                other.withName { linkat(name.folder, old, other.folder, $0, 0) }
            }
        }
    }

    func unlink(_ name: FileName) throws(FileFailure) {
        try call("remove", name.path) { name.withName { unlinkat(name.folder, $0, 0) } }
    }

    func makeFolder(_ name: FileName) throws(FileFailure) {
        try call("create", name.path) { name.withName { mkdirat(name.folder, $0, 0o777) } }
    }

    func removeFolder(_ name: FileName) throws(FileFailure) {
        try call("remove", name.path) {
            name.withName { unlinkat(name.folder, $0, AT_REMOVEDIR) }
        }
    }

    /// Closing the directory stream also closes the descriptor.
    func visitNames(
        in folder: Int32, _ path: String, _ body: (String) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        guard let list = fdopendir(folder) else {
            let code = errno
            Foundation.close(folder)
            throw FileFailure(operation: "list", path: path, code: code)
        }
        defer { closedir(list) }
        while true {
            errno = 0
            guard let entry = readdir(list) else {
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

    /// Converts the result of the C functions: a count, or a negative error number.
    private static func cachedFile(_ result: Int) -> CachedFile {
        switch result {
        case 0...: .found(result)
        case Int(-ENOENT): .absent
        case Int(-ENOSYS): .unsupported
        default: .unknown
        }
    }

    func status(ofOpen file: Int32, _ path: String) throws(FileFailure) -> FileStatus {
        var status = stat()
        guard fstat(file, &status) == 0 else {
            throw FileFailure(operation: "examine", path: path, code: errno)
        }
        return FileStatus(status)
    }

    func status(of name: FileName) throws(FileFailure) -> FileStatus? {
        var status = stat()
        let result = name.withName { fstatat(name.folder, $0, &status, AT_SYMLINK_NOFOLLOW) }
        guard result == 0 else {
            // No file can have a name that is too long or that is below a regular file.
            if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return nil }
            throw FileFailure(operation: "examine", path: name.path, code: errno)
        }
        return FileStatus(status)
    }

    /// Repeats a system call until no signal interrupts it. Throws if the result is negative.
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

extension FileStatus {
    fileprivate init(_ status: stat) {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
    }
}
