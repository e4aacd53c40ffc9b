internal import RepositoryImport
internal import RepositorySchemaParser

/// Writes the files of an import: all of them or none.
struct SchemaWriting {
    /// The folder of the schemas.
    let folder: String
    /// The contents of the existing files by their paths in the folder.
    private let old: [String: [UInt8]]
    private let isNew: Bool

    /// - Parameters:
    ///   - folder: the folder of the schemas.
    ///   - existing: the files that are in the folder.
    init(in folder: String, existing: [SchemaSource]) {
        self.folder = folder
        old = Dictionary(
            existing.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        isNew = FileStatus(of: folder) == .absent
    }

    /// Writes new files, and replaces the existing ones. If one of them cannot be written, the files
    /// that were written before it are restored or deleted.
    ///
    /// - Throws: ``FileProblem``, also if a file was created or changed in the meantime.
    func write(_ files: [ImportedFile]) throws {
        var written: [ImportedFile] = []
        do {
            for file in files {
                let path = Locations.path(folder, file.path)
                if let bytes = old[file.path] {
                    try AtomicFile.replace(bytes, by: file.text, at: path)
                } else {
                    try AtomicFile.create(file.text, at: path)
                }
                written.append(file)
            }
        } catch {
            for file in written.reversed() { withdraw(file) }
            if isNew { AtomicFile.removeIfEmpty(folder) }
            throw error
        }
    }

    /// Restores or deletes a file that was written. A failure is not reported; the error that led
    /// here is.
    private func withdraw(_ file: ImportedFile) {
        let path = Locations.path(folder, file.path)
        if let bytes = old[file.path] {
            try? AtomicFile.replace(
                Array(file.text.utf8), by: String(decoding: bytes, as: UTF8.self), at: path)
        } else {
            try? AtomicFile.delete(path)
        }
    }
}
