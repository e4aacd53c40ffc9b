internal import Foundation
internal import Synchronization

/// The documents of a migration in `.repository/beside`, until they are moved to their tables.
///
/// Each document is a file of its own, under the name that it has in its table, and is moved there
/// by a rename. Links are not needed, and a copied or moved folder holds everything. Folders are
/// listed without keeping the names in memory.
extension FileDriver: BesideDriver {
    func hasBeside() throws -> Bool {
        try filing { () throws(FileFailure) in
            try files.status(of: layout.besideFolder) != nil
        }
    }

    func create(
        _ documents: [NewDocument], in collection: String, for table: String
    ) throws -> Set<Int> {
        try filing(nil, table) { () throws(FileFailure) in
            let folder = layout.folder(collection)
            if try held.status(of: folder) == nil { try held.makeFolders(folder) }
            var paths: [String] = []
            for document in documents {
                let final = try layout.place(document.key, in: table, held)
                try held.status(of: final.path)?.checkIsFile(final.path)
                let place = try layout.place(document.key, in: collection, held)
                if let path = place.idPath, try held.status(of: path) == nil {
                    try held.writeNew(Data(document.key.utf8), to: path)
                }
                paths.append(place.path)
            }
            return try write(documents, to: paths)
        }
    }

    /// Writes and flushes files concurrently, and returns the positions of those that exist.
    private func write(
        _ documents: [NewDocument], to paths: [String]
    ) throws(FileFailure) -> Set<Int> {
        let taken = Mutex<Set<Int>>([])
        let writes = SharedWork(documents.count) { [held] number throws(FileFailure) in
            do throws(FileFailure) {
                try held.writeNew(documents[number].data, to: paths[number])
            } catch {
                guard error.operation == "open", error.code == EEXIST else { throw error }
                taken.withLock { _ = $0.insert(number) }
            }
        }
        try writes.run()
        return taken.withLock(\.self)
    }

    func remove(_ key: String, fromBeside collection: String) throws {
        try filing(key, BesideNames.parts(of: collection)?.table) { () throws(FileFailure) in
            let place = try layout.place(key, in: collection, held)
            _ = try removeFile(place.path)
            if let path = place.idPath { _ = try removeFile(path) }
        }
    }

    func synchronizeBeside(_ collections: [String]) throws {
        try filing { () throws(FileFailure) in
            for collection in collections {
                let folder = layout.folder(collection)
                if try held.status(of: folder) != nil { try held.synchronizeFolder(folder) }
            }
        }
    }

    func placing<R>(_ collections: Set<String>, _ body: () throws -> R) throws -> R {
        let batch = try cancellable { () throws(FileFailure) in try beginBatch(waiting) }
        defer { endBatch(batch) }
        return try providesStamps ? counting(collections, body) : body()
    }

    func clear(_ collection: String) throws {
        try filing(nil, collection) { () throws(FileFailure) in
            let folder = layout.folder(collection)
            guard try held.status(of: folder) != nil else { return }
            try changeFiles(in: folder) { name throws(FileFailure) in
                guard layout.meaning(of: name) != nil || isKeptID(name) else { return false }
                return try removeFile(folder.isEmpty ? name : folder + "/" + name)
            }
            try held.synchronizeFolder(folder)
        }
    }

    func removeDocuments(namedIn collection: String, from table: String) throws {
        try filing(nil, table) { () throws(FileFailure) in
            let folder = layout.folder(collection)
            guard try held.status(of: folder) != nil else { return }
            try held.visitNamesIfPresent(in: folder) { name throws(FileFailure) in
                guard let key = try key(of: name, in: folder, held) else { return }
                let place = try layout.place(key, in: table, held)
                if try layout.isExact(place, key, held) { _ = try removeFile(place.path) }
                try removeByHand(key, from: table)
                // An id file without a record has no effect.
                if let path = place.idPath { _ = try removeFile(path) }
            }
            if try held.status(of: layout.folder(table)) != nil {
                try held.synchronizeFolder(layout.folder(table))
            }
        }
    }

    func moveDocuments(of collection: String, to table: String) throws {
        try filing(nil, table) { () throws(FileFailure) in
            let old = layout.folder(collection)
            let new = layout.folder(table)
            if try held.status(of: new) == nil, try held.status(of: old) != nil {
                held.forgetFolder(old)
                held.forgetFolder(new)
                try held.rename(old, to: new)
            }
            try moveFiles(of: old, to: new, of: table)
            // Also what an interrupted call has moved must be durable.
            if try held.status(of: new) != nil { try held.synchronizeFolder(new) }
            try held.synchronizeFolder("")
        }
    }

    /// Moves the documents of a folder into that of a table, whose documents with the same keys
    /// they replace.
    private func moveFiles(
        of old: String, to new: String, of table: String
    ) throws(FileFailure) {
        let kept = "\(layout.besideFolder)/replaced_\(StoreFiles.parts(old).name)"
        if try held.status(of: old) != nil, try held.status(of: kept) == nil {
            try held.makeFolders(kept)
        }
        // An id file must exist before its document.
        try changeFiles(in: old) { name throws(FileFailure) in
            guard isKeptID(name) else { return false }
            try held.rename(old + "/" + name, to: new + "/" + name)
            return true
        }
        try changeFiles(in: old) { name throws(FileFailure) in
            guard layout.meaning(of: name) != nil else { return false }
            let key = try key(of: name, in: new, held)
            try keepSpace(of: new + "/" + name, name, kept)
            try held.rename(old + "/" + name, to: new + "/" + name)
            if let key { try removeByHand(key, from: table) }
            return true
        }
    }

    /// Gives a document that is about to be replaced a second name, because releasing its disk
    /// space takes longer than everything else; see ``NamelessFiles``. Without it, nothing but time
    /// is lost.
    private func keepSpace(
        of path: String, _ name: String, _ folder: String
    ) throws(FileFailure) {
        do throws(FileFailure) {
            try held.link(path, to: folder + "/" + name)
        } catch {
            let codes = [ENOENT, EEXIST, EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK]
            guard codes.contains(error.code) else { throw error }
        }
    }

    func removeBeside() throws {
        try filing { () throws(FileFailure) in
            guard try held.status(of: layout.besideFolder) != nil else { return }
            // Descriptors of the folders inside would name the wrong folders from here on.
            held.closeFolders(keeping: ["", layout.ownFolder])
            let path = temporaryPath()
            try held.rename(layout.besideFolder, to: path)
            besideRemoved.withLock { $0.append(path) }
        }
    }

    func scratchFile() throws -> any ScratchFile {
        try filing { () throws(FileFailure) in try UnlinkedScratchFile(temporaryPath(), held) }
    }

    /// Removes the file that a person created for a key, if its document has another name.
    private func removeByHand(_ key: String, from table: String) throws(FileFailure) {
        guard let place = try layout.byHand(key, in: table, held) else { return }
        _ = try removeFile(place.path)
    }

    /// Removes a file. Returns false if there is none, or a folder has its name.
    private func removeFile(_ path: String) throws(FileFailure) -> Bool {
        do throws(FileFailure) {
            try held.unlink(path)
            return true
        } catch {
            if error.code == ENOENT { return false }
            // A folder is not a record, whatever its name.
            guard try held.status(of: path)?.kind == .folder else { throw error }
            return false
        }
    }
}
