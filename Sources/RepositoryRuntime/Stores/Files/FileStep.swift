internal import Foundation

/// One change of one file within a batch, in a form that can be undone from what lies on the disk alone.
///
/// A new document is written to a temporary file and linked to its name; an old one is kept under a temporary name
/// until the batch has ended. So undoing needs no space on the disk.
struct FileStep: Codable, Sendable {
    enum Kind: String, Codable, Sendable {
        /// `temporary` holds the new document, and is linked to a name that is free.
        case create
        /// `temporary` holds the new document and takes a name; `backup` is linked to the old one.
        case replace
        /// The old document is renamed to `backup`.
        case remove
    }

    var kind: Kind
    var path: String
    var temporary: String
    var backup: String

    /// The folder of the document.
    var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path }

    /// Does it, and adds the files that are to be removed when the batch has ended.
    func run(
        _ operations: any FileOperations, leaving left: inout [String]
    ) throws(FileFailure) {
        switch kind {
        case .create:
            left.append(try linkOrRename(operations))
        case .replace:
            try keep(operations)
            try operations.rename(temporary, to: path)
            left.append(backup)
        case .remove:
            try operations.rename(path, to: backup)
            left.append(backup)
        }
    }

    /// Makes it as if it had not been done; may be called whether it was done, half done or not done, and again.
    func undo(_ operations: any FileOperations) throws(FileFailure) {
        switch kind {
        case .create:
            // Only the file that the batch put there is taken away, never somebody else's.
            let isMine: Bool
            if let mine = try operations.status(of: temporary) {
                isMine = try operations.status(of: path)?.number == mine.number
            } else {
                isMine = try operations.status(of: backup) != nil
            }
            if isMine { try operations.unlinkIfPresent(path) }
        case .replace, .remove:
            if try operations.status(of: backup) == nil { return }
            try operations.rename(backup, to: path)
            // Two names of one file are left as they are by a rename.
            try operations.unlinkIfPresent(backup)
        }
    }

    /// Removes what was kept for undoing.
    func forget(_ operations: any FileOperations) throws(FileFailure) {
        if kind != .remove { try operations.unlinkIfPresent(temporary) }
        try operations.unlinkIfPresent(backup)
    }

    /// Gives a new document its name; returns what is left of it besides.
    private func linkOrRename(_ operations: any FileOperations) throws(FileFailure) -> String {
        do throws(FileFailure) {
            try linkMakingFolders(operations)
            return temporary
        } catch {
            guard Self.hasNoLinks(error) else { throw error }
            // The lock is held and the name was seen to be free: only a program that takes no lock could be in between.
            if try operations.status(of: path) != nil {
                throw FileFailure(operation: "link", path: path, code: EEXIST)
            }
            // Without a second name the file cannot be told from another later: an empty one says that it was renamed.
            try operations.writeNew(Data(), to: backup)
            try operations.rename(temporary, to: path)
            return backup
        }
    }

    /// The folder is looked for only where the link fails: it is there but for the first document.
    private func linkMakingFolders(_ operations: any FileOperations) throws(FileFailure) {
        do throws(FileFailure) {
            try operations.link(temporary, to: path)
        } catch {
            if error.code != ENOENT { throw error }
            try operations.makeFolders(folder)
            try operations.link(temporary, to: path)
        }
    }

    private func keep(_ operations: any FileOperations) throws(FileFailure) {
        do throws(FileFailure) {
            try operations.link(path, to: backup)
        } catch {
            guard Self.hasNoLinks(error), let old = try operations.contents(of: path) else {
                throw error
            }
            try operations.writeNew(old, to: backup)
        }
    }

    /// Whether the file system has no second names at all (FAT, some network file systems).
    private static func hasNoLinks(_ failure: FileFailure) -> Bool {
        [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(failure.code)
    }
}
