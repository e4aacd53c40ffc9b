internal import Foundation
internal import Synchronization

/// A driver that stores each document in a file of its own.
///
/// A write is atomic and durable. Writers of all processes hold the lock `.repository/lock`, so
/// that checking a condition and changing several files is one step. The file system additionally
/// guarantees that a new document does not replace a file that another program created meanwhile.
/// Readers take no lock, because a file is always replaced as a whole.
///
/// Within a process, the recursive lock `threads` serializes the writers. The properties marked
/// `nonisolated(unsafe)` belong to the thread that holds it.
final class FileDriver: DocumentDriver, DescriptorKeeper {
    /// The paths of the documents.
    let layout: FileLayout
    /// The files as used by readers, which hold no lock and keep no folders open.
    let read: StoreFiles
    /// The files as used by the writer that holds the lock, which keeps folders open.
    let held: StoreFiles
    /// How long a writer waits for the lock of another process or store.
    let busyTimeout: Duration
    /// The removed files whose disk space has not been released yet.
    let nameless: NamelessFiles
    let providesStamps: Bool
    /// The temporary folders with what a migration has left beside the documents.
    let besideRemoved = Mutex<[String]>([])
    let descriptionWatch = DescriptionWatch()
    /// The status of the mapped file of ``descriptionWatch``. Only the thread that holds `threads`
    /// accesses it.
    nonisolated(unsafe) var watchedDescription: FileStatus?
    /// Serializes the writers of this driver, before the lock of all processes is taken.
    private let threads = NSRecursiveLock()
    /// How often the thread that holds `threads` has entered ``withLock(_:)``. Only that thread
    /// accesses the value.
    private nonisolated(unsafe) var depth = 0
    /// The lock of all processes. Only the thread that holds `threads` accesses it.
    private nonisolated(unsafe) let lock: StoreLock
    /// The time limit of the current writer. Only the thread that holds `threads` accesses it.
    private(set) nonisolated(unsafe) var waiting = LockWaiting(limit: .zero)
    /// A wait for the lock of the batches that an earlier writer gave up. Only the thread that
    /// holds `threads` accesses it.
    nonisolated(unsafe) var batchWait: BatchWait?
    /// Whether ``OpenDescriptors`` counts the descriptors of this driver. Only the thread that
    /// holds `threads` accesses it.
    private nonisolated(unsafe) var isCounted = false
    /// Whether the driver was used since ``closeIdleDescriptors(sparing:)`` was called. Only the
    /// thread that holds `threads` accesses it.
    private nonisolated(unsafe) var wasUsed = false
    /// Whether a thread takes or holds the lock. Only the thread that holds `threads` accesses it.
    private nonisolated(unsafe) var isInUse = false
    /// The thread that holds the lock; 0 if none does.
    private let holder = Atomic<UInt>(0)
    /// Whether this driver has removed the temporary files of earlier processes.
    private let hasCleaned = Atomic(false)
    /// Whether the system can read from its page cache without blocking. Set to false after the
    /// first ``CachedFile/unsupported``.
    let knowsCache = Atomic(true)
    /// The number of temporary paths used.
    private let temporaryCount = Atomic(0)
    /// The random part in the names of the temporary files of this driver, after the prefix. It
    /// differs from that of every other driver.
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    /// The prefix of the names of temporary files.
    static let temporaryPrefix = "tmp-"

    /// Creates a driver.
    ///
    /// - Parameters:
    ///   - root: The folder, which the first write creates.
    ///   - formatExtension: The file name extension, without a dot.
    ///   - providesStamps: Whether writes are counted, so that readers can detect the writes of
    ///     other processes.
    ///   - busyTimeout: How long a writer waits for the lock of another process or store.
    ///   - operations: The system calls.
    init(
        root: URL, formatExtension: String, providesStamps: Bool,
        busyTimeout: Duration = .seconds(10),
        operations: any FileOperations = POSIXFileOperations()
    ) {
        layout = FileLayout(root: root, formatExtension: formatExtension)
        read = StoreFiles(root: layout.root, operations: operations, keepsFolders: false)
        held = StoreFiles(root: layout.root, operations: operations, keepsFolders: true)
        lock = StoreLock(held, layout)
        self.busyTimeout = busyTimeout
        nameless = NamelessFiles(operations)
        self.providesStamps = providesStamps
        OpenDescriptors.shared.add(self)
    }

