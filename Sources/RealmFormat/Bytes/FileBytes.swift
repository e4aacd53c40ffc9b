internal import Foundation

/// A file that is read with calls to the system, so that a file which shrinks is an error and not
/// the end of the program.
final class FileBytes: Sendable {
    /// -1 for bytes in memory.
    private let descriptor: CInt
    private let memory: [UInt8]

    /// Bytes in memory that are read like a file.
    init(_ bytes: [UInt8]) {
        descriptor = -1
        memory = bytes
    }

    /// Opens a file.
    init(_ path: String) throws(RealmFileError) {
        memory = []
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("cannot be opened") }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("cannot be read") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw RealmFileError(.unreadable, "is not a file")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The size, and the time of the last change in nanoseconds since 1970.
    func status() throws(RealmFileError) -> (size: Int, modified: Int64) {
        guard descriptor >= 0 else { return (memory.count, 0) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("cannot be read") }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return (
            Int(status.st_size), Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        )
    }

    /// Reads bytes until the buffer is full or the file ends.
    ///
    /// - Returns: the number of bytes.
    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(RealmFileError) -> Int {
        guard descriptor >= 0 else {
            let bytes = memory.dropFirst(offset).prefix(buffer.count)
            buffer.copyBytes(from: bytes)
            return bytes.count
        }
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
                off_t(offset) + off_t(done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .system("cannot be read")
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Returns whether another program, or this one, has locked a file, for example the lock file
    /// of a Realm that is open.
    static func isLocked(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        // Nobody locks a file that does not exist.
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}

extension RealmFileError {
    /// The error of the last call to the system.
    fileprivate static func system(_ what: String) -> Self {
        Self(.unreadable, "\(what): \(String(cString: strerror(errno)))")
    }
}
