internal import Foundation
internal import StoredSchema

/// Reads of documents, keys, stamps and notes. They take no lock.
extension FileDriver: HandNamedDriver {
    /// Reads a document from the location of the stored form, or from a file created by hand.
    func get(_ key: String, in collection: String) throws -> Data? {
        let files = files
        return try filing(key, collection) { () throws(FileFailure) in
            let place = try layout.place(key, in: collection, files)
            if let data = try document(at: place.path, files),
                try layout.isExact(place, key, files)
            {
                return data
            }
            if let byHand = try layout.byHand(key, in: collection, files) {
                return try document(at: byHand.path, files)
            }
            try layout.requireDownloaded(place, files)
            return nil
        }
    }

    /// Reads a document. If a folder or a link has its name, the failure says so.
    private func document(at path: String, _ files: StoreFiles) throws(FileFailure) -> Data? {
        do throws(FileFailure) {
            return try files.contents(of: path)
        } catch {
            var failure = error
            failure.obstacle = files.obstacle(at: path, error)
            throw failure
        }
    }

    func contains(_ key: String, in collection: String) throws -> Bool {
        try filing(key, collection) { () throws(FileFailure) in
            try layout.existing(key, in: collection, files) != nil
        }
    }

    func keys(in collection: String) throws -> [String] {
        var keys: [String] = []
        try visitKeys(in: collection) { keys.append($0) }
        return keys
    }

    /// Lists the folder once. The cost grows linearly with the number of files; each hashed name
    /// costs one more file read.
    func visitKeys(in collection: String, _ body: (String) throws -> Void) throws {
        try visitKeys(in: collection) { key, _ in try body(key) }
    }

    /// Lists the folder once. A record of which only a placeholder is there has its key, too.
    func visitKeys(
        in collection: String, _ body: (_ key: String, _ isByHand: Bool) throws -> Void
    ) throws {
        let folder = layout.folder(collection)
        let files = files
        var byHand: [String] = []
        var placeholders: [String] = []
        // Errors of the body are not file failures, so that they are passed around
        // ``filing(_:_:_:)``.
        var thrown: (any Error)?
        func visit(_ key: String, isByHand: Bool = false) {
            do { try body(key, isByHand) } catch { thrown = error }
        }
        try filing(nil, collection) { () throws(FileFailure) in
            try files.visitNamesIfPresent(in: folder) { name throws(FileFailure) in
                if thrown != nil { return }
                if let document = layout.document(ofPlaceholder: name) {
                    return placeholders.append(document)
                }
                switch layout.meaning(of: name) {
                case .text(let text): visit(text)
                case .byHand(let text): byHand.append(text)
                case .hash:
                    if let text = try keptID(name, folder, files) { visit(text) }
                case nil: break
                }
            }
            for name in placeholders where thrown == nil {
                let path = folder.isEmpty ? name : folder + "/" + name
                guard try files.status(of: path) == nil else { continue }
                if let key = try key(of: name, in: folder, files) { visit(key) }
            }
            for key in byHand where thrown == nil {
                // A record may exist twice: under the encoded name and under a name given by hand.
                // List its key once.
                if try !isListed(try layout.place(key, in: collection, files), files) {
                    visit(key, isByHand: true)
                }
            }
        }
        if let thrown { throw thrown }
    }

    /// Returns whether a document exists at a location and its key can be determined from the
    /// listing.
    private func isListed(_ place: FilePlace, _ files: StoreFiles) throws(FileFailure) -> Bool {
        guard try files.status(of: place.path) != nil else { return false }
        if place.idName == nil { return true }
        return try keptID(place.name, place.folder, files) != nil
    }

    /// Returns the key of the document with a file name; nil if it is not a document or its key is
    /// unknown.
    ///
    /// - Parameter folder: the folder with the file of an id that is too long for a file name.
    func key(
        of name: String, in folder: String, _ files: StoreFiles
    ) throws(FileFailure) -> String? {
        switch layout.meaning(of: name) {
        case .text(let text), .byHand(let text): text
        case .hash: try keptID(name, folder, files)
        case nil: nil
        }
    }

    /// Returns the id of a file whose name contains a hash. The id is stored in a separate file.
    ///
    /// Returns nil if that file is missing or damaged. The record can then be read only by its id.
    private func keptID(
        _ name: String, _ folder: String, _ files: StoreFiles
    ) throws(FileFailure) -> String? {
        let hash = name.dropFirst(13).prefix(64)
        let path = (folder.isEmpty ? "" : folder + "/") + "id_\(hash).txt"
        let bytes: Data?
        do throws(FileFailure) {
            bytes = try files.contents(of: path)
        } catch {
            if files.obstacle(at: path, error) != nil { return nil }
            throw error
        }
        guard let bytes, SHA256.hexadecimal(bytes) == hash else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Combines the write count with the modification time of the folder, which changes when a
    /// program that does not count its writes creates, removes or renames a file.
    func stamp(of collection: String) throws -> DocumentStamp? {
        try filing(nil, collection) { () throws(FileFailure) in
            guard let generation = try FileCounter(collection, layout, files).value()
            else { return nil }
            let status = try files.status(of: layout.folder(collection))
            return DocumentStamp(generation: generation, external: status?.modified ?? 0)
        }
    }

    func note(_ name: String) throws -> Data? {
        try filing { () throws(FileFailure) in try files.contents(of: notePath(name)) }
    }

    /// The path of a note relative to the root.
    func notePath(_ name: String) -> String {
        layout.ownFolder + "/" + FileNamePart(name).encoded + ".note"
    }
}
