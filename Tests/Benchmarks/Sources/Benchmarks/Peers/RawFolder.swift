import Foundation

/// A folder and the system calls on its files, without anything around them.
struct RawFolder {
    private let path: String

    /// A system call that failed.
    struct Failure: Error {
        let code: Int32
    }

    init(_ url: URL) { path = url.path }

    /// Writes a file beside its place, forces it to the disk, renames it and forces the new name.
    func replace(_ name: String, with data: Data) throws {
        let temporary = "\(path)/temporary"
        let file = try check(open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
        try check(data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) })
        try check(fsync(file))
        try check(close(file))
        try check(rename(temporary, "\(path)/\(name)"))
        let folder = try check(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        try check(fsync(folder))
        try check(close(folder))
    }

    /// The number of bytes read, which stay in a buffer.
    func read(_ name: String) throws -> Int {
        let file = try check(open("\(path)/\(name)", O_RDONLY | O_CLOEXEC))
        let count = try withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { buffer in
            try check(Foundation.read(file, buffer.baseAddress, buffer.count))
        }
        try check(close(file))
        return count
    }

    @discardableResult
    private func check<R: SignedInteger>(_ result: R) throws -> R {
        guard result >= 0 else { throw Failure(code: errno) }
        return result
    }
}
