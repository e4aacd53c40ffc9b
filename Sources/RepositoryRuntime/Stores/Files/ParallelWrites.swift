internal import Dispatch
internal import Foundation
internal import Synchronization

/// The new files of a batch, written and forced to the disk by several threads at once.
///
/// Almost all the time of such a write is spent waiting for the disk, and a file system that is asked to save many files at
/// once saves them together.
struct ParallelWrites {
    private static let threadCount = 16
    private let operations: any FileOperations
    private let mode: FileOpenMode

    init(_ operations: any FileOperations, _ mode: FileOpenMode) {
        self.operations = operations
        self.mode = mode
    }

    /// Writes all files; throws the first failure, after which no further file is begun.
    func run(_ files: [(path: String, data: Data)]) throws(FileFailure) {
        if files.count < 4 {
            for file in files { try operations.writeNew(file.data, to: file.path, mode) }
            return
        }
        let failure = FirstFailure()
        let group = DispatchGroup()
        for worker in 0..<min(Self.threadCount, files.count) {
            // Each serial queue has a thread of its own; a concurrent one has as many as there are cores.
            let queue = DispatchQueue(label: "EntityStore.files.\(worker)")
            queue.async(group: group) { [operations, mode] in
                for index in stride(from: worker, to: files.count, by: Self.threadCount) {
                    if failure.value.withLock({ $0 }) != nil { return }
                    do throws(FileFailure) {
                        try operations.writeNew(files[index].data, to: files[index].path, mode)
                    } catch {
                        failure.value.withLock { $0 = $0 ?? error }
                    }
                }
            }
        }
        group.wait()
        if let failure = failure.value.withLock({ $0 }) { throw failure }
    }
}

/// The failure that stops the others.
private final class FirstFailure: Sendable {
    let value = Mutex<FileFailure?>(nil)
}
