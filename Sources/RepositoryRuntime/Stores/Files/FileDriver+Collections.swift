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
