import Foundation
import Synchronization

@testable import RepositoryRuntime

/// The operations of the system, each of which is noted down by its name.
final class CountingFileOperations: FileOperations {
    private let system = POSIXFileOperations()
    private let calls = Mutex<[String]>([])
    /// What the system says of all that is asked for: not each file system of a machine that runs
    /// tests knows.
    let memory = Mutex(Memory.holdsAll)

    /// What happens once between opening a lock and taking it.
    let beforeLock = Mutex<(@Sendable () -> Void)?>(nil)

    enum Memory {
        case holdsAll, holdsNothing, isUnknown
    }

    /// What is said of a file that is not in memory; nil where it is.
    private var answer: CachedFile? {
        switch memory.withLock(\.self) {
        case .holdsAll: nil
        case .holdsNothing: .unknown
        case .isUnknown: .unsupported
        }
    }

    /// The names of what was done since the last time, in order.
    func taken() -> [String] {
        calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
    }

    private func note(_ call: String) { calls.withLock { $0.append(call) } }

    func open(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        note("open")
        return try system.open(name, mode)
    }

    func openPlain(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        note("open")
        return try system.openPlain(name, mode)
    }

    func read(_ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileFailure) -> Int
    {
        note("read")
        return try system.read(file, path, into: buffer)
    }

    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    {
        note("write")
        return try system.write(file, path, bytes)
    }

    func overwrite(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    {
        note("pwrite")
        return try system.overwrite(file, path, bytes)
    }

    func read(
        _ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(FileFailure) -> Int {
        note("pread")
        return try system.read(file, path, into: buffer, at: offset)
    }

    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer, at offset: UInt64)
        throws(FileFailure) -> Int
    {
        note("pwrite")
        return try system.write(file, path, bytes, at: offset)
    }

    func synchronize(_ file: Int32, _ path: String) throws(FileFailure) {
        note("fsync")
        try system.synchronize(file, path)
    }

    func close(_ file: Int32, _ path: String) throws(FileFailure) {
        note("close")
        try system.close(file, path)
    }

    func lock(_ file: Int32, _ path: String) throws(FileFailure) {
        note("flock")
        try system.lock(file, path)
    }

    func tryLock(_ file: Int32, _ path: String) throws(FileFailure) -> Bool {
        note("flock")
        let happens = beforeLock.withLock { $0.take() }
        happens?()
        return try system.tryLock(file, path)
    }

    func unlock(_ file: Int32, _ path: String) throws(FileFailure) {
        note("flock")
        try system.unlock(file, path)
    }

    func rename(_ name: FileName, to other: FileName) throws(FileFailure) {
        note("rename")
        try system.rename(name, to: other)
    }

    func link(_ name: FileName, to other: FileName) throws(FileFailure) {
        note("link")
        try system.link(name, to: other)
    }

    func unlink(_ name: FileName) throws(FileFailure) {
        note("unlink")
        try system.unlink(name)
    }

    func makeFolder(_ name: FileName) throws(FileFailure) {
        note("mkdir")
        try system.makeFolder(name)
    }

    func removeFolder(_ name: FileName) throws(FileFailure) {
        note("rmdir")
        try system.removeFolder(name)
    }

    func visitNames(
        in folder: Int32, _ path: String, _ body: (String) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        note("list")
        try system.visitNames(in: folder, path, body)
    }

    func readCached(
        _ path: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
    ) -> CachedFile {
        if let answer { return answer }
        let path = String(cString: path)
        do throws(FileFailure) {
            let name = FileName(absolute: path, path: path)
            let file = try system.open(name, .read)
            note("openat2")
            let count = try system.read(file, path, into: buffer)
            note("preadv2")
            try close(file, path)
            return .found(count)
        } catch {
            return .unknown
        }
    }

    func findCached(_ path: UnsafePointer<CChar>) -> CachedFile {
        if let answer { return answer }
        do throws(FileFailure) {
            let path = String(cString: path)
            let name = FileName(absolute: path, path: path)
            guard try system.status(of: name) != nil else { return .absent }
            for call in ["openat2", "close"] { note(call) }
            return .found(0)
        } catch {
            return .unknown
        }
    }

    func status(ofOpen file: Int32, _ path: String) throws(FileFailure) -> FileStatus {
        note("fstat")
        return try system.status(ofOpen: file, path)
    }

    func status(of name: FileName) throws(FileFailure) -> FileStatus? {
        note("lstat")
        return try system.status(of: name)
    }
}
