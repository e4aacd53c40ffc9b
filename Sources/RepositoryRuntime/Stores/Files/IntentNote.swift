internal import Foundation

/// The note `.repository/intent` of a batch that is under way: what a later program undoes when
/// this one dies.
///
/// All paths in it are below the root, so that a folder which was copied, moved or restored undoes
/// its own batch. The store that wrote it names its temporary files by a random mark, which stands
/// in the note: a step can restore nothing but such a file, and can change nothing but a document.
/// Other notes were not written by a store and are refused, with nothing changed.
struct IntentNote: Codable {
    /// The mark of the store that wrote it, in the names of its temporary files.
    let store: String
    let steps: [FileStep]

    init(_ steps: [FileStep], _ store: String) {
        self.steps = steps
        self.store = store
    }

    /// The bytes of the note.
    func data(at path: String) throws(FileFailure) -> Data {
        do {
            return try JSONEncoder().encode(self)
        } catch {
            throw FileFailure(operation: "describe", path: path, code: EINVAL)
        }
    }

    /// Reads a note; nil for bytes that are no note of a store with this layout.
    init?(_ data: Data, _ layout: FileLayout) {
        // What is no note is reported by the caller, with the path.
        let decoder = JSONDecoder()
        let note =
            (try? decoder.decode(IntentNote.self, from: data))
            ?? (try? decoder.decode([FileStep].self, from: data)).flatMap { steps in
                Self.relative(steps, layout)
            }
        guard let note, note.steps.allSatisfy({ note.isValid($0, layout) }) else { return nil }
        self = note
    }

    /// A note of versions before 1.0, whose paths are absolute. The temporary files of its steps
    /// lie in the store's own folder: that shows where the root was when it was written. Where it
    /// is now, files of those random names are those of the note.
    private static func relative(_ steps: [FileStep], _ layout: FileLayout) -> IntentNote? {
        let own = "/\(layout.ownFolder)/\(FileDriver.temporaryPrefix)"
        guard let first = steps.first else { return IntentNote([], "") }
        guard let range = first.temporary.range(of: own, options: [.backwards, .literal]) else {
            return nil
        }
        let root = Array(first.temporary[..<range.lowerBound].utf8) + [UInt8(ascii: "/")]
        let mark = first.temporary[range.upperBound...].prefix { $0 != "-" }
        func below(_ path: String) -> String? {
            guard path.utf8.starts(with: root) else { return nil }
            return String(decoding: path.utf8.dropFirst(root.count), as: UTF8.self)
        }
        var moved: [FileStep] = []
        for step in steps {
            guard let path = below(step.path), let temporary = below(step.temporary),
                let backup = below(step.backup)
            else { return nil }
            moved.append(
                FileStep(kind: step.kind, path: path, temporary: temporary, backup: backup))
        }
        return IntentNote(moved, String(mark))
    }

    private func isValid(_ step: FileStep, _ layout: FileLayout) -> Bool {
        isTemporary(step.temporary, layout) && isTemporary(step.backup, layout)
            && Self.isDocument(step.path, layout)
    }

    private func isTemporary(_ path: String, _ layout: FileLayout) -> Bool {
        let prefix = "\(layout.ownFolder)/\(FileDriver.temporaryPrefix)\(store)-"
        guard !store.isEmpty, path.utf8.starts(with: prefix.utf8) else { return false }
        let number = path.utf8.dropFirst(prefix.utf8.count)
        return !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether a path is one of a document: `item_…` in the root, in a table's folder or in that of
    /// an index. The ending is that of the format of the store that wrote the note, which may be
    /// another one.
    private static func isDocument(_ path: String, _ layout: FileLayout) -> Bool {
        let parts = path.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        guard let name = parts.last, !path.utf8.contains(0), name.utf8.count > 5,
            name.utf8.starts(with: "item_".utf8)
        else { return false }
        switch parts.count {
        case 1: return true
        case 2: return isTable(parts[0])
        case 3:
            return String.isSameIdentifier(parts[0], layout.ownFolder)
                && parts[1].utf8.starts(with: "index_".utf8)
                && isTable(String(parts[1].dropFirst(6)))
        default: return false
        }
    }

    /// Whether a name is one that the layout gives the folder of a table: never `.` or `..`.
    private static func isTable(_ name: String) -> Bool {
        switch FileNamePart.meaning(of: name) {
        case .text, .hash: true
        case .byHand, nil: false
        }
    }
}
