internal import Foundation

/// A file that has no name any more and that exists as long as the object.
///
/// If the process ends between the two calls that create it, the next writer removes it with the
/// other temporary files.
final class UnlinkedScratchFile: ScratchFile {
    private let file: Int32
    private let path: String
    private let operations: any FileOperations

    /// Creates an empty file at a temporary path, and removes its name.
    init(_ path: String, _ files: StoreFiles) throws(FileFailure) {
        self.path = path
        operations = files.operations
        file = try files.open(path, .scratch)
        // If this throws, all properties have values, so that `deinit` runs and closes the file. A
        // second `close` here could close a file that another thread has opened in between.
        try files.unlink(path)
    }

    deinit {
        // The descriptor is invalid after `close`, even if `close` reports an error. The file has
        // no name, so that nothing it has matters any more.
        try? operations.close(file, path)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
        var count = 0
        do throws(FileFailure) {
            while count < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                let found = try operations.read(
                    file, path, into: rest, at: offset + UInt64(count))
                if found == 0 { break }
                count += found
            }
        } catch {
            throw error.error()
        }
        return count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        var count = 0
        do throws(FileFailure) {
            while count < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
                let written = try operations.write(file, path, rest, at: offset + UInt64(count))
                if written == 0 {
                    throw FileFailure(operation: "write", path: path, code: ENOSPC)
                }
                count += written
            }
        } catch {
            throw error.error()
        }
    }
}
