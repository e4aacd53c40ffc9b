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
            // `rename` replaces an empty folder with the new name; it fails if that folder contains
            // files.
            try held.rename(old, to: layout.folder(other))
            try held.synchronizeFolder("")
        }
    }

    /// Removes the documents of a collection and then its folder. Not atomic; can be repeated after
    /// a failure.
    ///
    /// Files that are not documents of this format remain, and with them the folder.
    func remove(collection: String) throws {
        try filing(nil, collection) { () throws(FileFailure) in
            let folder = layout.folder(collection)
            let names = try held.namesIfPresent(in: folder)
            for name in names where layout.meaning(of: name) != nil || isKeptID(name) {
                let path = folder.isEmpty ? name : folder + "/" + name
                do throws(FileFailure) {
                    try held.unlinkIfPresent(path)
                } catch {
                    // A folder is not a record, whatever its name.
                    if try held.status(of: path)?.kind != .folder { throw error }
                }
            }
            do throws(FileFailure) {
                try held.removeFolder(folder)
            } catch {
                // A folder that contains other files remains.
                if ![ENOENT, ENOTEMPTY, EEXIST].contains(error.code) { throw error }
            }
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
            try held.synchronizeFolder(layout.ownFolder)
        }
    }
}
