internal import Foundation

/// The intent note `.repository/intent` of a running batch: the steps to undo if the process ends
/// before the commit.
///
/// All paths are relative to the root, so that a copied, moved or restored folder undoes its own
/// batch. The store that wrote the note uses a random mark in the names of its temporary files, and
/// the note contains that mark. Therefore a step can restore only such a temporary file and can
/// change only a document. Any other note was not written by a store: reading it fails and nothing
/// changes.
///
/// The encoding is JSON.
struct IntentNote: Codable {
    /// The mark of the store that wrote the note, as it occurs in the names of its temporary files.
    let store: String
    /// The steps of the batch, in the order in which they are performed.
    let steps: [FileStep]

    init(_ steps: [FileStep], _ store: String) {
        self.steps = steps
        self.store = store
    }

    /// Encodes the note. The path is for error messages.
    func data(at path: String) throws(FileFailure) -> Data {
        do {
            return try JSONEncoder().encode(self)
        } catch {
            throw FileFailure(operation: "describe", path: path, code: EINVAL)
        }
    }

    /// Decodes and validates a note. Returns nil if a store with this layout cannot have written
    /// the bytes.
    init?(_ data: Data, _ layout: FileLayout) {
        // The caller reports invalid notes, with their path.
        guard let note = try? JSONDecoder().decode(IntentNote.self, from: data),
            note.steps.allSatisfy({ note.isValid($0, layout) })
        else { return nil }
        self = note
    }

    /// Returns whether the step changes only a document and uses only temporary files of the store
    /// that wrote the note.
    private func isValid(_ step: FileStep, _ layout: FileLayout) -> Bool {
        isTemporary(step.temporary, layout) && isTemporary(step.backup, layout)
            && layout.isDocument(step.path)
    }

    /// Returns whether a path names a temporary file of the store that wrote the note.
    private func isTemporary(_ path: String, _ layout: FileLayout) -> Bool {
        let prefix = "\(layout.ownFolder)/\(FileDriver.temporaryPrefix)\(store)-"
        guard !store.isEmpty, path.utf8.starts(with: prefix.utf8) else { return false }
        let number = path.utf8.dropFirst(prefix.utf8.count)
        return !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
    }
}
