internal import Foundation

/// The system calls of the file store, one method each, so that a test can make the n-th one fail.
///
/// A file is named relative to an open folder: see ``FileName``. No method follows a symbolic link
/// in the last component of a name. Every method throws ``FileFailure``; none retries, except where
/// a signal interrupted the call.
protocol FileOperations: Sendable {
    /// Opens a file and returns its descriptor.
    func open(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32
    /// Opens a file by an absolute path of which no component is a symbolic link; throws `ENOSYS`
    /// where the system cannot.
    func openPlain(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32
    /// Reads at most `count` bytes from where the descriptor stands; empty at the end.
    func read(_ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileFailure) -> Int
    /// Writes bytes and returns how many were written, which may be fewer.
    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    /// Writes bytes over the first ones of a file and returns how many were written; the descriptor
    /// stays where it stands.
    func overwrite(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    /// Flushes a file, or a folder, to the disk.
    func synchronize(_ file: Int32, _ path: String) throws(FileFailure)
    /// Closes a descriptor.
    func close(_ file: Int32, _ path: String) throws(FileFailure)
    /// Waits until this descriptor alone holds the file's lock.
    func lock(_ file: Int32, _ path: String) throws(FileFailure)
    /// Takes the file's lock unless another descriptor holds it; false where one does.
    func tryLock(_ file: Int32, _ path: String) throws(FileFailure) -> Bool
    /// Releases the file's lock; closing the descriptor does the same.
    func unlock(_ file: Int32, _ path: String) throws(FileFailure)
    /// Gives a file another name, replacing what has it.
    func rename(_ name: FileName, to other: FileName) throws(FileFailure)
    /// Gives a file one more name; fails when something has it.
    func link(_ name: FileName, to other: FileName) throws(FileFailure)
    /// Removes a file's name.
    func unlink(_ name: FileName) throws(FileFailure)
    /// Makes a folder whose parent exists.
    func makeFolder(_ name: FileName) throws(FileFailure)
    /// Removes an empty folder.
    func removeFolder(_ name: FileName) throws(FileFailure)
    /// Gives each name in an open folder that is UTF-8 to a body, in no order, without `.` and
    /// `..`; closes the descriptor.
    func visitNames(
        in folder: Int32, _ path: String, _ body: (String) throws(FileFailure) -> Void
    ) throws(FileFailure)
    /// Reads the beginning of a file, if its name and its bytes are in the system's memory: it
    /// never waits for a disk.
    func readCached(
        _ path: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
    ) -> CachedFile
    /// Returns whether something has a name, if that is in the system's memory.
    func findCached(_ path: UnsafePointer<CChar>) -> CachedFile
    /// What is known of an open file.
    func status(ofOpen file: Int32, _ path: String) throws(FileFailure) -> FileStatus
    /// What is known of a name; nil when there is nothing.
    func status(of name: FileName) throws(FileFailure) -> FileStatus?
}

extension FileOperations {
    /// Unknown, so that the caller opens the folders one by one.
    func openPlain(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        throw FileFailure(operation: "open", path: name.path, code: ENOSYS)
    }

    /// Unknown, so that the caller reads on a thread that may wait.
    func readCached(
        _ path: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
    ) -> CachedFile { .unsupported }

    /// Unknown, so that the caller looks for it on a thread that may wait.
    func findCached(_ path: UnsafePointer<CChar>) -> CachedFile { .unsupported }
}

/// The name of a file: what it is called in a folder that is open.
struct FileName: Sendable {
    /// The descriptor of the folder; ``noFolder`` where the name is an absolute path.
    var folder: Int32
    /// The file's name in the folder.
    var name: String
    /// The path below the root of the store, for messages.
    var path: String

    /// Instead of the descriptor of a folder, beside an absolute path.
    static let noFolder = AT_FDCWD
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
    /// To use a folder: to name files in it, to list it, to flush its names.
    case folder
    /// The same for a folder that may be named by a symbolic link: the root of a store.
    case root
    /// To keep what a file takes on the disk while the descriptor is open, whatever becomes of its
    /// name.
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

/// What is known of a file.
struct FileStatus: Sendable, Hashable {
    /// What a file is.
    enum Kind: Sendable, Hashable {
        case file, folder, link, other

        /// The words for it in a message.
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
    /// Nanoseconds since 1970 of the last change of the content; of a folder, of a name in it.
    var modified: Int64
    /// The device that the file is on.
    var device: UInt64
    /// The file's number on its device.
    var number: UInt64
    /// The size in bytes.
    var size: Int64

    /// Whether it is the same file as another.
    func isFile(of other: FileStatus) -> Bool { number == other.number && device == other.device }
}