    deinit {
        if isCounted { OpenDescriptors.shared.didClose(Self.keptDescriptors) }
    }

    /// The system calls.
    var operations: any FileOperations { read.operations }

    /// The files for the calling thread: those with open folders if the thread holds the lock.
    var files: StoreFiles {
        holder.load(ordering: .relaxed) == Self.currentThread ? held : read
    }

    /// An identifier of the calling thread, other than 0.
    private static var currentThread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    let name = "files"
    let isDurable = true

    /// Returns a new path for a temporary file, which no reader sees. It is on the same file system
    /// as the documents, so that it can be renamed to one.
    func temporaryPath() -> String {
        let count = temporaryCount.add(1, ordering: .relaxed).newValue
        return "\(layout.ownFolder)/\(Self.temporaryPrefix)\(mark)-\(count)"
    }

    /// Runs a body under the lock. Can be called again from the body.
    func withLock<R>(_ body: () throws -> R) throws -> R {
        try withLock(nil, body)
    }

    /// Runs a body under the lock, unless the task is cancelled while it waits for the lock.
    func withLock<R>(_ cancellation: CancellationFlag, _ body: () throws -> R) throws -> R {
        try cancellation.check()
        return try withLock(cancellation as CancellationFlag?, body)
    }

    /// Takes the lock of this driver and then, if this is the outermost call, the lock of all
    /// processes.
    private func withLock<R>(
        _ cancellation: CancellationFlag?, _ body: () throws -> R
    ) throws -> R {
        try lockThreads(cancellation)
        defer { threads.unlock() }
        if depth > 0 { return try body() }
        use()
        defer { isInUse = false }
        waiting = LockWaiting(limit: busyTimeout, cancellation)
        _ = try cancellable { () throws(FileFailure) in try lock.take(waiting) }
        return try holding(body)
    }

    /// Runs file operations that may wait for a lock.
    ///
    /// - Throws: `CancellationError` if the task was cancelled during the wait, otherwise the
    ///   failure as a `CRUDRepositoryError`.
    func cancellable<R>(_ body: () throws(FileFailure) -> R) throws -> R {
        do throws(FileFailure) {
            return try body()
        } catch {
            // No system call returns `ECANCELED`; only a cancelled wait does.
            if error.code == ECANCELED { throw CancellationError() }
            throw error.error(in: layout.root)
        }
    }

    /// Writes into the lock file whether this process, which holds the lock, migrates the data.
    func noteHolder(isMigrating: Bool) { lock.noteHolder(isMigrating: isMigrating) }

    /// Whether the lock that this process holds is still the lock of the store's folder.
    func isLockInPlace() throws(FileFailure) -> Bool { try lock.isInPlace() }

    /// Locks out the other threads that use this driver. The thread of an open transaction holds
    /// the lock until the transaction ends.
    private func lockThreads(_ cancellation: CancellationFlag?) throws {
        guard let cancellation else { return threads.lock() }
        if threads.try() { return }
        while !threads.lock(before: Date(timeIntervalSinceNow: 0.01)) { try cancellation.check() }
    }

    /// The failure of a reader that waited until its time limit for the writer that holds the lock.
    func busy(_ waiting: LockWaiting) -> FileFailure {
        // If the description cannot be read, the holder is unknown.
        waiting.busy(lock.path, holder: LockHolder.text((try? read.contents(of: lock.path)) ?? nil))
    }

    /// Runs a body under the lock if no other thread or process holds it. Otherwise returns nil
    /// without waiting.
    ///
    /// If the calling thread already holds the lock, the body runs immediately.
    func withLockIfFree<R>(_ body: () throws -> R) throws -> R? {
        guard threads.try() else { return nil }
        defer { threads.unlock() }
        if depth > 0 { return try body() }
        use()
        defer { isInUse = false }
        waiting = LockWaiting(limit: busyTimeout)
        let isTaken = try filing { () throws(FileFailure) in try lock.take(nil) }
        return isTaken ? try holding(body) : nil
    }

    /// The number of descriptors that stay open between writes: the lock and two folders.
    private static let keptDescriptors = 3

    /// Begins the use of the lock, and counts its descriptors if they are opened.
    private func use() {
        (isInUse, wasUsed) = (true, true)
        if isCounted { return }
        isCounted = true
        OpenDescriptors.shared.willOpen(Self.keptDescriptors)
    }

