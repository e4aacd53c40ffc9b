internal import Foundation

/// The file `.repository/description`, by which readers notice that a process has changed the
/// description of the store.
extension FileDriver: WatchedDriver {
    private var descriptionPath: String { layout.ownFolder + "/description" }

    /// Maps the file, and creates it if necessary. Does nothing if the file is mapped already.
    func watchDescription() throws {
        let path = descriptionPath
        try filing { () throws(FileFailure) in
            if let watchedDescription, let found = try held.status(of: path),
                found.isFile(of: watchedDescription)
            {
                return
            }
            let file = try held.open(path, .update)
            // Closing it does not end the mapping.
            defer { try? operations.close(file, path) }
            let status = try operations.status(ofOpen: file, path)
            if status.kind != .file {
                throw FileFailure(operation: "read", path: path, code: EINVAL)
            }
            if status.size < DescriptionWatch.size { try writeDescriptionCount(0, to: file) }
            if let code = descriptionWatch.map(file) {
                // A file system without mapped files: readers notice changes at their next write.
                if [ENODEV, EACCES, EINVAL].contains(code) { return }
                throw FileFailure(operation: "read", path: path, code: code)
            }
            watchedDescription = status
        }
    }

    /// Notes that the description may have changed. The caller holds the lock.
    func countDescription() throws(FileFailure) {
        let path = descriptionPath
        let file = try held.open(path, .update)
        defer { try? operations.close(file, path) }
        try writeDescriptionCount(.random(in: 1 ... .max), to: file)
    }

    private func writeDescriptionCount(_ count: UInt64, to file: Int32) throws(FileFailure) {
        let path = descriptionPath
        let result = withUnsafeBytes(of: count) { bytes -> Result<Int, FileFailure> in
            do throws(FileFailure) {
                return .success(try operations.overwrite(file, path, bytes))
            } catch {
                return .failure(error)
            }
        }
        guard try result.get() == DescriptionWatch.size else {
            throw FileFailure(operation: "write", path: path, code: ENOSPC)
        }
    }
}
