internal import Foundation

/// The calls to the operating system that the file store makes, one method each, so that a test can make the n-th fail.
///
/// Paths are absolute. Every method throws ``FileFailure``; none retries, except where a signal interrupted the call.
protocol FileOperations: Sendable {
    /// Opens a file and returns its descriptor.
    func open(_ path: String, _ mode: FileOpenMode) throws(FileFailure) -> Int32
    /// Reads at most `count` bytes from where the descriptor stands; empty at the end.
    func read(_ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileFailure) -> Int
    /// Writes bytes and returns how many were written, which may be fewer.
    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    /// Writes bytes over the first ones of a file and returns how many were written; the descriptor stays where it stands.
    func overwrite(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    /// Forces a file, or a folder, to the disk.
    func synchronize(_ file: Int32, _ path: String) throws(FileFailure)
    /// Closes a descriptor.
    func close(_ file: Int32, _ path: String) throws(FileFailure)
    /// Waits until this descriptor alone holds the file's lock; closing releases it.
    func lock(_ file: Int32, _ path: String) throws(FileFailure)
    /// Takes the file's lock unless somebody else holds it; false where somebody does.
    func tryLock(_ file: Int32, _ path: String) throws(FileFailure) -> Bool
    /// Gives a file another name, replacing what has it.
    func rename(_ path: String, to other: String) throws(FileFailure)
    /// Gives a file one more name; fails when something has it.
    func link(_ path: String, to other: String) throws(FileFailure)
    /// Removes a file's name.
    func unlink(_ path: String) throws(FileFailure)
    /// Makes a folder whose parent exists.
    func makeFolder(_ path: String) throws(FileFailure)
    /// Removes an empty folder.
    func removeFolder(_ path: String) throws(FileFailure)
    /// Gives each name in a folder that is UTF-8 to a body, in no order, without `.` and `..`; none is kept.
    func visitNames(in path: String, _ body: (String) throws(FileFailure) -> Void)
        throws(FileFailure)
    /// Reads the beginning of a file, if its name and its bytes are in the system's memory: it never waits for a disk.
    func readCached(
        _ path: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
    ) -> CachedFile
    /// Says whether something has a name, if that is in the system's memory.
    func findCached(_ path: UnsafePointer<CChar>) -> CachedFile
    /// Whether a path names the file of a descriptor, and neither nothing nor another file that has come in its place.
    func isOpen(_ file: Int32, at path: String) throws(FileFailure) -> Bool
    /// What is known of a path without following a last link; nil when there is nothing.
    func status(of path: String) throws(FileFailure) -> FileStatus?
}

extension FileOperations {
    /// Not known: it is read with waiting.
    func readCached(
        _ path: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
    ) -> CachedFile { .unsupported }

    /// Not known: it is looked for with waiting.
    func findCached(_ path: UnsafePointer<CChar>) -> CachedFile { .unsupported }

    /// Waits where nothing better is known.
    func tryLock(_ file: Int32, _ path: String) throws(FileFailure) -> Bool {
        try lock(file, path)
        return true
    }
}

/// What a file is opened for.
enum FileOpenMode: Sendable {
    /// To read a file that is there.
    case read
    /// To write a new file; fails when the name is taken.
    case create
    /// The same, for a file that only its owner may read.
    case createPrivate
    /// To read and write a file, made when it is not there.
    case update
    /// To force a folder to the disk.
    case folder
    /// To keep what a file takes on the disk while the descriptor is open, whatever becomes of its name.
    case hold
}

/// What the system knows of a file without asking a disk.
enum CachedFile: Sendable, Hashable {
    /// It is there; so many bytes of it were read.
    case found(Int)
    /// There is none.
    case absent
    /// Not without waiting, which also reports what is wrong with it.
    case unknown
    /// The system never says.
    case unsupported
}

/// What is known of a path.
struct FileStatus: Sendable, Hashable {
    /// Whether it is a folder.
    var isFolder: Bool
    /// Nanoseconds since 1970 of the last change of the content; of a folder, of a name in it.
    var modified: Int64
    /// The file's number on its device.
    var number: UInt64
    /// The size in bytes.
    var size: Int64
}

/// A failed call to the operating system.
struct FileFailure: Error, Sendable, CustomStringConvertible {
    /// What was tried, as a verb: `rename`.
    var operation: String
    /// The path it was tried on.
    var path: String
    /// The system's error number.
    var code: Int32
    /// Whether what was begun could not be taken back either, so that nobody knows whether it happened.
    var isOutcomeUnknown = false

    /// The system's words for the number.
    var reason: String { String(cString: strerror(code)) }

    var description: String { "\(operation) \(path): \(reason) (\(code))" }

    /// The failure as an error of the store.
    func error(id: String? = nil, table: String? = nil) -> CRUDRepositoryError {
        let mayPass = [ENOSPC, EDQUOT, EMFILE, ENFILE, EAGAIN, ENOMEM, EBUSY].contains(code)
        let subject = id.map { "the record '\($0)'" } ?? "its files"
        if isOutcomeUnknown {
            return CRUDRepositoryError(
                .outcomeUnknown,
                "The file store could not \(operation) \(subject): \(reason). Taking back the write failed too: whether it happened is not known.",
                id: id, table: table, underlyingError: self)
        }
        return CRUDRepositoryError(
            .databaseError, "The file store could not \(operation) \(subject): \(reason).",
            id: id, table: table, isRetryable: mayPass, underlyingError: self)
    }
}
