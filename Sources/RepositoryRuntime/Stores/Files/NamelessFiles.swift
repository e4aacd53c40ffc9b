internal import Synchronization

/// Removes files without waiting for their disk space to be released.
///
/// On many file systems, releasing the space of a file takes as long as writing the file. An open
/// descriptor delays the release after the last name is removed. This class opens a file before it
/// removes the name, and closes the descriptor later on a thread of its own.
final class NamelessFiles: Sendable {
    /// The maximum number of open files: about a record and the pages of its indexes. A process may
    /// open only a limited number of files.
    private static let limit = 16

    private let operations: any FileOperations
    /// The descriptors of the files whose space has not been released yet.
    private let held = Mutex<[Int32]>([])
    /// A separate queue, so that the next write does not wait for the release either.
    let queue = BlockingQueue(label: "EntityStore.files.space")

    init(_ operations: any FileOperations) { self.operations = operations }

    deinit { release() }

    /// Removes the last name of a file, if the file exists. The space is released by
    /// ``releaseLater()``.
    func remove(_ path: String, _ files: StoreFiles) throws(FileFailure) {
        // If the file cannot be opened, removing its name releases the space immediately.
        let file =
            held.withLock({ $0.count < Self.limit }) ? try? files.open(path, .hold) : nil
        if let file { held.withLock { $0.append(file) } }
        try files.unlinkIfPresent(path)
    }

    /// Releases the space of the removed files in the background.
    func releaseLater() {
        if held.withLock(\.isEmpty) { return }
        queue.post { self.release() }
    }

    /// Releases the space of the removed files, and waits for earlier releases.
    func close() {
        queue.drain()
        release()
    }

    /// Closes all descriptors.
    private func release() {
        // The descriptor is invalid after `close`, even if `close` reports an error. Nothing was
        // written through it.
        for file in held.withLock({ $0.take() }) { try? operations.close(file, "") }
    }
}

extension [Int32] {
    /// Returns the elements and leaves the array empty.
    fileprivate mutating func take() -> [Int32] {
        defer { self = [] }
        return self
    }
}
