internal import Foundation
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// What must be done to an output folder so that it holds the generated files: decided before anything is touched.
struct OutputPlan {
    /// The changes: files to delete first, then files to write, each in the order of the set.
    let changes: [OutputChange]
    /// How many files are right already.
    let unchangedCount: Int
    private let folder: String
    private let leftBehind: [String]

    /// Compares a folder with the files that it should hold.
    init(_ files: [OutputFile], in folder: String) throws {
        self.folder = folder
        let changes = try files.concurrentlyMapped { file in
            Result { try OutputChange(to: file, in: folder) }
        }.compactMap { try $0.get() }
        unchangedCount = files.count - changes.count
        let listing = try OutputListing(folder)
        leftBehind = listing.leftBehind
        let wanted = Set(files.map(\.path))
        let extra = try listing.generated.filter { !wanted.contains($0) }.compactMap { name in
            let path = Locations.path(folder, name)
            let present = try PresentFile(at: path)
            return present?.ownership == .foreign
                ? nil : OutputChange(path: path, present: present, wanted: nil)
        }
        // On a file system that ignores case an old file may be the new one: it is deleted before.
        self.changes = extra + changes
    }

    /// The changes that would lose somebody's work.
    var refused: [OutputChange] { changes.filter(\.losesWork) }

    /// Makes the changes.
    ///
    /// - Parameter report: is told what was done to which file.
    /// - Throws: ``FileProblem`` of the first file that could not be touched; the others may have been.
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
            // What cannot be deleted either is reported by the error that led here.
            if (try? AtomicFile.delete(change.path)) != nil {
                removeEmptyFolders(above: change.path)
            }
        }
    }

    /// The summary of `generate`.
    var summary: String {
        let deleted = changes.count { $0.wanted == nil }
        return Self.summary(
            written: changes.count - deleted, deleted: deleted, unchanged: unchangedCount)
    }

    /// The summary of a run.
    static func summary(written: Int, deleted: Int, unchanged: Int) -> String {
        "\(written) written, \(deleted) deleted, \(unchanged) unchanged."
    }

    /// The summary of `check`: how many files differ, and the command that makes them right.
    var driftSummary: String {
        let count =
            changes.count == 1 ? "1 generated file is" : "\(changes.count) generated files are"
        let generate = "run 'repository-generator generate"
        if refused.isEmpty { return "\(count) not up to date; \(generate)'." }
        let edited = refused.count == 1 ? "1 of them was" : "\(refused.count) of them were"
        return "\(count) not up to date; \(edited) not written by the generator as it is. "
            + "Move your changes to a file of another name, then \(generate) --force'."
    }

    /// Folders mirror those of the schemas; one without files has no schema any more.
    private func removeEmptyFolders(above path: String) {
        var parent = Locations.parent(of: path)
        while parent.count > folder.count, rmdir(parent) == 0 {
            parent = Locations.parent(of: parent)
        }
    }
}

/// The generated files below a folder.
struct OutputListing {
    /// Paths below the folder, in order.
    private(set) var generated: [String] = []
    /// Temporary files of runs that were killed.
    private(set) var leftBehind: [String] = []

    init(_ folder: String) throws {
        // A folder that is not there yet is empty.
        guard FileManager.default.fileExists(atPath: folder) else { return }
        try list(folder, below: "")
    }

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
