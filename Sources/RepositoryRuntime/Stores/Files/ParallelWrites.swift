internal import Foundation

/// The files of a batch, forced to the disk by several threads at once: a file system that is asked
/// to save many files at once saves them together.
struct ParallelWrites {
    /// A file to be made.
    typealias NewFile = (path: String, data: Data)

    private let files: StoreFiles
    private let mode: FileOpenMode

    init(_ files: StoreFiles, _ mode: FileOpenMode) {
        self.files = files
        self.mode = mode
    }

    /// Writes all files; throws the first failure, after which no further file is begun.
    func run(_ new: [NewFile]) throws(FileFailure) {
        if new.isEmpty { return }
        if new.count == 1 { return try files.writeNew(new[0].data, to: new[0].path, mode) }
        let writes = SharedWork(new.count) { [files, mode] number throws(FileFailure) in
            try files.writeNew(new[number].data, to: new[number].path, mode)
        }
        try writes.run()
    }

    /// Forces the names in folders to the disk; throws the first failure.
    func synchronize(_ folders: [String]) throws(FileFailure) {
        if folders.count == 1 { return try files.synchronizeFolder(folders[0]) }
        let calls = SharedWork(folders.count) { [files] number throws(FileFailure) in
            try files.synchronizeFolder(folders[number])
        }
        try calls.run()
    }
}
