internal import Foundation

/// Writes and flushes the files of a batch on several threads. File systems flush concurrent files
/// together.
struct ParallelWrites {
    /// The path and the contents of a file to create.
    typealias NewFile = (path: String, data: Data)

    private let files: StoreFiles
    private let mode: FileOpenMode

    init(_ files: StoreFiles, _ mode: FileOpenMode) {
        self.files = files
        self.mode = mode
    }

    /// Writes and flushes all files. Throws the first failure, after which no further file is
    /// started.
    func run(_ new: [NewFile]) throws(FileFailure) {
        if new.isEmpty { return }
        if new.count == 1 { return try files.writeNew(new[0].data, to: new[0].path, mode) }
        let writes = SharedWork(new.count) { [files, mode] number throws(FileFailure) in
            try files.writeNew(new[number].data, to: new[number].path, mode)
        }
        try writes.run()
    }

    /// Flushes the directory entries of folders to the disk. Throws the first failure.
    func synchronize(_ folders: [String]) throws(FileFailure) {
        if folders.count == 1 { return try files.synchronizeFolder(folders[0]) }
        let calls = SharedWork(folders.count) { [files] number throws(FileFailure) in
            try files.synchronizeFolder(folders[number])
        }
        try calls.run()
    }
}
