internal import Foundation

/// One change of one file within a batch. It can be undone from its encoding and the files on the
/// disk alone.
///
/// A new document is written to a temporary file and then linked to its name. The old document
/// keeps a temporary name until the batch has ended. Undoing a step therefore needs no disk space.
///
/// All paths are relative to the root of the store. A copied or moved folder therefore undoes its
/// own batch and does not affect another folder.
///
/// The encoding is part of the stored form of ``IntentNote``.
struct FileStep: Codable, Sendable {
    /// The kind of change.
    enum Kind: String, Codable, Sendable {
        /// `temporary` contains the new document and is linked to `path`, which must be free.
        case create
        /// `temporary` contains the new document and is renamed to `path`; `backup` is a link to
        /// the old document.
        case replace
        /// The old document is renamed to `backup`.
        case remove
    }

    var kind: Kind
    /// The path of the document.
    var path: String
    /// The path of the file with the new document.
    var temporary: String
    /// The path under which the old document remains until the batch has ended. For a new document
    /// on a file system without hard links, an empty file there records that `temporary` was
    /// renamed.
    var backup: String

    /// The folder of the document; empty for the root.
    var folder: String { StoreFiles.parts(path).folder }

    /// Performs the step and appends the path of the file to remove after the batch has ended.
    ///
    /// The changes are not flushed; ``FileBatch`` flushes the folders after the last step.
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

    /// Restores the state before the step.
    ///
    /// The step may have been completed, half completed or not begun. The method can be called
    /// again after a failure.
    ///
    /// - Parameter isRecovery: Whether the process that performed the step has ended. The folder
    ///   may then be a copy, in which the two hard links of a new document have become two files.
    func undo(_ files: StoreFiles, isRecovery: Bool) throws(FileFailure) {
        switch kind {
        case .create:
            // Remove only the file that the batch created, never a file of another program.
            if try isOwn(files, isRecovery) { try files.unlinkIfPresent(path) }
        case .replace, .remove:
            if try files.status(of: backup) == nil { return }
            // Another program may have removed the folder in the meantime.
            if !folder.isEmpty { try files.makeFolders(folder) }
            try files.rename(backup, to: path)
            // `rename` does nothing if both names are links to the same file.
            try files.unlinkIfPresent(backup)
        }
    }

    /// Returns whether the file at `path` is the new document of this step.
    ///
    /// Identical file numbers prove it. During recovery of a copied folder, equal contents prove
    /// it. If `temporary` no longer exists, the presence of the marker at `backup` proves it.
    private func isOwn(_ files: StoreFiles, _ isRecovery: Bool) throws(FileFailure) -> Bool {
        guard let own = try files.status(of: temporary) else {
            return try files.status(of: backup) != nil
        }
        guard let found = try files.status(of: path), found.kind == .file else { return false }
        if found.isFile(of: own) { return true }
        guard isRecovery, found.size == own.size, own.kind == .file else { return false }
        return try files.contents(of: path) == files.contents(of: temporary)
    }

    /// Removes the files kept for undoing the step.
    func forget(_ files: StoreFiles) throws(FileFailure) {
        if kind != .remove { try files.unlinkIfPresent(temporary) }
        try files.unlinkIfPresent(backup)
    }

    /// Gives a new document its name, and returns the path of the file to remove later.
    private func linkOrRename(_ files: StoreFiles) throws(FileFailure) -> String {
        do throws(FileFailure) {
            try linkMakingFolders(files)
            return temporary
        } catch {
            guard Self.hasNoLinks(error) else { throw error }
            // The lock is held and the name was free before. Only a program that does not take the
            // lock can have created the file.
            if try files.status(of: path) != nil {
                throw FileFailure(operation: "link", path: path, code: EEXIST)
            }
            // Without a hard link, a later recovery cannot identify the new document. An empty file
            // at `backup` records that `temporary` was renamed.
            try files.writeNew(Data(), to: backup)
            try files.rename(temporary, to: path)
            return backup
        }
    }

    /// Links the new document to its name. Creates the folder only if the link fails, because only
    /// the first document of a collection needs that.
    private func linkMakingFolders(_ files: StoreFiles) throws(FileFailure) {
        do throws(FileFailure) {
            try files.link(temporary, to: path)
        } catch {
            if error.code != ENOENT { throw error }
            try files.makeFolders(folder)
            try files.link(temporary, to: path)
        }
    }

    /// Gives the old document the name from which it can be restored.
    ///
    /// Only a complete document ever has that name. On a file system without hard links, a copy
    /// gets the name after its bytes have been flushed to the disk.
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
                // If the removal fails too, a temporary file remains; the next writer removes it.
                try? files.unlink(copy)
                throw error
            }
        }
    }

    /// Returns whether a link failed because the file system has no hard links (FAT, some network
    /// file systems) or the file has too many.
    private static func hasNoLinks(_ failure: FileFailure) -> Bool {
        failure.operation == "link"
            && [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(failure.code)
    }
}
