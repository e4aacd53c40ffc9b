import Foundation
import Synchronization

@testable import RepositoryRuntime

/// The operations of the system, each of which is noted down by its name.
final class CountingFileOperations: FileOperations {
    private let system = POSIXFileOperations()
    private let calls = Mutex<[String]>([])
    /// What the system says of all that is asked for: not each file system of a machine that runs tests knows.
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

    func open(_ path: String, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        note("open")
        return try system.open(path, mode)
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
        let happens = beforeLock.withLock { $0.take() }
        happens?()
        try system.lock(file, path)
    }

    func tryLock(_ file: Int32, _ path: String) throws(FileFailure) -> Bool {
        note("flock")
        return try system.tryLock(file, path)
    }

    func rename(_ path: String, to other: String) throws(FileFailure) {
        note("rename")
        try system.rename(path, to: other)
    }

    func link(_ path: String, to other: String) throws(FileFailure) {
        note("link")
        try system.link(path, to: other)
    }

    func unlink(_ path: String) throws(FileFailure) {
        note("unlink")
        try system.unlink(path)
    }

    func makeFolder(_ path: String) throws(FileFailure) {
        note("mkdir")
        try system.makeFolder(path)
    }

    func removeFolder(_ path: String) throws(FileFailure) {
        note("rmdir")
        try system.removeFolder(path)
    }

    func visitNames(in path: String, _ body: (String) throws(FileFailure) -> Void)
        throws(FileFailure)
    {
        note("list")
        try system.visitNames(in: path, body)
    }

    func readCached(
        _ path: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
    ) -> CachedFile {
        if let answer { return answer }
        let path = String(cString: path)
        do throws(FileFailure) {
            let file = try system.open(path, .read)
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
            guard try system.status(of: String(cString: path)) != nil else { return .absent }
            for call in ["openat2", "close"] { note(call) }
            return .found(0)
        } catch {
            return .unknown
        }
    }

    func isOpen(_ file: Int32, at path: String) throws(FileFailure) -> Bool {
        for call in ["fstat", "lstat"] { note(call) }
        return try system.isOpen(file, at: path)
    }

    func status(of path: String) throws(FileFailure) -> FileStatus? {
        note("lstat")
        return try system.status(of: path)
    }
}
