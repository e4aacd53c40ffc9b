internal import Foundation

/// The type of the file at a path.
enum FileStatus: Sendable {
    /// There is nothing, or the path cannot be examined.
    case absent
    case file
    case folder
    case symbolicLink
    /// A device, a pipe or a socket.
    case other

    /// Determines the status without following a symbolic link.
    init(of path: String) {
        var information = stat()
        guard lstat(path, &information) == 0 else {
            self = .absent
            return
        }
        self =
            switch information.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            default: .other
            }
    }
}

/// Reads whole files up to a limit.
enum BoundedFile {
    /// Returns the bytes of a file: at most `limit + 1`, so that the caller can detect a file that
    /// is too large.
    ///
    /// The file is opened without blocking, so that a pipe without a writer cannot stop the
    /// program.
    ///
    /// - Throws: ``FileProblem``.
    static func bytes(at path: String, limit: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw FileProblem(path: path, reason: "cannot be read: \(systemError())")
        }
        defer { close(descriptor) }
        var information = stat()
        let isKnown = fstat(descriptor, &information) == 0
        let size = isKnown ? Int(information.st_size) : 0
        let isFile = isKnown && information.st_mode & S_IFMT == S_IFREG
        var bytes: [UInt8] = []
        // One byte more than the size detects the end of the file without a second read.
        var wanted = min(size, limit) + 1
        while wanted > 0 {
            let count = try chunk(of: wanted, from: descriptor, path, into: &bytes)
            // A short read is the end of a regular file. Of a pipe or a device, more may follow.
            if count == 0 || (isFile && count < wanted) { break }
            wanted = min(limit + 1 - bytes.count, 1 << 16)
        }
        return bytes
    }

    /// Reads at most `wanted` bytes and appends them. Returns the number of bytes; 0 at the end.
    private static func chunk(
        of wanted: Int, from descriptor: Int32, _ path: String, into bytes: inout [UInt8]
    ) throws -> Int {
        let part = try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            let result = read(descriptor, buffer.baseAddress, wanted)
            guard result >= 0 else {
                throw FileProblem(path: path, reason: "cannot be read: \(systemError())")
            }
            count = result
        }
        bytes.isEmpty ? (bytes = part) : bytes.append(contentsOf: part)
        return part.count
    }

    /// Returns the system's message for `errno`. It must be called directly after the failed call.
    static func systemError() -> String { String(cString: strerror(errno)) }
}
