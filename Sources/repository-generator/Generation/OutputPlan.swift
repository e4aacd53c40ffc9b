internal import Foundation
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// The changes that make an output folder contain exactly the generated files. The plan is computed
/// before any file is changed.
///
/// It deletes generated files without a schema. It ignores files that the generator did not write,
/// unless a generated file needs their name, and the files of other schema folders.
struct OutputPlan {
    /// The changes: first the files to delete, then the files to write, each in the order of the
    /// files.
    let changes: [OutputChange]
    /// The number of files that are up to date.
    let unchangedCount: Int
    /// The output folder.
    private let folder: String
    /// The temporary files of killed processes, which ``apply(_:)`` deletes.
    private let leftBehind: [String]

    /// Compares a folder with its expected files.
    ///
    /// - Parameters:
    ///   - files: the expected files.
    ///   - folder: the output folder.
    ///   - schemas: the folder of the schemas. Generated files of other schema folders are ignored.
    /// - Throws: ``FileProblem``.
    init(_ files: [OutputFile], in folder: String, of schemas: String) throws {
        self.folder = folder
        let owner = OutputOwner(schemas: schemas, output: folder)
        let changes = try files.concurrentlyMapped { file in
            Result { try OutputChange(to: file, in: folder, owner) }
        }.compactMap { try $0.get() }
        unchangedCount = files.count - changes.count
        let listing = try OutputListing(folder)
        leftBehind = listing.leftBehind
        let wanted = Set(files.map(\.path))
        let extra = try listing.generated.filter { !wanted.contains($0) }
            .compactMap { name -> OutputChange? in
                let path = Locations.path(folder, name)
                let present = try PresentFile(at: path)
                guard present?.ownership != .foreign else { return nil }
                if let source = present?.source, case .other = owner.owner(of: name, from: source) {
                    return nil
                }
                return OutputChange(path: path, present: present, wanted: nil)
            }
        // Deletions come first: on a case-insensitive file system, an old file may have the path of
        // a new one.
        self.changes = extra + changes
    }

    /// The changes that would discard content that was not generated. `generate` requires `--force`
    /// for them.
    var refused: [OutputChange] { changes.filter(\.losesWork) }

    /// Applies the changes.
    ///
    /// - Parameter report: receives the verb and the path of each change that was made.
    /// - Throws: ``FileProblem`` for the first file that could not be changed. Other files may have
    ///   been changed.
    func apply(_ report: (_ verb: String, _ path: String) -> Void) throws {
        for path in leftBehind { try AtomicFile.delete(path) }
        for change in changes where change.wanted == nil {
            try AtomicFile.delete(change.path)
            removeEmptyFolders(above: change.path)
            report("deleted", change.path)
        }
        let written = changes.filter { $0.wanted != nil }
        let results = written.concurrentlyMapped { change in
            Result { try AtomicFile.write(change.wanted ?? "", to: change.path) }
        }
        for (change, result) in zip(written, results) {
            if case .success = result { report("wrote", change.path) }
        }
        for result in results { try result.get() }
    }

    /// Deletes the files that the plan adds, as far as they were written.
    func withdrawAdded() {
        for change in changes where change.present == nil {
            // A failed deletion is not reported; the error that led here is.
            if (try? AtomicFile.delete(change.path)) != nil {
                removeEmptyFolders(above: change.path)
            }
        }
    }

    /// The summary that `generate` prints.
    var summary: String {
        let deleted = changes.count { $0.wanted == nil }
        return Self.summary(
            written: changes.count - deleted, deleted: deleted, unchanged: unchangedCount)
    }

    /// Returns the summary of a run.
    static func summary(written: Int, deleted: Int, unchanged: Int) -> String {
        "\(written) written, \(deleted) deleted, \(unchanged) unchanged."
    }

    /// The summary that `check` prints: the number of differing files, and the command that updates
    /// them.
    var driftSummary: String {
        let count =
            changes.count == 1 ? "1 generated file is" : "\(changes.count) generated files are"
        let generate = "run 'repository-generator generate"
        if refused.isEmpty { return "\(count) not up to date; \(generate)'." }
        let edited = refused.count == 1 ? "1 of them was" : "\(refused.count) of them were"
        return "\(count) not up to date; \(edited) not written by the generator as it is. "
            + "Move your changes to a file of another name, then \(generate) --force'."
    }

    /// Removes the folders of a deleted file that became empty. They mirror folders of schemas that
    /// no longer exist.
    private func removeEmptyFolders(above path: String) {
        var parent = Locations.parent(of: path)
        while parent.count > folder.count, rmdir(parent) == 0 {
            parent = Locations.parent(of: parent)
        }
    }
}

/// The generated files in a folder and its subfolders, as determined by their names.
struct OutputListing {
    /// The paths relative to the folder, in sorted order.
    private(set) var generated: [String] = []
    /// The paths of temporary files of killed processes.
    private(set) var leftBehind: [String] = []

    /// Lists a folder. A missing folder is treated as empty.
    ///
    /// - Throws: ``FileProblem``.
    init(_ folder: String) throws {
        // The folder does not exist before the first run.
        guard FileManager.default.fileExists(atPath: folder) else { return }
        try list(folder, below: "")
    }

    /// Lists a folder and its subfolders, without hidden folders and symbolic links.
    ///
    /// - Throws: ``FileProblem`` if a folder cannot be listed.
    private mutating func list(_ folder: String, below prefix: String) throws {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw FileProblem(
                path: folder, reason: "cannot be listed: \(error.localizedDescription)")
        }
        for name in names {
            let path = Locations.path(folder, name)
            if RepositoryGenerator.isNamedAsOutput(name) {
                if FileStatus(of: path) == .file { generated.append(prefix + name) }
            } else if AtomicFile.isLeftBehind(name) {
                leftBehind.append(path)
            } else if !name.hasPrefix("."), FileStatus(of: path) == .folder {
                try list(path, below: prefix + name + "/")
            }
        }
    }
}
