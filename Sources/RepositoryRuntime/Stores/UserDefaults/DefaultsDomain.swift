internal import Foundation
internal import Synchronization

/// A domain of user defaults that several processes can change.
///
/// On Apple's systems, a daemon owns the values, and this class reads and writes them with
/// `UserDefaults` only.
///
/// On Linux, Foundation stores a domain in the file `<suite>.plist` in `XDG_CONFIG_HOME` or
/// `~/.config`. Every process reads the file once and later writes all of it, so that it overwrites
/// the changes of other processes; it truncates the file first. Therefore, on Linux:
///
/// - A change is made under a lock of all processes. It reads the current contents of the file,
///   changes them, and replaces the file by a rename, so that several values change atomically.
///   `UserDefaults` then reads the new file.
/// - A read uses `UserDefaults`, after it has loaded the newest file. It therefore also returns
///   values that the program has set but not saved.
/// - While another writer holds the lock and the file has changed, a read uses the file itself.
final class DefaultsDomain: Sendable {
    /// The file driver that provides the lock and the write counters.
    let files: FileDriver
    /// Accessed only under `threads`, because Foundation on Linux does not document that
    /// `UserDefaults` is thread-safe.
    private nonisolated(unsafe) let defaults: UserDefaults
    /// A single lock for all domains, because all objects for a suite share one cache of the
    /// process.
    private static let threads = NSRecursiveLock()
    /// The status of the file when `UserDefaults` last read it.
    private let seen = Mutex<FileStatus?>(nil)
    /// The contents of the file when it was last read or written under the lock. Only the holder of
    /// the lock accesses the value.
    private nonisolated(unsafe) var known: (status: FileStatus, domain: [String: Any])?
    /// Whether Foundation has returned a value written by this class, which proves that it uses
    /// this file. Only the holder of the lock accesses the value.
    private nonisolated(unsafe) var isFoundations = false
    /// The contents of the file when it was last read without Foundation and without the lock.
    private let peeked = Mutex<(status: FileStatus?, domain: [String: Any])?>(nil)
    /// The path of the domain's file; nil if a daemon owns the values.
    private let path: String?

    /// Creates a domain; the program's own domain if `suiteName` is nil.
    ///
    /// - Parameters:
    ///   - suiteName: The name of the suite; nil for the program's own domain.
    ///   - busyTimeout: How long a writer waits for the lock of another process or store.
    ///   - operations: The system calls for files.
    init(
        suiteName: String?, busyTimeout: Duration = .seconds(10),
        operations: any FileOperations = POSIXFileOperations()
    ) {
        // Foundation provides no second object for the program's own domain.
        defaults = suiteName.flatMap { UserDefaults(suiteName: $0) } ?? .standard
        let name = suiteName ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        let folder = DefaultsFolder.url(suiteName: suiteName)
        #if os(Linux)
            path =
                folder.appendingPathComponent(name + ".plist").resolvingSymlinksInPath()
                .path(percentEncoded: false)
        #else
            path = nil
        #endif
        files = FileDriver(
            root: folder.appendingPathComponent("swift-repositories")
                .appendingPathComponent(FileNamePart(name).encoded),
            formatExtension: "", providesStamps: true, busyTimeout: busyTimeout,
            operations: operations)
    }

    /// Returns the value of a key.
    ///
    /// On Linux, the cost is one `stat` of the file if it has not changed.
    func object(_ key: String) throws -> DefaultsValue? {
        guard try reloadIfChanged() else { return try newest { DefaultsValue($0[key]) } }
        return withDefaults { DefaultsValue($0.object(forKey: key)) }
    }

    /// Returns all keys.
    func keys() throws -> [String] {
        guard let path else { return withDefaults { Array($0.dictionaryRepresentation().keys) } }
        // A program that sets values itself rarely saves them explicitly. After `synchronize`, the
        // file contains all of them.
        let saved = try files.withLockIfFree { () -> [String] in
            reload()
            return Array(try stored(path).keys)
        }
        return try saved ?? newest { Array($0.keys) }
    }

    /// Returns the time of the file's last modification in nanoseconds since 1970, which shows
    /// writes of other programs. Returns 0 if there is no file.
    func external() throws(CRUDRepositoryError) -> Int64 {
        guard let path else { return 0 }
        return try files.filing { () throws(FileFailure) in
            try files.files.status(of: path)?.modified ?? 0
        }
    }

