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
        try writeDurably(data, to: temporary)
        try check(rename(temporary, "\(path)/\(name)"))
        try synchronizeNames()
    }

    /// Writes a file beside its place, forces it to the disk, and gives it a name that must be free.
    func create(_ name: String, with data: Data) throws {
        let temporary = "\(path)/temporary"
        try writeDurably(data, to: temporary)
        try check(link(temporary, "\(path)/\(name)"))
        try synchronizeNames()
        try check(unlink(temporary))
    }

    private func writeDurably(_ data: Data, to path: String) throws {
        let file = try check(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
        try check(data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) })
        try check(fsync(file))
        try check(close(file))
    }

    private func synchronizeNames() throws {
        let folder = try check(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        try check(fsync(folder))
        try check(close(folder))
    }

    /// The names in it, in no order.
    func names() throws -> [String] {
        guard let folder = opendir(path) else { throw Failure(code: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
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
