internal import Foundation
internal import Synchronization

/// Documents as files, one each: atomic, durable, and safe between processes.
///
/// Writers hold the lock of `.repository/lock`, so that conditions and several files change as one
/// step; whether a new name is free is decided by the file system all the same. Readers take no
/// lock: a file is replaced as a whole.
final class FileDriver: DocumentDriver {
    let layout: FileLayout
    /// The files as readers see them, who hold no lock.
    let read: StoreFiles
    /// The files as the writer uses them that holds the lock.
    let held: StoreFiles
    /// How long a writer waits for the lock of another process or store.
    let busyTimeout: Duration
    /// Files without a name that the disk still keeps.
    let nameless: NamelessFiles
    let keepsStamps: Bool
    private let threads = NSRecursiveLock()
    /// How often the thread that holds `threads` has entered; only that thread touches it.
    private nonisolated(unsafe) var depth = 0
    /// The lock of all processes; only the thread that holds `threads` touches it.
    private nonisolated(unsafe) let lock: StoreLock
    /// How long the present writer waits; only the thread that holds `threads` touches it.
    private(set) nonisolated(unsafe) var waiting = LockWaiting(limit: .zero)
    /// The wait for the lock of batches that an earlier writer gave up; only the thread that holds
    /// `threads` touches it.
    nonisolated(unsafe) var batchWait: BatchWait?
    /// The thread that holds the lock; 0 where none does.
    private let holder = Atomic<UInt>(0)
    private let hasCleaned = Atomic(false)
    /// Whether the system says what it has in memory.
    let knowsCache = Atomic(true)
    private let temporaryCount = Atomic(0)
    /// What the names of this driver's temporary files begin with, after the prefix: no other
    /// driver has the same.
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    /// What the names of temporary files begin with.
    static let temporaryPrefix = "tmp-"

    /// Makes a driver.
    ///
    /// - Parameters:
    ///   - root: the folder, made by the first write.
    ///   - formatExtension: the ending of the files, without a dot.
    ///   - keepsStamps: whether changes are counted, for what is derived from the documents.
    ///   - busyTimeout: how long a writer waits for the lock of another process or store.
    init(
        root: URL, formatExtension: String, keepsStamps: Bool,
        busyTimeout: Duration = .seconds(10),
        operations: any FileOperations = POSIXFileOperations()
    ) {
        layout = FileLayout(root: root, formatExtension: formatExtension)
        read = StoreFiles(root: layout.root, operations: operations, keepsFolders: false)
        held = StoreFiles(root: layout.root, operations: operations, keepsFolders: true)
        lock = StoreLock(held, layout)
        self.busyTimeout = busyTimeout
        nameless = NamelessFiles(operations)
        self.keepsStamps = keepsStamps
    }

    /// The system calls.
    var operations: any FileOperations { read.operations }

    /// The files for the calling thread: with open folders where it holds the lock.
    var files: StoreFiles {
        holder.load(ordering: .relaxed) == Self.currentThread ? held : read
    }

    private static var currentThread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    let name = "files"
    let isDurable = true

    /// A path for a file that no reader sees, on the same file system as the documents.
    func temporaryPath() -> String {
        let count = temporaryCount.add(1, ordering: .relaxed).newValue
        return "\(layout.ownFolder)/\(Self.temporaryPrefix)\(mark)-\(count)"
    }

    func withLock<R>(_ body: () throws -> R) throws -> R {
        try withLock(nil, body)
    }

    func withLock<R>(_ cancellation: CancellationFlag, _ body: () throws -> R) throws -> R {
        try cancellation.check()
        return try withLock(cancellation as CancellationFlag?, body)
    }

    private func withLock<R>(
        _ cancellation: CancellationFlag?, _ body: () throws -> R
    ) throws -> R {
        try lockThreads(cancellation)
        defer { threads.unlock() }
        if depth > 0 { return try body() }
        waiting = LockWaiting(limit: busyTimeout, cancellation)
        _ = try cancellable { () throws(FileFailure) in try lock.take(waiting) }
        return try holding(body)
    }

    /// Runs file operations that may wait for a lock.
    ///
    /// - Throws: `CancellationError` where the task was cancelled while it waited.
    private func cancellable<R>(_ body: () throws(FileFailure) -> R) throws -> R {
        do throws(FileFailure) {
            return try body()
        } catch {
            // No other call of the system is ever cancelled.
            if error.code == ECANCELED { throw CancellationError() }
            throw error.error()
        }
    }

