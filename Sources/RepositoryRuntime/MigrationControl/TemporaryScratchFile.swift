internal import Foundation

extension ScratchSpace {
    /// Creates an empty space in the folder for temporary files, for stores whose data is elsewhere.
    package static func temporary() -> any MigrationSpace {
        ScratchSpace { try TemporaryScratchFile() }
    }

    /// Creates an empty file in the folder for temporary files.
    package static func temporaryFile() throws -> any ScratchFile { try TemporaryScratchFile() }
}

/// A scratch file in the folder for temporary files.
private final class TemporaryScratchFile: ScratchFile {
    private let file: Int32

    /// Creates an empty file and removes its name.
    init() throws {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appending(path: "repository-migration-XXXXXX").path
        var name = Array(path.utf8CString)
        file = mkstemp(&name)
        guard file >= 0 else {
            throw DiskSync.failure("A temporary file '\(path)' cannot be created", errno)
        }
        unlink(name)
    }

    deinit { close(file) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(file, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw DiskSync.failure("A temporary file cannot be read", errno) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(file, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw DiskSync.failure("A temporary file cannot be written", errno) }
            done += count
        }
    }
}
