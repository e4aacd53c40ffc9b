import CSQLite
import Synchronization

/// A file as SQLite sees it: the head that SQLite wants, the file system it belongs to, and behind them the file of the file
/// system that is used otherwise.
struct FailingFile {
    private var base: sqlite3_file
    private var table: UnsafeMutablePointer<sqlite3_vfs>

    /// Bytes before the file behind, a multiple of what any type is aligned to.
    static let size = 16

    /// The file systems by their tables: what C holds is no object of Swift's.
    static let systems = Mutex<[UInt: FailingFileSystem]>([:])

    typealias File = UnsafeMutablePointer<sqlite3_file>

    static func system(_ table: UnsafeMutablePointer<sqlite3_vfs>?) -> FailingFileSystem? {
        let address = UInt(bitPattern: table)
        return systems.withLock { $0[address] }
    }

    private static func own(_ file: File?) -> UnsafeMutablePointer<FailingFile>? {
        file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: FailingFile.self) }
    }

    /// The file behind, and its functions.
    private static func behind(_ file: File?) -> (File, sqlite3_io_methods)? {
        guard let file else { return nil }
        let behind = (UnsafeMutableRawPointer(file) + size).assumingMemoryBound(
            to: sqlite3_file.self)
        guard let methods = behind.pointee.pMethods else { return nil }
        return (behind, methods.pointee)
    }

    private static func failure(_ file: File?, _ call: FailingFileSystem.Call) -> Int32? {
        system(own(file)?.pointee.table)?.failure(of: call)
    }

    static func open(
        _ table: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?, _ file: File?,
        _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let table, let file, let plain = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
        file.pointee.pMethods = nil
        if let failure = system(table)?.failure(of: .open) { return failure }
        let behind = (UnsafeMutableRawPointer(file) + size).assumingMemoryBound(
            to: sqlite3_file.self)
        behind.pointee.pMethods = nil
        let code = plain.pointee.xOpen(plain, path, behind, flags, outFlags)
        // SQLite closes a file whose functions are set, whatever opening returned.
        guard behind.pointee.pMethods != nil else { return code }
        own(file)?.pointee.table = table
        file.pointee.pMethods = UnsafePointer(
            table.pointee.pAppData?.assumingMemoryBound(to: sqlite3_io_methods.self))
        return code
    }

    private static func write(
        _ file: File?, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: sqlite3_int64
    ) -> Int32 {
        guard let (behind, methods) = behind(file) else { return SQLITE_ERROR }
        if let failure = failure(file, .write) {
            if system(own(file)?.pointee.table)?.leavesHalf == true {
                _ = methods.xWrite(behind, bytes, count / 2, offset)
            }
            return failure
        }
        return methods.xWrite(behind, bytes, count, offset)
    }

    /// What SQLite calls of a file. Shared memory is none of the disk's and never fails.
    static var methods: sqlite3_io_methods {
        var own = sqlite3_io_methods()
        own.iVersion = 2
        own.xClose = { file in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return methods.xClose(behind)
        }
        own.xRead = { file, bytes, count, offset in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return FailingFile.failure(file, .read) ?? methods.xRead(behind, bytes, count, offset)
        }
        own.xWrite = { FailingFile.write($0, $1, $2, $3) }
        own.xTruncate = { file, size in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return FailingFile.failure(file, .truncate) ?? methods.xTruncate(behind, size)
        }
        own.xSync = { file, flags in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return FailingFile.failure(file, .synchronize) ?? methods.xSync(behind, flags)
        }
        own.xFileSize = { file, size in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return FailingFile.failure(file, .size) ?? methods.xFileSize(behind, size)
        }
        own.xLock = { file, kind in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return methods.xLock(behind, kind)
        }
        own.xUnlock = { file, kind in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return methods.xUnlock(behind, kind)
        }
        own.xCheckReservedLock = { file, result in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return methods.xCheckReservedLock(behind, result)
        }
        own.xFileControl = { file, operation, argument in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return methods.xFileControl(behind, operation, argument)
        }
        own.xSectorSize = { file in
            guard let (behind, methods) = FailingFile.behind(file) else { return 4_096 }
            return methods.xSectorSize(behind)
        }
        own.xDeviceCharacteristics = { file in
            guard let (behind, methods) = FailingFile.behind(file) else { return 0 }
            return methods.xDeviceCharacteristics(behind)
        }
        own.xShmMap = { file, page, size, extends, result in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return methods.xShmMap(behind, page, size, extends, result)
        }
        own.xShmLock = { file, offset, count, flags in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return methods.xShmLock(behind, offset, count, flags)
        }
        own.xShmBarrier = { file in
            if let (behind, methods) = FailingFile.behind(file) { methods.xShmBarrier(behind) }
        }
        own.xShmUnmap = { file, removes in
            guard let (behind, methods) = FailingFile.behind(file) else { return SQLITE_ERROR }
            return methods.xShmUnmap(behind, removes)
        }
        return own
    }
}
