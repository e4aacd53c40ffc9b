#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A folder for the copy of a database. It is deleted with the value.
final class TemporaryFolder {
    /// The path of the folder.
    let path: String

    /// Creates the folder.
    ///
    /// - Parameter given: the path of the database, for errors.
    /// - Throws: ``ImportProblem`` if the folder cannot be created.
    init(_ given: String) throws(ImportProblem) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/repository-import-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ImportProblem(
                path: given,
                reason: "cannot be copied to '\(parent)': \(String(cString: strerror(errno)))")
        }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
    }

    deinit {
        for name in ["copy", "copy-wal", "copy-shm", "copy-journal"] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// Copies a file into the folder.
    ///
    /// - Throws: ``ImportProblem`` if it cannot be read, or if there is no space for the copy.
    func copy(_ source: String, as name: String, _ given: String) throws(ImportProblem) {
        func problem() -> ImportProblem {
            ImportProblem(
                path: given,
                reason: "cannot be copied to '\(path)': \(String(cString: strerror(errno)))")
        }
        guard let from = fopen(source, "rb") else { throw problem() }
        defer { fclose(from) }
        guard let to = fopen("\(path)/\(name)", "wb") else { throw problem() }
        var isOpen = true
        defer { if isOpen { fclose(to) } }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = fread(&buffer, 1, buffer.count, from)
            guard count > 0 else { break }
            guard fwrite(buffer, 1, count, to) == count else { throw problem() }
        }
        guard ferror(from) == 0 else { throw problem() }
        isOpen = false
        guard fclose(to) == 0 else { throw problem() }
    }
}
