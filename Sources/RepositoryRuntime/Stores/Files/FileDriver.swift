internal import Foundation
internal import Synchronization

/// Documents as files, one each: atomic, durable, and safe between processes.
///
/// Writers hold the lock of `.repository/lock`, so that conditions and several files change as one step; whether a new
/// name is free is decided by the file system all the same. Readers take no lock: a file is replaced as a whole.
final class FileDriver: DocumentDriver {
    let layout: FileLayout
    let operations: any FileOperations
    /// Files without a name that the disk still keeps.
    let nameless: NamelessFiles
    let keepsStamps: Bool
    private let threads = NSRecursiveLock()
    /// How often the thread that holds `threads` has entered; only that thread touches it.
    private nonisolated(unsafe) var depth = 0
    private let hasCleaned = Atomic(false)
    /// Whether the system says what it has in memory.
    let knowsCache = Atomic(true)
    private let temporaryCount = Atomic(0)
    private let temporaryMark = String(UInt64.random(in: .min ... .max), radix: 36)

    /// Makes a driver.
    ///
    /// - Parameters:
    ///   - root: the folder, made by the first write.
    ///   - formatExtension: the ending of the files, without a dot.
    ///   - keepsStamps: whether changes are counted, for what is derived from the documents.
    init(
        root: URL, formatExtension: String, keepsStamps: Bool,
        operations: any FileOperations = POSIXFileOperations()
    ) {
        layout = FileLayout(root: root, formatExtension: formatExtension, operations: operations)
        self.operations = operations
        nameless = NamelessFiles(operations)
        self.keepsStamps = keepsStamps
    }

    let name = "files"
    let isDurable = true

    /// A path for a file that no reader sees, on the same file system as the documents.
    func temporaryPath() -> String {
        let count = temporaryCount.add(1, ordering: .relaxed).newValue
        return "\(layout.ownFolder)/tmp-\(temporaryMark)-\(count)"
    }

    func withLock<R>(_ body: () throws -> R) throws -> R {
        threads.lock()
        defer { threads.unlock() }
        if depth > 0 { return try body() }
        let file = try filing { () throws(FileFailure) in
            while true {
                if let file = try takeLock(waits: true) { return file }
            }
        }
        return try holding(file, body)
    }

    /// Does the same where nobody else holds the lock; otherwise nothing.
    func withLockIfFree<R>(_ body: () throws -> R) throws -> R? {
        guard threads.try() else { return nil }
        defer { threads.unlock() }
        if depth > 0 { return try body() }
        let file = try filing { () throws(FileFailure) in try takeLock(waits: false) }
        return try file.map { try holding($0, body) }
    }

    private var lockPath: String { layout.ownFolder + "/lock" }

    private func holding<R>(_ file: Int32, _ body: () throws -> R) throws -> R {
        depth += 1
        defer { depth -= 1 }
        defer {
            // The lock goes with the descriptor, whatever closing says.
            try? operations.close(file, lockPath)
        }
        try filing { () throws(FileFailure) in
            try FileBatch.recover(self)
            try removeStaleFiles()
        }
        return try body()
    }

    /// The descriptor that holds the lock; nil where it is of no use, or somebody else holds it.
    private func takeLock(waits: Bool) throws(FileFailure) -> Int32? {
        let path = lockPath
        let file = try openLock(path)
        do throws(FileFailure) {
            var isTaken = true
            if waits {
                try operations.lock(file, path)
            } else {
                isTaken = try operations.tryLock(file, path)
            }
            // Somebody may have removed the folder since: then others lock another file of this name.
            if isTaken, try operations.isOpen(file, at: path) { return file }
        } catch {
            try? operations.close(file, path)
            throw error
        }
        try operations.close(file, path)
        return nil
    }

    private func openLock(_ path: String) throws(FileFailure) -> Int32 {
        do throws(FileFailure) {
            return try operations.open(path, .update)
        } catch {
            if error.code != ENOENT { throw error }
            try operations.makeFolders(layout.ownFolder)
            return try operations.open(path, .update)
        }
    }

    /// Temporary files live only under the lock: what is there when it is taken was left by a program that died.
    private func removeStaleFiles() throws(FileFailure) {
        if hasCleaned.load(ordering: .relaxed) { return }
        for name in try operations.names(in: layout.ownFolder) where name.hasPrefix("tmp-") {
            try operations.unlinkIfPresent(layout.ownFolder + "/" + name)
        }
        hasCleaned.store(true, ordering: .relaxed)
    }

    func apply(_ change: DocumentChange) throws -> Bool {
        try filing(change.key, change.collection) { () throws(FileFailure) in
            let place = try layout.existing(change.key, in: change.collection)
            switch change.condition {
            case .absent where place != nil: return false
            case .present where place == nil: return false
            default: break
            }
            if change.data == nil, place == nil { return true }
            let batch = try FileBatch([change], at: [place], self)
            try batch.prepare()
            return try counted([change], batch) { () throws(FileFailure) in try batch.runSingle() }
        }
    }

    func applyAll(_ changes: [DocumentChange]) throws {
        guard !changes.isEmpty else { return }
        try filing { () throws(FileFailure) in
            var places: [FilePlace?] = []
            places.reserveCapacity(changes.count)
            for change in changes {
                places.append(try layout.existing(change.key, in: change.collection))
            }
            let batch = try FileBatch(changes, at: places, self)
            try batch.prepare()
            try counted(changes, batch) { () throws(FileFailure) in try batch.runAll() }
        }
    }

    /// Taking the lock has done it.
    func recover() {}

    func tidyUp() { nameless.releaseLater() }

    /// Counts changes that are prepared: the count is odd no longer than documents take their places.
    private func counted<R>(
        _ changes: [DocumentChange], _ batch: FileBatch, _ body: () throws(FileFailure) -> R
    ) throws(FileFailure) -> R {
        guard keepsStamps else { return try body() }
        let writes: [FileCounter.Write]
        do throws(FileFailure) {
            writes = try begin(Set(changes.map(\.collection)))
        } catch {
            batch.tidy()
            throw error
        }
        defer { end(writes) }
        return try body()
    }

    /// Counts a change that somebody else makes to collections kept elsewhere; the lock is held.
    func counting<R>(_ collections: Set<String>, _ body: () throws -> R) throws -> R {
        let writes = try filing { () throws(FileFailure) in try begin(collections) }
        defer { end(writes) }
        return try body()
    }

    private func begin(_ collections: Set<String>) throws(FileFailure) -> [FileCounter.Write] {
        var writes: [FileCounter.Write] = []
        do throws(FileFailure) {
            // What is derived from records is counted with them.
            for collection in collections where DocumentIndexNames.table(of: collection) == nil {
                writes.append(try FileCounter(collection, layout, operations).begin())
            }
        } catch {
            end(writes)
            throw error
        }
        return writes
    }

    /// A counter that stays odd only makes others read anew.
    private func end(_ writes: [FileCounter.Write]) {
        for write in writes { try? write.end() }
    }

    /// The count of the writes to a collection; nil while one is under way.
    func generation(of collection: String) throws -> UInt64? {
        try filing { () throws(FileFailure) in
            try FileCounter(collection, layout, operations).value()
        }
    }

    /// Runs file operations and gives their failures the words of the store.
    func filing<R>(
        _ key: String? = nil, _ collection: String? = nil, _ body: () throws(FileFailure) -> R
    ) throws(CRUDRepositoryError) -> R {
        do throws(FileFailure) {
            return try body()
        } catch {
            throw error.error(id: key, table: collection == "" ? nil : collection)
        }
    }
}
