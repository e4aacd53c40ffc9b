internal import Foundation

/// Renaming and removing collections, and notes.
extension FileDriver {
    /// Renames the folder of a collection atomically, and flushes the root.
    func rename(collection: String, to other: String) throws {
        try filing(nil, collection) { () throws(FileFailure) in
            let old = layout.folder(collection)
            guard try held.status(of: old) != nil else { return }
            held.forgetFolder(old)
            held.forgetFolder(layout.folder(other))
            do throws(FileFailure) {
                // It replaces an empty folder with the new name.
                try held.rename(old, to: layout.folder(other))
            } catch {
                guard [ENOTEMPTY, EEXIST].contains(error.code) else { throw error }
                try moveFiles(of: old, into: layout.folder(other))
            }
            try held.synchronizeFolder("")
        }
    }

    /// Moves the files of a folder into another one, in which other programs have files. Can be
    /// repeated after a failure. A file of another program whose name is taken stays.
    private func moveFiles(of old: String, into new: String) throws(FileFailure) {
        func move(where isMoved: (String) -> Bool) throws(FileFailure) {
            try changeFiles(in: old) { name throws(FileFailure) in
                guard isMoved(name) else { return false }
                try held.rename(old + "/" + name, to: new + "/" + name)
                return true
            }
        }
        // The file of an id must exist before its document.
        try move(where: isKeptID)
        try move { layout.meaning(of: $0) != nil }
        try changeFiles(in: old) { name throws(FileFailure) in
            guard try held.status(of: new + "/" + name) == nil else { return false }
            try held.rename(old + "/" + name, to: new + "/" + name)
            return true
        }
        try held.synchronizeFolder(new)
        try held.synchronizeFolder(old)
        try removeFolderIfEmpty(old)
    }

    /// Removes a folder, unless other programs have files in it.
    private func removeFolderIfEmpty(_ folder: String) throws(FileFailure) {
        do throws(FileFailure) {
            try held.removeFolder(folder)
        } catch {
            if ![ENOENT, ENOTEMPTY, EEXIST].contains(error.code) { throw error }
        }
    }

    func requireRoom(for collection: String) throws {
        let folder = layout.folder(collection)
        var obstacle: String?
        try filing(nil, collection) { () throws(FileFailure) in
            guard let status = try held.status(of: folder) else { return }
            if status.kind != .folder {
                obstacle = "'\(folder)' is \(status.kind.description)"
                return
            }
            try held.visitNamesIfPresent(in: folder) { name throws(FileFailure) in
                guard layout.meaning(of: name) != nil, obstacle == nil else { return }
                obstacle = "'\(folder)/\(name)' is there already, and belongs to no table"
            }
        }
        guard let obstacle else { return }
        throw CRUDRepositoryError(
            .databaseError,
            "A table cannot get the folder '\(folder)' in '\(layout.root)': \(obstacle). Move it away. Nothing was changed.",
            table: collection)
    }

    /// Removes the documents of a collection and then its folder. Not atomic; can be repeated after
    /// a failure.
    ///
    /// Files that are not documents of this format remain, and with them the folder.
    func remove(collection: String) throws {
        try filing(nil, collection) { () throws(FileFailure) in
            let folder = layout.folder(collection)
            let names = try held.namesIfPresent(in: folder)
            for name in names {
                let document = layout.document(ofPlaceholder: name) ?? name
                guard layout.meaning(of: document) != nil || isKeptID(name) else { continue }
                let path = folder.isEmpty ? name : folder + "/" + name
                do throws(FileFailure) {
                    try held.unlinkIfPresent(path)
                } catch {
                    // A folder is not a record, whatever its name.
                    if try held.status(of: path)?.kind != .folder { throw error }
                }
            }
            try removeFolderIfEmpty(folder)
            try held.synchronizeFolder("")
        }
    }

    /// Returns whether a name is that of a file with an id too long for a file name: `id_<64
    /// hexadecimal digits>.txt`.
    func isKeptID(_ name: String) -> Bool {
        name.hasPrefix("id_") && name.hasSuffix(".txt") && name.utf8.count == 71
    }

    /// Derives the stamp from the number, the size and the modification time of the file. A note is
    /// always replaced by a new file.
    func stamp(ofNote name: String) throws -> DocumentStamp? {
        let status = try filing { () throws(FileFailure) in
            try files.status(of: notePath(name))
        }
        guard let status else { return DocumentStamp(generation: 0) }
        let size = UInt64(truncatingIfNeeded: status.size)
        return DocumentStamp(
            generation: status.number ^ size << 48, external: status.modified)
    }

    /// Replaces the note with a rename, so that readers see the old or the new note, and flushes
    /// the folder.
    func setNote(_ name: String, _ data: Data?) throws {
        try filing { () throws(FileFailure) in
            let path = notePath(name)
            if let data {
                let temporary = temporaryPath()
                try held.writeNew(data, to: temporary)
                do throws(FileFailure) {
                    try held.rename(temporary, to: path)
                } catch {
                    // Report the failure of the rename; the removal of the temporary file is
                    // optional.
                    try? held.unlink(temporary)
                    throw error
                }
            } else {
                try held.unlinkIfPresent(path)
            }
            try countDescription()
            try held.synchronizeFolder(layout.ownFolder)
        }
    }
}
