internal import Foundation

/// Whole files and folders, made of single operations.
extension FileOperations {
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
        try close(file, path)
        return try result.get()
    }

    /// Most records fit into one read; what it leaves short is the end of a regular file.
    private func readAll(_ file: Int32, _ path: String) -> Result<Data, FileFailure> {
        let size = 16_384
        return withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
            var data = Data()
            do throws(FileFailure) {
                while true {
                    let count = try read(file, path, into: buffer)
                    data.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    if count == 0 || (count < size && data.count == count) { break }
                }
                return .success(data)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Writes a new file and forces it to the disk; on failure the file is gone again.
    func writeNew(
        _ data: Data, to path: String, _ mode: FileOpenMode = .create
    ) throws(FileFailure) {
        let file = try open(path, mode)
        do throws(FileFailure) {
            do throws(FileFailure) {
                try writeAll(data, file, path)
                try synchronize(file, path)
            } catch {
                // The first failure is the one to report.
                try? close(file, path)
                throw error
            }
            try close(file, path)
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
                    let count = try write(file, path, rest)
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

    /// Forces the names in a folder to the disk.
    func synchronizeFolder(_ path: String) throws(FileFailure) {
        let folder = try open(path, .folder)
        do throws(FileFailure) {
            try synchronize(folder, path)
        } catch {
            try? close(folder, path)
            throw error
        }
        try close(folder, path)
    }

    /// Makes a folder and those above it, and forces the new names to the disk.
    func makeFolders(_ path: String) throws(FileFailure) {
        if try status(of: path) != nil { return }
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        if !parent.isEmpty { try makeFolders(parent) }
        do throws(FileFailure) {
            try makeFolder(path)
        } catch {
            if error.code != EEXIST { throw error }
        }
        try synchronizeFolder(parent.isEmpty ? "/" : parent)
    }

    /// Removes a file that may not be there.
    func unlinkIfPresent(_ path: String) throws(FileFailure) {
        do throws(FileFailure) {
            try unlink(path)
        } catch {
            if error.code != ENOENT { throw error }
        }
    }

    /// The names in a folder that are UTF-8, in no order, without `.` and `..`.
    func names(in path: String) throws(FileFailure) -> [String] {
        var names: [String] = []
        try visitNames(in: path) { names.append($0) }
        return names
    }

    /// The names in a folder; none when it is not there.
    func namesIfPresent(in path: String) throws(FileFailure) -> [String] {
        var names: [String] = []
        try visitNamesIfPresent(in: path) { names.append($0) }
        return names
    }

    /// Gives each name in a folder to a body; none when it is not there.
    func visitNamesIfPresent(
        in path: String, _ body: (String) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        do throws(FileFailure) {
            try visitNames(in: path, body)
        } catch {
            if error.code != ENOENT || error.path != path { throw error }
        }
    }
}
