internal import Foundation

/// What stands at a path.
enum FileStatus: Sendable {
    case absent
    case file
    case folder
    case symbolicLink
    case other

    /// Looks at a path without following a symbolic link.
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

/// Reads files in whole, up to a bound.
enum BoundedFile {
    /// The bytes of a file; at most `limit` and one more, so that the caller sees that there are too many.
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
        // One byte more than the size shows the end without a second buffer.
        var wanted = min(size, limit) + 1
        while wanted > 0 {
            let count = try chunk(of: wanted, from: descriptor, path, into: &bytes)
            // Less than was asked for is the end of a file; of a pipe or a device it may be a part.
            if count == 0 || (isFile && count < wanted) { break }
            wanted = min(limit + 1 - bytes.count, 1 << 16)
        }
        return bytes
    }

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

    /// What the system says of the call that just failed.
    static func systemError() -> String { String(cString: strerror(errno)) }
}
