internal import Foundation

/// Reading and writing whole files, built from single system calls.
extension StoreFiles {
    /// Returns the bytes of a file, or nil if the file does not exist.
    ///
    /// A name that is too long, or that is below a regular file, counts as a file that does not
    /// exist.
    func contents(of path: String) throws(FileFailure) -> Data? {
        let file: Int32
        do {
            file = try open(path, .read)
        } catch {
            if error.code == ENOENT || error.code == ENAMETOOLONG || error.code == ENOTDIR {
                return nil
            }
            throw error
        }
        let result: Result<Data, FileFailure> = readAll(file, path)
        try operations.close(file, path)
        return try result.get()
    }

    /// Reads an open file to its end.
    ///
    /// Most records fit into one read. A first read that returns fewer bytes than requested has
    /// reached the end of a regular file, so the second read is saved.
    private func readAll(_ file: Int32, _ path: String) -> Result<Data, FileFailure> {
        let size = 16_384
        return withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
            var data = Data()
            do throws(FileFailure) {
                while true {
                    let count = try operations.read(file, path, into: buffer)
                    data.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    if count == 0 || (count < size && data.count == count) { break }
                }
                return .success(data)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Writes a new file and flushes it to the disk. On failure, removes the file.
    ///
    /// The directory entry is not flushed; see ``synchronizeFolder(_:)``.
    ///
    /// - Parameters:
    ///   - data: The contents of the file.
    ///   - path: The path of the file, which must not exist.
    ///   - mode: The mode of opening, which determines the permissions.
    func writeNew(
        _ data: Data, to path: String, _ mode: FileOpenMode = .create
    ) throws(FileFailure) {
        let file = try open(path, mode)
        do throws(FileFailure) {
            do throws(FileFailure) {
                try writeAll(data, file, path)
                try operations.synchronize(file, path)
            } catch {
                // The first failure is the cause; an error from `close` would hide it.
                try? operations.close(file, path)
                throw error
            }
            try operations.close(file, path)
        } catch {
            // If the removal fails too, a temporary file remains; the next writer removes it.
            try? unlink(path)
            throw error
        }
    }

    /// Writes all bytes, with as many `write` calls as necessary.
    private func writeAll(_ data: Data, _ file: Int32, _ path: String) throws(FileFailure) {
        let result: Result<Void, FileFailure> = data.withUnsafeBytes { bytes in
            var rest = bytes
            do throws(FileFailure) {
                while !rest.isEmpty {
                    let count = try operations.write(file, path, rest)
                    if count == 0 {
                        throw FileFailure(operation: "write", path: path, code: ENOSPC)
                    }
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Removes a file; does nothing if the file does not exist.
    func unlinkIfPresent(_ path: String) throws(FileFailure) {
        do throws(FileFailure) {
            try unlink(path)
        } catch {
            if error.code != ENOENT { throw error }
        }
    }

    /// Returns the names in a folder, in no particular order; an empty array if the folder does not
    /// exist.
    ///
    /// Names that are not valid UTF-8 are skipped.
    func namesIfPresent(in path: String) throws(FileFailure) -> [String] {
        var names: [String] = []
        try visitNamesIfPresent(in: path) { names.append($0) }
        return names
    }

    /// Returns what has the path of a record instead of a file, such as a folder or a link; nil if
    /// the failure has another cause.
    func obstacle(at path: String, _ failure: FileFailure) -> FileStatus.Kind? {
        guard failure.code == EISDIR || failure.code == ELOOP else { return nil }
        // If the path cannot be examined, the caller reports the first failure.
        let kind = (try? status(of: path))?.kind
        return kind == .file ? nil : kind
    }
}
