internal import Dispatch
internal import Foundation
internal import Synchronization

/// The new files of a batch, written and forced to the disk by several threads at once.
///
/// Almost all the time of such a write is spent waiting for the disk, and a file system that is asked to save many files at
/// once saves them together. The calling thread writes too and waits for no helper that has not begun: Dispatch has so many
/// threads and no more, and when all of them are taken by callers no helper ever begins.
struct ParallelWrites {
    /// A file to be made.
    typealias NewFile = (path: String, data: Data)

    private static let threadCount = 16
    private let operations: any FileOperations
    private let mode: FileOpenMode

    init(_ operations: any FileOperations, _ mode: FileOpenMode) {
        self.operations = operations
        self.mode = mode
    }

    /// Writes all files; throws the first failure, after which no further file is begun.
    func run(_ files: [NewFile]) throws(FileFailure) {
        if files.count < 4 {
            for file in files { try operations.writeNew(file.data, to: file.path, mode) }
            return
        }
        let writes = SharedWrites(files) { [operations, mode] file throws(FileFailure) in
            try operations.writeNew(file.data, to: file.path, mode)
        }
        for number in 1..<min(Self.threadCount, files.count) {
            // Each serial queue has a thread of its own; a concurrent one has as many as there are cores.
            DispatchQueue(label: "EntityStore.files.\(number)").async { writes.help() }
        }
        try writes.finish()
    }
}

/// The files that are still to be written, for all threads that do it.
private final class SharedWrites: Sendable {
    private struct State {
        var next = 0
        var running = 0
        var failure: FileFailure?
    }

    private let files: [ParallelWrites.NewFile]
    private let write: @Sendable (ParallelWrites.NewFile) throws(FileFailure) -> Void
    private let state = Mutex(State())
    private let idle = DispatchSemaphore(value: 0)

    init(
        _ files: [ParallelWrites.NewFile],
        _ write: @escaping @Sendable (ParallelWrites.NewFile) throws(FileFailure) -> Void
    ) {
        self.files = files
        self.write = write
    }

    /// Writes files until none is left.
    func help() {
        while let index = take() {
            var failure: FileFailure?
            do throws(FileFailure) { try write(files[index]) } catch { failure = error }
            end(failure)
        }
    }

    /// Helps, waits for the files that other threads have begun, and throws the first failure.
    func finish() throws(FileFailure) {
        help()
        while state.withLock({ $0.running > 0 }) { idle.wait() }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func take() -> Int? {
        state.withLock { state in
            guard state.failure == nil, state.next < files.count else { return nil }
            state.running += 1
            state.next += 1
            return state.next - 1
        }
    }

    private func end(_ failure: FileFailure?) {
        let isIdle = state.withLock { state in
            state.running -= 1
            if state.failure == nil { state.failure = failure }
            return state.running == 0
        }
        if isIdle { idle.signal() }
    }
}
