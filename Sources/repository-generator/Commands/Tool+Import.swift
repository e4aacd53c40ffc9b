internal import Foundation
internal import RepositoryImport

extension Tool {
    /// Writes schemas that describe an SQLite database, and prints what they rest on. If the folder
    /// has schemas already, it writes nothing.
    ///
    /// - Parameters:
    ///   - path: the path of the database.
    ///   - folder: the folder of the schemas.
    func importDatabase(at path: String, into folder: String) -> ExitStatus {
        reporting {
            if let schema = try Self.firstSchema(in: folder) {
                problem(
                    "\(schema): error: there are schemas already, and an import writes new ones")
                problem("Nothing was written. Name an empty folder with '--output'.")
                return .drift
            }
            let database: DatabaseImport
            do {
                database = try DatabaseImport(sqlite: path)
            } catch {
                problem("\(error)")
                problem("Nothing was written.")
                return .unreadable
            }
            for line in database.report { say(line) }
            guard database.entityCount > 0 else {
                problem("\(path): error: no table of the database can be described")
                problem("Nothing was written.")
                return .schemaErrors
            }
            try write(database.files, into: folder)
            say(
                "\(database.files.count) written to '\(folder)'; "
                    + "'repository-generator generate' makes Swift of them.")
            return .success
        }
    }

    /// Returns the path of a schema in a folder or its subfolders; `nil` if there is none.
    ///
    /// - Throws: ``FileProblem`` if the folder cannot be listed.
    private static func firstSchema(in folder: String) throws -> String? {
        switch FileStatus(of: folder) {
        case .absent: return nil
        case .file, .other: throw FileProblem(path: folder, reason: "is not a folder")
        case .folder, .symbolicLink: break
        }
        let names: [String]
        do {
            names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        } catch {
            throw FileProblem(
                path: folder, reason: "cannot be listed: \(error.localizedDescription)")
        }
        let found = names.filter { $0.lowercased().hasSuffix(".yaml") }.min()
        return found.map { Locations.path(folder, $0) }
    }

    /// Writes the files. If one of them cannot be written, it deletes all of them again.
    ///
    /// - Throws: ``FileProblem``, also if one of the files exists.
    private func write(_ files: [ImportedFile], into folder: String) throws {
        let isNew = FileStatus(of: folder) == .absent
        var written: [String] = []
        do {
            for file in files {
                let path = Locations.path(folder, file.path)
                try AtomicFile.create(file.text, at: path)
                written.append(path)
            }
        } catch {
            for path in written {
                // A failed deletion is not reported; the error that led here is.
                try? AtomicFile.delete(path)
            }
            if isNew { AtomicFile.removeIfEmpty(folder) }
            throw error
        }
    }
}
