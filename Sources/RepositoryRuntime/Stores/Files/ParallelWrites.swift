internal import Foundation

/// The files of a batch, forced to the disk by several threads at once: a file system that is asked to save many files at
/// once saves them together.
struct ParallelWrites {
    /// A file to be made.
    typealias NewFile = (path: String, data: Data)

    private let operations: any FileOperations
    private let mode: FileOpenMode

    init(_ operations: any FileOperations, _ mode: FileOpenMode) {
        self.operations = operations
        self.mode = mode
    }

    /// Writes all files; throws the first failure, after which no further file is begun.
    func run(_ files: [NewFile]) throws(FileFailure) {
        if files.isEmpty { return }
        if files.count == 1 {
            return try operations.writeNew(files[0].data, to: files[0].path, mode)
        }
        let writes = SharedWork(files.count) { [operations, mode] number throws(FileFailure) in
            try operations.writeNew(files[number].data, to: files[number].path, mode)
        }
        try writes.run()
    }

    /// Forces the names in folders to the disk; throws the first failure.
    func synchronize(_ folders: [String]) throws(FileFailure) {
        if folders.count == 1 { return try operations.synchronizeFolder(folders[0]) }
        let calls = SharedWork(folders.count) { [operations] number throws(FileFailure) in
            try operations.synchronizeFolder(folders[number])
        }
        try calls.run()
    }
}