    /// Keeps out the other threads that use this driver: the one of an open transaction, for as
    /// long as that lasts.
    private func lockThreads(_ cancellation: CancellationFlag?) throws {
        guard let cancellation else { return threads.lock() }
        if threads.try() { return }
        while !threads.lock(before: Date(timeIntervalSinceNow: 0.01)) { try cancellation.check() }
    }

    /// The failure of a reader that waited for the writer that holds the lock.
    func busy(_ waiting: LockWaiting) -> FileFailure {
        // A holder that cannot be read is one that is not known.
        waiting.busy(lock.path, holder: LockHolder.text((try? read.contents(of: lock.path)) ?? nil))
    }

    /// Does the same where nobody else holds the lock; otherwise nothing.
    func withLockIfFree<R>(_ body: () throws -> R) throws -> R? {
        guard threads.try() else { return nil }
        defer { threads.unlock() }
        if depth > 0 { return try body() }
        waiting = LockWaiting(limit: busyTimeout)
        let isTaken = try filing { () throws(FileFailure) in try lock.take(nil) }
        return isTaken ? try holding(body) : nil
    }

    private func holding<R>(_ body: () throws -> R) throws -> R {
        depth += 1
        holder.store(Self.currentThread, ordering: .relaxed)
        defer {
            holder.store(0, ordering: .relaxed)
            depth -= 1
            held.closeFolders(keeping: ["", layout.ownFolder])
            lock.release()
        }
        try cancellable { () throws(FileFailure) in try FileBatch.recover(self, waiting) }
        removeStaleFiles()
        return try body()
    }

    /// Temporary files live only under the lock: what is there when it is taken was left by a
    /// program that died.
    ///
    /// What cannot be removed is in nobody's way: it is left to the next program.
    private func removeStaleFiles() {
        if hasCleaned.exchange(true, ordering: .relaxed) { return }
        let names = try? held.namesIfPresent(in: layout.ownFolder)
        for name in names ?? [] where name.utf8.starts(with: Self.temporaryPrefix.utf8) {
            try? remove(layout.ownFolder + "/" + name)
        }
    }

    /// Removes a file, or a folder with all that is in it, without following a link.
    private func remove(_ path: String) throws(FileFailure) {
        var folders: [String] = []
        var emptied: [String] = []
        func removeOrNote(_ path: String) throws(FileFailure) {
            do throws(FileFailure) {
                try held.unlinkIfPresent(path)
            } catch {
                guard try held.status(of: path)?.kind == .folder else { throw error }
                folders.append(path)
            }
        }
        try removeOrNote(path)
        while let folder = folders.popLast() {
            for name in try held.namesIfPresent(in: folder) {
                let inner = folder + "/" + name
                if try held.status(of: inner)?.kind == .folder {
                    // A folder in a folder is moved up: so no path grows, however deep they lie in
                    // each other.
                    let moved = temporaryPath()
                    held.forgetFolder(inner)
                    try held.rename(inner, to: moved)
                    folders.append(moved)
                } else {
                    try held.unlinkIfPresent(inner)
                }
            }
            emptied.append(folder)
        }
        for folder in emptied { try held.removeFolder(folder) }
    }

    func apply(_ change: DocumentChange) throws -> Bool {
        try filing(change.key, change.collection) { () throws(FileFailure) in
            let place = try layout.existing(
                change.key, in: change.collection, held, mustBeFile: change.condition != .absent)
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
        var places: [FilePlace?] = []
        places.reserveCapacity(changes.count)
        for change in changes {
            places.append(
                try filing(change.key, change.collection) { () throws(FileFailure) in
                    try layout.existing(
                        change.key, in: change.collection, held, mustBeFile: true)
                })
        }
        try cancellable { () throws(FileFailure) in
            let batch = try FileBatch(changes, at: places, self)
            try batch.prepare()
            try counted(changes, batch) { () throws(FileFailure) in try batch.runAll() }
        }
    }

    /// Taking the lock has done it.
    func recover() {}

    func tidyUp() { nameless.releaseLater() }

    /// Counts changes that are prepared: the count is odd no longer than documents take their
    /// places.
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
                writes.append(try FileCounter(collection, layout, held).begin())
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
            try FileCounter(collection, layout, files).value()
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
