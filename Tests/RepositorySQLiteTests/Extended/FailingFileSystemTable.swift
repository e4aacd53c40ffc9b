import CSQLite
import Foundation
import Synchronization

/// The C side of ``FailingFileSystem``: what SQLite calls.
///
/// `@unchecked`: nobody changes the memory behind the pointer after ``register(_:)``.
final class FailingFileSystemTable: @unchecked Sendable {
    /// No database is made without a file system.
    struct NoFileSystem: Error {}

    let name: String
    private let pointer: UnsafeMutablePointer<sqlite3_vfs>
    private let methods: UnsafeMutablePointer<sqlite3_io_methods>

    init() throws {
        guard let plain = sqlite3_vfs_find(nil), let bytes = strdup("failing-\(UUID().uuidString)")
        else { throw NoFileSystem() }
        name = String(cString: bytes)
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: plain.pointee)
        methods = .allocate(capacity: 1)
        methods.initialize(to: FailingFile.methods)
        pointer.pointee.iVersion = 1
        pointer.pointee.zName = UnsafePointer(bytes)
        pointer.pointee.pNext = nil
        pointer.pointee.szOsFile += Int32(FailingFile.size)
        pointer.pointee.xOpen = { table, path, file, flags, outFlags in
            FailingFile.open(table, path, file, flags, outFlags)
        }
        pointer.pointee.xDelete = { table, path, isSynchronized in
            if let failure = FailingFile.system(table)?.failure(of: .remove) { return failure }
            guard let plain = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
            return plain.pointee.xDelete(plain, path, isSynchronized)
        }
        pointer.pointee.xAccess = { _, path, flags, result in
            guard let plain = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
            return plain.pointee.xAccess(plain, path, flags, result)
        }
        pointer.pointee.xFullPathname = { _, path, count, result in
            guard let plain = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
            return plain.pointee.xFullPathname(plain, path, count, result)
        }
    }

    /// Makes it known to SQLite; `system` lives as long as the table.
    func register(_ system: FailingFileSystem) {
        pointer.pointee.pAppData = UnsafeMutableRawPointer(mutating: methods)
        let address = UInt(bitPattern: pointer)
        FailingFile.systems.withLock { $0[address] = system }
        sqlite3_vfs_register(pointer, 0)
    }

    /// Takes it from SQLite. Its memory stays: a connection may still be closing, on a thread of its own.
    func unregister() { sqlite3_vfs_unregister(pointer) }
}
