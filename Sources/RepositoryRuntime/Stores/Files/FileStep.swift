internal import Foundation

/// One change of one file within a batch, in an encoding that can be undone from what lies on the
/// disk alone.
///
/// A new document is written to a temporary file and linked to its name; an old one is kept under a
/// temporary name until the batch has ended. So undoing needs no space on the disk. All paths are
/// below the root of the store: a folder that was copied or moved undoes its own batch, and no
/// other folder's.
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

    /// The folder of the document; empty for the root.
    var folder: String { StoreFiles.parts(path).folder }

    /// Does it, and adds the files that are to be removed when the batch has ended.
    func run(_ files: StoreFiles, leaving left: inout [String]) throws(FileFailure) {
        switch kind {
        case .create:
            left.append(try linkOrRename(files))
        case .replace:
            try keep(files)
            try files.rename(temporary, to: path)
            left.append(backup)
        case .remove:
            try files.rename(path, to: backup)
            left.append(backup)
        }
    }

    /// Makes it as if it had not been done; may be called whether it was done, half done or not
    /// done, and again.
    ///
    /// - Parameter isRecovery: whether the program that did it has died. The folder may then be a
    ///   copy, in which the two names of a new document are two files.
    func undo(_ files: StoreFiles, isRecovery: Bool) throws(FileFailure) {
        switch kind {
        case .create:
            // Only the file that the batch put there is removed, never one of another program.
            if try isOwn(files, isRecovery) { try files.unlinkIfPresent(path) }
        case .replace, .remove:
            if try files.status(of: backup) == nil { return }
            // Somebody may have removed the folder since.
            if !folder.isEmpty { try files.makeFolders(folder) }
            try files.rename(backup, to: path)
            // Two names of one file are left as they are by a rename.
            try files.unlinkIfPresent(backup)
        }
    }

    private func isOwn(_ files: StoreFiles, _ isRecovery: Bool) throws(FileFailure) -> Bool {
        guard let own = try files.status(of: temporary) else {
            return try files.status(of: backup) != nil
        }
        guard let found = try files.status(of: path), found.kind == .file else { return false }
        if found.isFile(of: own) { return true }
        guard isRecovery, found.size == own.size, own.kind == .file else { return false }
        return try files.contents(of: path) == files.contents(of: temporary)
    }

    /// Removes what was kept for undoing.
    func forget(_ files: StoreFiles) throws(FileFailure) {
        if kind != .remove { try files.unlinkIfPresent(temporary) }
        try files.unlinkIfPresent(backup)
    }

    /// Gives a new document its name; returns what is left of it besides.
    private func linkOrRename(_ files: StoreFiles) throws(FileFailure) -> String {
        do throws(FileFailure) {
            try linkMakingFolders(files)
            return temporary
        } catch {
            guard Self.hasNoLinks(error) else { throw error }
            // The lock is held and the name was seen to be free: only a program that takes no lock
            // could be in between.
            if try files.status(of: path) != nil {
                throw FileFailure(operation: "link", path: path, code: EEXIST)
            }
            // Without a second name the file cannot be told from another later: an empty one says
            // that it was renamed.
            try files.writeNew(Data(), to: backup)
            try files.rename(temporary, to: path)
            return backup
        }
    }

    /// The folder is looked for only where the link fails: it is there but for the first document.
    private func linkMakingFolders(_ files: StoreFiles) throws(FileFailure) {
        do throws(FileFailure) {
            try files.link(temporary, to: path)
        } catch {
            if error.code != ENOENT { throw error }
            try files.makeFolders(folder)
            try files.link(temporary, to: path)
        }
    }

    /// Keeps the old document under the name from which it is restored. Only a whole document ever
    /// has that name: where there are no links, a copy gets it once its bytes are on the disk.
    private func keep(_ files: StoreFiles) throws(FileFailure) {
        do throws(FileFailure) {
            try files.link(path, to: backup)
        } catch {
            guard Self.hasNoLinks(error), let old = try files.contents(of: path) else {
                throw error
            }
            let copy = backup + "-copy"
            try files.writeNew(old, to: copy)
            do throws(FileFailure) {
                try files.rename(copy, to: backup)
                try files.synchronizeFolder(StoreFiles.parts(backup).folder)
            } catch {
                // What stays behind is a temporary file, removed by the next writer.
                try? files.unlink(copy)
                throw error
            }
        }
    }

    /// Whether the file system has no second names at all (FAT, some network file systems).
    private static func hasNoLinks(_ failure: FileFailure) -> Bool {
        failure.operation == "link"
            && [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(failure.code)
    }
}