    /// Sets and removes values as one step. The caller holds the lock.
    ///
    /// - Throws: `databaseError` if the values could not be saved, or if the file is not a property
    ///   list.
    func change(_ values: [(key: String, data: Data?)]) throws {
        if let path {
            try replaceFile(path, values)
            reload()
            // Check that Foundation returns the new values. If it used another file, the change
            // would be invisible to all other code that uses the user defaults.
            if isFoundations { return }
            let isSeen = withDefaults { defaults in
                values.allSatisfy { defaults.data(forKey: $0.key) == $0.data }
            }
            isFoundations = isSeen && values.contains { $0.data != nil }
            if isSeen { return }
        }
        let isSaved = withDefaults { defaults in
            for (key, data) in values {
                if let data {
                    defaults.set(data, forKey: key)
                } else {
                    defaults.removeObject(forKey: key)
                }
            }
            return defaults.synchronize()
        }
        guard isSaved else {
            throw CRUDRepositoryError(.databaseError, "The user defaults could not be saved.")
        }
    }

    /// Runs a body with the `UserDefaults` object, under the lock of all domains.
    private func withDefaults<R>(_ body: (UserDefaults) -> R) -> R {
        Self.threads.lock()
        defer { Self.threads.unlock() }
        return body(defaults)
    }

    /// Replaces the file with its contents after a change. The caller holds the lock.
    private func replaceFile(_ path: String, _ values: [(key: String, data: Data?)]) throws {
        var domain = try stored(path)
        // Release the cached dictionary first; otherwise the first change would copy it.
        known = nil
        for (key, data) in values { domain[key] = data }
        let bytes = try DefaultsFileBytes.encode(domain)
        try files.filing { () throws(FileFailure) in
            let batch = try FileBatch(writing: bytes, to: path, files)
            try batch.prepare()
            _ = try batch.runSingle()
            if let status = try files.held.status(of: path) { known = (status, domain) }
        }
    }

    /// Returns the contents of the file, from memory if the file has not changed. The caller holds
    /// the lock.
    private func stored(_ path: String) throws -> [String: Any] {
        let status = try files.filing { () throws(FileFailure) in
            try files.files.status(of: path)
        }
        if let known, known.status == status { return known.domain }
        let domain = try contents(path)
        known = status.map { ($0, domain) }
        return domain
    }

    /// Reads and decodes the file. An absent or empty file contains no values.
    private func contents(_ path: String) throws -> [String: Any] {
        let bytes = try files.filing { () throws(FileFailure) in
            try files.files.contents(of: path)
        }
        guard let bytes, !bytes.isEmpty else { return [:] }
        do {
            let value = try PropertyListSerialization.propertyList(from: bytes, format: nil)
            if let domain = value as? [String: Any] { return domain }
            throw CocoaError(.propertyListReadCorrupt)
        } catch {
            // An empty result would let the next write destroy data that a person may still
            // recover.
            throw CRUDRepositoryError(
                .databaseError, "The file of the user defaults is no property list.",
                underlyingError: error)
        }
    }

    /// Lets Foundation read the file if it has changed since the last time. Returns false if
    /// another writer holds the lock.
    ///
    /// `synchronize` also saves the values that the program has set, which would race with other
    /// writers. It is therefore called under the lock.
    private func reloadIfChanged() throws -> Bool {
        guard let path else { return true }
        let status = try files.filing { () throws(FileFailure) in
            try files.files.status(of: path)
        }
        if status == seen.withLock({ $0 }), status != nil { return true }
        return try files.withLockIfFree { reload() } != nil
    }

    /// Passes the contents of the file itself to a body.
    ///
    /// Readers use it while a transaction holds the lock, because they must not wait for its end.
    /// The contents do not include values that the program has set but not saved.
    private func newest<R: Sendable>(_ body: ([String: Any]) -> R) throws -> R {
        guard let path else { return withDefaults { body($0.dictionaryRepresentation()) } }
        let status = try files.filing { () throws(FileFailure) in
            try files.files.status(of: path)
        }
        return try peeked.withLock { peeked in
            if peeked?.status != status || status == nil {
                peeked = (status, try contents(path))
            }
            return body(peeked?.domain ?? [:])
        }
    }

    /// Lets Foundation save its changes and read the file.
    private func reload() {
        guard let path else { return }
        // The return value does not show whether there was something to save.
        _ = withDefaults { $0.synchronize() }
        // If the status is unavailable, the next access reads the file again.
        let status = try? files.files.status(of: path)
        seen.withLock { $0 = status }
    }
}

/// A value of user defaults, as far as documents are concerned.
enum DefaultsValue: Sendable {
    /// A value of type `Data`.
    case data(Data)
    /// A value of another type, which the program has set itself.
    case other

    /// Creates a value; nil if there is none.
    init?(_ value: Any?) {
        guard let value else { return nil }
        self = (value as? Data).map(DefaultsValue.data) ?? .other
    }

    /// The bytes; nil for a value of another type.
    var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }
}
