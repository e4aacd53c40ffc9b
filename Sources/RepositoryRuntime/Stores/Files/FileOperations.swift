internal import Foundation

/// The system calls of the file store, one method each, so that a test can make the n-th call fail.
///
/// Files are named relative to an open folder; see ``FileName``. No method follows a symbolic link
/// in the last component of a name. The methods throw ``FileFailure`` and do not retry, except
/// after an interruption by a signal (`EINTR`). The `path` parameters are for error messages only.
/// Calls may block, except ``readCached(_:into:)`` and ``findCached(_:)``.
protocol FileOperations: Sendable {
    /// Opens a file and returns its descriptor.
    func open(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32
    /// Opens a file by an absolute path that may not contain symbolic links. Throws `ENOSYS` if the
    /// system has no such call.
    func openPlain(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32
    /// Reads bytes from the current position of the descriptor into a buffer, and returns their
    /// number; 0 at the end of the file.
    func read(_ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileFailure) -> Int
    /// Writes bytes and returns the number written, which may be smaller.
    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    /// Writes bytes to the start of a file and returns the number written. The position of the
    /// descriptor does not change.
    func overwrite(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    /// Reads bytes at an offset, and returns their number; 0 at the end of the file. The position
    /// of the descriptor does not change.
    func read(
        _ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(FileFailure) -> Int
    /// Writes bytes at an offset and returns the number written, which may be smaller. The position
    /// of the descriptor does not change.
    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer, at offset: UInt64)
        throws(FileFailure) -> Int
    /// Flushes a file or a folder to the disk (`fsync`).
    func synchronize(_ file: Int32, _ path: String) throws(FileFailure)
    /// Closes a descriptor.
    func close(_ file: Int32, _ path: String) throws(FileFailure)
    /// Waits, without a time limit, for the exclusive lock of the file. The lock belongs to the
    /// descriptor.
    func lock(_ file: Int32, _ path: String) throws(FileFailure)
    /// Takes the exclusive lock of the file; returns false if another descriptor holds it.
    func tryLock(_ file: Int32, _ path: String) throws(FileFailure) -> Bool
    /// Releases the lock of the file. Closing the descriptor releases it too.
    func unlock(_ file: Int32, _ path: String) throws(FileFailure)
    /// Renames a file and replaces what has the new name.
    func rename(_ name: FileName, to other: FileName) throws(FileFailure)
    /// Creates a hard link; fails if the new name is in use.
    func link(_ name: FileName, to other: FileName) throws(FileFailure)
    /// Removes the name of a file.
    func unlink(_ name: FileName) throws(FileFailure)
    /// Creates a folder whose parent exists.
    func makeFolder(_ name: FileName) throws(FileFailure)
    /// Removes an empty folder.
    func removeFolder(_ name: FileName) throws(FileFailure)
    /// Passes each name in an open folder to a body, in no particular order and without `.` and
    /// `..`, then closes the descriptor. Names that are not valid UTF-8 are skipped.
    func visitNames(
        in folder: Int32, _ path: String, _ body: (String) throws(FileFailure) -> Void
    ) throws(FileFailure)
    /// Reads the beginning of a file if its path and bytes are in the system's page cache. Never
    /// waits for a disk.
    func readCached(
        _ path: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
    ) -> CachedFile
    /// Returns whether a file exists, if the system's cache contains the answer. Never waits for a
    /// disk.
    func findCached(_ path: UnsafePointer<CChar>) -> CachedFile
    /// Returns the status of an open file.
    func status(ofOpen file: Int32, _ path: String) throws(FileFailure) -> FileStatus
    /// Returns the status of a name, or nil if nothing has that name.
    func status(of name: FileName) throws(FileFailure) -> FileStatus?
}

/// Default implementations for systems, and test doubles, without the optional calls.
extension FileOperations {
    /// Throws `ENOSYS`, so that the caller opens the folders one by one.
    func openPlain(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        throw FileFailure(operation: "open", path: name.path, code: ENOSYS)
    }

    /// Returns `unsupported`, so that the caller reads on a thread that may block.
    func readCached(
        _ path: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
    ) -> CachedFile { .unsupported }

    /// Returns `unsupported`, so that the caller looks the file up on a thread that may block.
    func findCached(_ path: UnsafePointer<CChar>) -> CachedFile { .unsupported }
}

/// The name of a file relative to an open folder, as in `openat`.
struct FileName: Sendable {
    /// The descriptor of the folder; ``noFolder`` for an absolute path.
    let folder: Int32
    /// The path below the root of the store, for error messages.
    let path: String
    /// A string that ends with the name.
    private let text: String
    /// The number of bytes of ``text`` before the name.
    private let start: Int

    /// The value of ``folder`` for an absolute path.
    static let noFolder = AT_FDCWD

    /// A name in an open folder.
    ///
    /// - Parameters:
    ///   - folder: the descriptor of the folder.
    ///   - path: the path of the file below the root of the store.
    ///   - start: the number of bytes of `path` before the name of the file.
    init(folder: Int32, path: String, start: Int) {
        self.folder = folder
        self.path = path
        self.text = path
        self.start = start
    }

    /// An absolute path.
    ///
    /// - Parameters:
    ///   - absolute: the path.
    ///   - path: the path below the root of the store, for error messages.
    init(absolute: String, path: String) {
        folder = Self.noFolder
        self.path = path
        text = absolute
        start = 0
    }

    /// Calls a body with the name as a C string.
    func withName<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        text.withCString { body($0 + start) }
    }
}

/// The purpose for which a file is opened. It determines the flags and permissions of the call.
enum FileOpenMode: Sendable {
    /// Reading an existing file.
    case read
    /// Writing a new file. Opening fails if the name is in use.
    case create
    /// The same as ``create``, for a file that only its owner may read.
    case createPrivate
    /// Reading and writing a file. Opening creates the file if it does not exist.
    case update
    /// Reading and writing a new file that only its owner may read. Opening fails if the name is in
    /// use.
    case scratch
    /// Using a folder: naming files in it, listing it, flushing its directory entries.
    case folder
    /// The same as ``folder`` for a folder whose name may be a symbolic link: the root of a store.
    case root
    /// Keeping the disk space of a file allocated after the removal of its name, for as long as the
    /// descriptor is open.
    case hold
}

/// What the system reports about a file without access to a disk.
enum CachedFile: Sendable, Hashable {
    /// The file exists. For a read, the associated value is the number of bytes read.
    case found(Int)
    /// No file has the name.
    case absent
    /// The answer requires a call that may block; that call also reports any error.
    case unknown
    /// The system cannot answer without blocking, for any file.
    case unsupported
}

/// The status of a file, as returned by `stat`.
struct FileStatus: Sendable, Hashable {
    /// The type of a file.
    enum Kind: Sendable, Hashable {
        case file, folder, link, other

        /// The name of the type for error messages.
        var description: String {
            switch self {
            case .file: "a file"
            case .folder: "a folder"
            case .link: "a symbolic link"
            case .other: "no regular file"
            }
        }
    }

    var kind: Kind
    /// The time of the last modification in nanoseconds since 1970. For a folder, the last change
    /// of its entries.
    var modified: Int64
    /// The device that contains the file (`st_dev`).
    var device: UInt64
    /// The number of the file on its device (`st_ino`).
    var number: UInt64
    /// The size in bytes.
    var size: Int64

    /// Returns whether both values describe the same file.
    func isFile(of other: FileStatus) -> Bool { number == other.number && device == other.device }
}
