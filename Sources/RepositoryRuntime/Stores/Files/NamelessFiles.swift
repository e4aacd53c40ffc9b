internal import Synchronization

/// Takes away the names of files at once, and gives back what the files took on the disk when
/// nobody waits any more: many file systems need as long for that as for writing them. A file that
/// is open keeps it.
final class NamelessFiles: Sendable {
    /// No more are open than a record and the pages of its indexes may be: descriptors are few.
    private static let limit = 16

    private let operations: any FileOperations
    private let held = Mutex<[Int32]>([])
    /// A thread of its own: the next write need not wait for it either.
    let queue = BlockingQueue(label: "EntityStore.files.space")

    init(_ operations: any FileOperations) { self.operations = operations }

    deinit { release() }

    /// Removes the last name of a file, which may not be there.
    func remove(_ path: String, _ files: StoreFiles) throws(FileFailure) {
        // One that cannot be opened gives its space back now.
        let file =
            held.withLock({ $0.count < Self.limit }) ? try? files.open(path, .hold) : nil
        if let file { held.withLock { $0.append(file) } }
        try files.unlinkIfPresent(path)
    }

    /// Gives back what is held, without waiting for it.
    func releaseLater() {
        if held.withLock(\.isEmpty) { return }
        queue.post { self.release() }
    }

    private func release() {
        // The descriptor is gone whatever closing says, and nothing was written through it.
        for file in held.withLock({ $0.take() }) { try? operations.close(file, "") }
    }
}

extension [Int32] {
    fileprivate mutating func take() -> [Int32] {
        defer { self = [] }
        return self
    }
}
