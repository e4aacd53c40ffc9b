internal import Foundation

extension FileDriver {
    func rename(collection: String, to other: String) throws {
        try filing(nil, collection) { () throws(FileFailure) in
            let old = layout.folder(collection)
            guard try operations.status(of: old) != nil else { return }
            // An empty folder of the new name is replaced; one with files in it makes this fail.
            try operations.rename(old, to: layout.folder(other))
            try operations.synchronizeFolder(layout.root)
        }
    }

    func remove(collection: String) throws {
        try filing(nil, collection) { () throws(FileFailure) in
            let folder = layout.folder(collection)
            let names = try operations.namesIfPresent(in: folder)
            for name in names where layout.meaning(of: name) != nil || isKeptID(name) {
                try operations.unlinkIfPresent(folder + "/" + name)
            }
            do throws(FileFailure) {
                try operations.removeFolder(folder)
            } catch {
                // A folder with somebody else's files in it stays.
                if ![ENOENT, ENOTEMPTY, EEXIST].contains(error.code) { throw error }
            }
            if try operations.status(of: layout.root) != nil {
                try operations.synchronizeFolder(layout.root)
            }
        }
    }

    private func isKeptID(_ name: String) -> Bool {
        name.hasPrefix("id_") && name.hasSuffix(".txt") && name.utf8.count == 71
    }

    func noteNames() throws -> [String] {
        try filing { () throws(FileFailure) in
            let ending = ".note"
            return try operations.namesIfPresent(in: layout.ownFolder).compactMap { name -> String? in
                guard name.hasSuffix(ending),
                    case .text(let note)? = FileNamePart.meaning(
                        of: String(name.dropLast(ending.count)))
                else { return nil }
                return note
            }
        }
    }

    /// Of a file that is replaced as a whole: its number, its size and the time of its last change.
    func stamp(ofNote name: String) throws -> DocumentStamp? {
        let status = try filing { () throws(FileFailure) in
            try operations.status(of: notePath(name))
        }
        guard let status else { return DocumentStamp(generation: 0) }
        let size = UInt64(truncatingIfNeeded: status.size)
        return DocumentStamp(
            generation: status.number ^ size << 48, external: status.modified)
    }

    func setNote(_ name: String, _ data: Data?) throws {
        try filing { () throws(FileFailure) in
            let path = notePath(name)
            if let data {
                let temporary = temporaryPath()
                try operations.writeNew(data, to: temporary)
                do throws(FileFailure) {
                    try operations.rename(temporary, to: path)
                } catch {
                    // The failure of the rename is the one to report.
                    try? operations.unlink(temporary)
                    throw error
                }
            } else {
                try operations.unlinkIfPresent(path)
            }
            try operations.synchronizeFolder(layout.ownFolder)
        }
    }
}
