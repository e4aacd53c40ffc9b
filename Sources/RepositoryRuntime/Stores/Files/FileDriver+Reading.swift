internal import Foundation

extension FileDriver {
    func get(_ key: String, in collection: String) throws -> Data? {
        do throws(FileFailure) {
            let place = try layout.place(key, in: collection)
            if let data = try operations.contents(of: place.path), try layout.isExact(place, key) {
                return data
            }
            guard let byHand = try layout.byHand(key, in: collection) else { return nil }
            return try operations.contents(of: byHand.path)
        } catch {
            if error.code == EISDIR {
                throw CRUDRepositoryError.invalidRecord(
                    id: key, table: collection.isEmpty ? nil : collection,
                    reason: "a folder has its name")
            }
            throw error.error(id: key, table: collection.isEmpty ? nil : collection)
        }
    }

    func contains(_ key: String, in collection: String) throws -> Bool {
        try filing(key, collection) { () throws(FileFailure) in
            try layout.existing(key, in: collection) != nil
        }
    }

    func keys(in collection: String) throws -> [String] {
        var keys: [String] = []
        try visitKeys(in: collection) { keys.append($0) }
        return keys
    }

    func visitKeys(in collection: String, _ body: (String) throws -> Void) throws {
        let folder = layout.folder(collection)
        var byHand: [String] = []
        // What the body throws is not of the files.
        var thrown: (any Error)?
        func visit(_ key: String) {
            do { try body(key) } catch { thrown = error }
        }
        try filing(nil, collection) { () throws(FileFailure) in
            try operations.visitNamesIfPresent(in: folder) { name throws(FileFailure) in
                if thrown != nil { return }
                switch layout.meaning(of: name) {
                case .text(let text): visit(text)
                case .byHand(let text): byHand.append(text)
                case .hash:
                    if let text = try keptID(name, folder) { visit(text) }
                case nil: break
                }
            }
            for key in byHand where thrown == nil {
                // A record may lie there twice, under the name of the stored form and one given by hand.
                if try !isListed(try layout.place(key, in: collection)) { visit(key) }
            }
        }
        if let thrown { throw thrown }
    }

    /// Whether a place holds a document whose key is known from its name.
    private func isListed(_ place: FilePlace) throws(FileFailure) -> Bool {
        guard try operations.status(of: place.path) != nil else { return false }
        if place.idName == nil { return true }
        return try keptID(place.name, place.folder) != nil
    }

    /// The id beside a file whose name is a hash; nil where that was lost, so that the record is read by its id alone.
    private func keptID(_ name: String, _ folder: String) throws(FileFailure) -> String? {
        let hash = name.dropFirst(13).prefix(64)
        guard let bytes = try operations.contents(of: "\(folder)/id_\(hash).txt"),
            SHA256.hexadecimal(bytes) == hash
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    func stamp(of collection: String) throws -> DocumentStamp? {
        try filing(nil, collection) { () throws(FileFailure) in
            guard let generation = try FileCounter(collection, layout, operations).value()
            else { return nil }
            let status = try operations.status(of: layout.folder(collection))
            return DocumentStamp(generation: generation, external: status?.modified ?? 0)
        }
    }

    func note(_ name: String) throws -> Data? {
        try filing { () throws(FileFailure) in try operations.contents(of: notePath(name)) }
    }

    func notePath(_ name: String) -> String {
        layout.ownFolder + "/" + FileNamePart(name).encoded + ".note"
    }
}
