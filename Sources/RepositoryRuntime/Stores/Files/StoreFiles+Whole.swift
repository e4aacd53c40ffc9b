internal import Foundation

/// Whole files, made of single operations.
extension StoreFiles {
    /// The bytes of a file; nil when there is none.
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

    /// Most records fit into one read; what it leaves short is the end of a regular file.
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

    /// Writes a new file and flushes it to the disk; on failure the file is gone again.
    func writeNew(
        _ data: Data, to path: String, _ mode: FileOpenMode = .create
    ) throws(FileFailure) {
        let file = try open(path, mode)
        do throws(FileFailure) {
            do throws(FileFailure) {
                try writeAll(data, file, path)
                try operations.synchronize(file, path)
            } catch {
                // The first failure is the one to report.
                try? operations.close(file, path)
                throw error
            }
            try operations.close(file, path)
        } catch {
            // What stays behind is a temporary file, removed by the next writer.
            try? unlink(path)
            throw error
        }
    }

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

    /// Removes a file that may not be there.
    func unlinkIfPresent(_ path: String) throws(FileFailure) {
        do throws(FileFailure) {
            try unlink(path)
        } catch {
            if error.code != ENOENT { throw error }
        }
    }

    /// The names in a folder that are UTF-8, in no order; none when it is not there.
    func namesIfPresent(in path: String) throws(FileFailure) -> [String] {
        var names: [String] = []
        try visitNamesIfPresent(in: path) { names.append($0) }
        return names
    }

    /// Whether a failure says that the last component of a path is no file that can be opened.
    func obstacle(at path: String, _ failure: FileFailure) -> FileStatus.Kind? {
        guard failure.code == EISDIR || failure.code == ELOOP else { return nil }
        // Where it cannot be examined, the first failure is the one to report.
        let kind = (try? status(of: path))?.kind
        return kind == .file ? nil : kind
    }
}
