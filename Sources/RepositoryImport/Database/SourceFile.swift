internal import CSQLite
#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An SQLite database file, opened so that neither it nor the files beside it change.
///
/// A database with a rollback journal is opened read only. A database with a write-ahead log is
/// opened
/// - as an immutable file if the log is missing or empty, and nobody else has it open,
/// - without write access to its shared memory if that exists,
/// - as a copy in a temporary folder otherwise, because SQLite would create the shared memory.
final class SourceFile {
    /// The connection.
    let handle: OpaquePointer
    /// The path of the database, with symbolic links resolved.
    private let path: String
    /// The temporary folder of the copy, if there is one.
    private let copy: TemporaryFolder?
    /// The sizes and times of the files when the database was opened; `nil` if SQLite's locks make
    /// that what is read is consistent.
    private let stamps: [FileStamp?]?

    /// Opens a database.
    ///
    /// - Parameter given: the path of the file.
    /// - Throws: ``ImportProblem`` if the file is missing, is no database, or cannot be read without
    ///   changing it.
    init(_ given: String) throws(ImportProblem) {
        guard let resolved = realpath(given, nil) else {
            throw ImportProblem(path: given, reason: "there is no such file")
        }
        path = String(cString: resolved)
        free(resolved)
        guard let own = FileStamp(path), own.isFile else {
            throw ImportProblem(path: given, reason: "is not a file")
        }
        guard try Self.hasLog(path, given) else {
            copy = nil
            stamps = nil
            handle = try Self.open(path, "mode=ro", given)
            return
        }
        let log = FileStamp(path + "-wal")
        guard let log, log.size > 0 else {
            copy = nil
            stamps = [own, log]
            handle = try Self.open(path, "immutable=1", given)
            return
        }
        if FileStamp(path + "-shm") != nil,
            let shared = try? Self.open(path, "mode=ro&readonly_shm=1", given)
        {
            handle = shared
            copy = nil
            stamps = nil
            return
        }
        let folder = try TemporaryFolder(given)
        for suffix in ["", "-wal"] {
            try folder.copy(path + suffix, as: "copy\(suffix)", given)
        }
        copy = folder
        stamps = [own, log]
        handle = try Self.open(folder.path + "/copy", "mode=rw", given)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Checks that the files are those that were opened, unless SQLite's locks make sure of it.
    ///
    /// - Throws: ``ImportProblem`` if another program has written them in the meantime.
    func checkUnchanged(_ given: String) throws(ImportProblem) {
        guard let stamps, [FileStamp(path), FileStamp(path + "-wal")] != stamps else { return }
        throw ImportProblem(
            path: given, reason: "was written by another program while it was read; import it again"
        )
    }

    /// The number of steps of SQLite's virtual machine, in millions, after which the code of a view
    /// is given up: some seconds.
    private static let patience = 300

    /// Runs queries that code of the database computes, for a limited time.
    ///
    /// - Throws: the error of `body`; ``ImportProblem`` if it takes too long.
    func limited<R>(
        path: String, _ body: () throws(ImportProblem) -> R
    ) throws(ImportProblem) -> R {
        let count = StepCount()
        // The handler is removed before the count is released.
        sqlite3_progress_handler(
            handle, 1_000_000,
            { context in
                guard let context else { return 0 }
                let count = Unmanaged<StepCount>.fromOpaque(context).takeUnretainedValue()
                count.steps += 1
                return count.steps > SourceFile.patience ? 1 : 0
            }, Unmanaged.passUnretained(count).toOpaque())
        defer {
            sqlite3_progress_handler(handle, 0, nil, nil)
            withExtendedLifetime(count) {}
        }
        do throws(ImportProblem) {
            return try body()
        } catch {
            guard count.steps > Self.patience else { throw error }
            throw ImportProblem(path: path, reason: "takes too long to read")
        }
    }

    /// Returns whether a database has a write-ahead log, according to its header.
    ///
    /// - Throws: ``ImportProblem`` if the file is no database.
    private static func hasLog(_ path: String, _ given: String) throws(ImportProblem) -> Bool {
        guard let file = fopen(path, "rb") else {
            throw ImportProblem(
                path: given, reason: "cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = fread(&bytes, 1, bytes.count, file)
        guard count == bytes.count, bytes.starts(with: Array("SQLite format 3".utf8)) else {
            throw ImportProblem(
                path: given,
                reason: count == 0 ? "is empty" : "is no SQLite database, or is encrypted")
        }
        // The versions of the format for writing and reading: 2 with a write-ahead log.
        return bytes[18] == 2 || bytes[19] == 2
    }

    /// Opens a file with parameters of SQLite's URIs, and reads its schema.
    private static func open(
        _ path: String, _ parameters: String, _ given: String
    ) throws(ImportProblem) -> OpaquePointer {
        var uri = "file:"
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                0x30...0x39, 0x41...0x5A, 0x61...0x7A:
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                uri += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        uri += "?" + parameters
        let access =
            parameters == "mode=rw" ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        var opened: OpaquePointer?
        var code = sqlite3_open_v2(
            uri, &opened, access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else {
            throw ImportProblem(path: given, reason: "cannot be opened: out of memory")
        }
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, 5_000)
        if code == SQLITE_OK {
            // What the file declares is not trusted: its functions and tables run no code.
            code = sqlite3_exec(
                opened,
                "PRAGMA trusted_schema=OFF; PRAGMA query_only=ON; BEGIN; SELECT count(*) FROM sqlite_schema",
                nil, nil, nil)
        }
        guard code == SQLITE_OK else {
            let reason =
                code & 0xFF == SQLITE_READONLY
                ? "another program ended while it wrote it; open it once with that program"
                : "cannot be read: \(String(cString: sqlite3_errmsg(opened)))"
            sqlite3_close_v2(opened)
            throw ImportProblem(path: given, reason: reason)
        }
        return opened
    }
}

/// Counts the steps of a query, in millions.
private final class StepCount {
    var steps = 0
}

/// The size and the time of the last change of a file.
struct FileStamp: Equatable {
    let size: Int
    let isFile: Bool
    private let seconds: Int
    private let nanoseconds: Int

    /// Returns `nil` if there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        size = Int(status.st_size)
        isFile = status.st_mode & S_IFMT == S_IFREG
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }
}
