internal import Foundation
internal import Synchronization

/// One domain of user defaults, with changes that are whole.
///
/// On Apple's systems a daemon owns the values, and `UserDefaults` is all there is to it. On Linux
/// Foundation keeps a domain in one file, `<suite>.plist` in `XDG_CONFIG_HOME` or `~/.config`,
/// which every process reads once and writes whole over what others wrote, by truncating it first.
/// So there each change is made under a lock of all processes to what the file holds at that
/// moment, and the file is replaced by a rename; `UserDefaults` is then told to read it anew. A
/// value is read from `UserDefaults`, once that has seen the newest file: what the program itself
/// has set there but not saved is seen too.
final class DefaultsDomain: Sendable {
    /// Where the lock and the counters of writes lie.
    let files: FileDriver
    /// Touched only under `threads`, because Linux does not say that it may be shared.
    private nonisolated(unsafe) let defaults: UserDefaults
    /// One for all domains: behind every object for a suite there is one cache of the process.
    private static let threads = NSRecursiveLock()
    private let seen = Mutex<FileStatus?>(nil)
    /// What the file held when it was last read or written under the lock; only who holds the lock
    /// touches it.
    private nonisolated(unsafe) var known: (status: FileStatus, domain: [String: Any])?
    /// Whether Foundation has shown what was written here: its file is this one. Only who holds the
    /// lock touches it.
    private nonisolated(unsafe) var isFoundations = false
    /// What the file held when it was last read past Foundation.
    private let peeked = Mutex<(status: FileStatus?, domain: [String: Any])?>(nil)
    /// The file of the domain; nil where a daemon owns the values.
    private let path: String?

    /// A domain; the program's own when `suiteName` is nil.
    init(
        suiteName: String?, busyTimeout: Duration = .seconds(10),
        operations: any FileOperations = POSIXFileOperations()
    ) {
        // Foundation has no second object for the program's own domain.
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
            formatExtension: "", keepsStamps: true, busyTimeout: busyTimeout,
            operations: operations)
    }

    /// The value of a key.
    func object(_ key: String) throws -> DefaultsValue? {
        guard try reloadIfChanged() else { return try newest { DefaultsValue($0[key]) } }
        return withDefaults { DefaultsValue($0.object(forKey: key)) }
    }

    /// All keys.
    func keys() throws -> [String] {
        guard let path else { return withDefaults { Array($0.dictionaryRepresentation().keys) } }
        // A program that sets values by hand seldom saves them itself; once they are saved, the
        // file holds all.
        let saved = try files.withLockIfFree { () -> [String] in
            reload()
            return Array(try stored(path).keys)
        }
        return try saved ?? newest { Array($0.keys) }
    }

    /// What shows that another program wrote: the time of the file's last change, 0 where there is
    /// no file.
    func external() throws(CRUDRepositoryError) -> Int64 {
        guard let path else { return 0 }
        return try files.filing { () throws(FileFailure) in
            try files.files.status(of: path)?.modified ?? 0
        }
    }

    /// Sets and removes values as one step; the lock is held.
    func change(_ values: [(key: String, data: Data?)]) throws {
        if let path {
            try replaceFile(path, values)
            reload()
            // Foundation is asked: were its file another one, the change would be invisible to
            // everybody else.
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

    private func withDefaults<R>(_ body: (UserDefaults) -> R) -> R {
        Self.threads.lock()
        defer { Self.threads.unlock() }
        return body(defaults)
    }

    private func replaceFile(_ path: String, _ values: [(key: String, data: Data?)]) throws {
        var domain = try stored(path)
        // Were it kept, adding to the dictionary would copy it.
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

    private func stored(_ path: String) throws -> [String: Any] {
        let status = try files.filing { () throws(FileFailure) in
            try files.files.status(of: path)
        }
        if let known, known.status == status { return known.domain }
        let domain = try contents(path)
        known = status.map { ($0, domain) }
        return domain
    }

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
            // Writing would lose what a person may still save.
            throw CRUDRepositoryError(
                .databaseError, "The file of the user defaults is no property list.",
                underlyingError: error)
        }
    }

    /// Reads the file anew when it is not the one seen last; false where somebody is writing.
    /// Saving what the program set would race with other writers, so that it is done under the
    /// lock.
    private func reloadIfChanged() throws -> Bool {
        guard let path else { return true }
        let status = try files.filing { () throws(FileFailure) in
            try files.files.status(of: path)
        }
        if status == seen.withLock({ $0 }), status != nil { return true }
        return try files.withLockIfFree { reload() } != nil
    }

    /// What the file itself holds: for readers while a transaction holds the lock, who must not
    /// wait for its end. What the program has set by hand and not saved is not in it.
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

    private func reload() {
        guard let path else { return }
        // What it returns is the same whether or not there was something to save.
        _ = withDefaults { $0.synchronize() }
        // A file that cannot be examined is read anew the next time.
        let status = try? files.files.status(of: path)
        seen.withLock { $0 = status }
    }
}

/// A value of user defaults, as far as it concerns documents.
enum DefaultsValue: Sendable {
    /// Bytes.
    case data(Data)
    /// Something else, which the program has set by hand.
    case other

    init?(_ value: Any?) {
        guard let value else { return nil }
        self = (value as? Data).map(DefaultsValue.data) ?? .other
    }

    /// The bytes.
    var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }
}
