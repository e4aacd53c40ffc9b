internal import Foundation

/// The new files of a batch, written and forced to the disk by several threads at once: a file system that is asked to save
/// many files at once saves them together.
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
        if files.count < 4 {
            for file in files { try operations.writeNew(file.data, to: file.path, mode) }
            return
        }
        let writes = SharedWork(files.count) { [operations, mode] number throws(FileFailure) in
            try operations.writeNew(files[number].data, to: files[number].path, mode)
        }
        try writes.run()
    }
}