    /// Closes the lock and the folders, after the writer of this driver that holds the lock.
    func close() {
        threads.lock()
        defer { threads.unlock() }
        closeKept()
        nameless.close()
    }

    /// Closes the lock and the folders unless a writer of this driver uses them.
    func closeIdleDescriptors(sparing: Bool) {
        // The thread that takes the lock may call this method itself.
        guard threads.try() else { return }
        defer { threads.unlock() }
        guard isCounted, !isInUse else { return }
        defer { wasUsed = false }
        if sparing, wasUsed { return }
        closeKept()
    }

    /// Closes the lock and the folders. The thread holds `threads`.
    private func closeKept() {
        lock.close()
        guard isCounted else { return }
        isCounted = false
        OpenDescriptors.shared.didClose(Self.keptDescriptors)
    }

    /// Runs a body after the lock has been taken, and then releases the lock.
    ///
    /// First undoes an unfinished batch and removes the temporary files of earlier processes. After
    /// the body, closes all folders except the root and the store's own folder.
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

    /// Removes the temporary files of processes that ended, once per driver.
    ///
    /// Temporary files exist only while their writer holds the lock. Those that exist when the lock
    /// is taken belong to a process that ended. A file that cannot be removed does no harm; the
    /// next program tries again.
    private func removeStaleFiles() {
        if hasCleaned.exchange(true, ordering: .relaxed) { return }
        let names = try? held.namesIfPresent(in: layout.ownFolder)
        for name in names ?? [] where name.utf8.starts(with: Self.temporaryPrefix.utf8) {
            try? removeTree(layout.ownFolder + "/" + name)
        }
    }

    /// Checks the condition and makes the change, under the lock.
    ///
    /// For a new document, the file system checks again that the name is free: a program that takes
    /// no lock may have created the file.
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

    /// Performs the changes as one ``FileBatch``. Ignores their conditions.
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

    /// Does nothing: ``withLock(_:)`` has already undone an unfinished batch.
    func recover() {}

    /// Releases the disk space of replaced and removed files in the background.
    func performDeferredCleanup() {
        nameless.releaseLater()
        let folders = besideRemoved.withLock { folders in
            defer { folders = [] }
            return folders
        }
        if folders.isEmpty { return }
        nameless.queue.post { [self] in
            // What remains of a temporary folder is removed by the next program.
            for folder in folders { try? removeTree(folder, read) }
        }
    }

    /// Performs a prepared batch as a counted write. The count is odd only while documents are
    /// renamed to their final names.
    private func counted<R>(
        _ changes: [DocumentChange], _ batch: FileBatch, _ body: () throws(FileFailure) -> R
    ) throws(FileFailure) -> R {
        guard providesStamps else { return try body() }
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

    /// Counts a write to collections that another component stores and performs, such as user
    /// defaults. The lock is held.
    func counting<R>(_ collections: Set<String>, _ body: () throws -> R) throws -> R {
        let writes = try filing { () throws(FileFailure) in try begin(collections) }
        defer { end(writes) }
        return try body()
    }

    /// Marks the start of a write to collections.
    private func begin(_ collections: Set<String>) throws(FileFailure) -> [FileCounter.Write] {
        var writes: [FileCounter.Write] = []
        do throws(FileFailure) {
            // The documents of an index are counted with the table of their records.
            for collection in collections where DocumentIndexNames.table(of: collection) == nil {
                writes.append(try FileCounter(collection, layout, held).begin())
            }
        } catch {
            end(writes)
            throw error
        }
        return writes
    }

    /// Marks the end of writes. Errors are ignored: if a count stays odd, readers only repeat their
    /// reads.
    private func end(_ writes: [FileCounter.Write]) {
        for write in writes { try? write.end() }
    }

    /// Returns the write count of a collection; nil during a write.
    func generation(of collection: String) throws -> UInt64? {
        try filing { () throws(FileFailure) in
            try FileCounter(collection, layout, files).value()
        }
    }

    /// Runs file operations and converts their failures to errors of the store.
    func filing<R>(
        _ key: String? = nil, _ collection: String? = nil, _ body: () throws(FileFailure) -> R
    ) throws(CRUDRepositoryError) -> R {
        do throws(FileFailure) {
            return try body()
        } catch {
            throw error.error(
                in: layout.root, id: key, table: collection == "" ? nil : collection)
        }
    }
}
