internal import RepositoryGeneratorCore

/// A file as it is now.
struct PresentFile {
    /// Its text; nil when it is not UTF-8.
    let text: String?
    /// Whose it is.
    let ownership: FileOwnership

    /// No generated file comes near this; a larger one is somebody else's.
    private static let limit = 64 << 20

    /// Reads a file; nil when there is none.
    init?(at path: String) throws {
        switch FileStatus(of: path) {
        case .absent: return nil
        case .folder:
            throw FileProblem(path: path, reason: "is a folder where a file must be written")
        case .file, .symbolicLink, .other: break
        }
        let bytes = try BoundedFile.bytes(at: path, limit: Self.limit)
        text = bytes.count > Self.limit ? nil : String(validating: bytes, as: UTF8.self)
        ownership = text.map { FileOwnership(of: $0) } ?? .foreign
    }
}

/// One file that is not what it should be.
struct OutputChange {
    let path: String
    /// The file as it is; nil when it is missing.
    let present: PresentFile?
    /// The text it should have; nil when it should not be there.
    let wanted: String?

    /// Whether the change would lose somebody's work.
    var losesWork: Bool {
        present?.ownership == .edited || present?.ownership == .foreign
    }

    /// Why `generate` does not touch the file.
    var refusal: String {
        switch (present?.ownership, wanted) {
        case (.foreign, _):
            "\(path): error: the generator did not write this file, and needs its name"
        case (_, nil): "\(path): error: the file was edited by hand, and its schema is gone"
        default: "\(path): error: the file was edited by hand"
        }
    }

    /// What `check` prints: what is the matter, and the difference from what is there to what should be.
    var difference: String {
        let old = present.map { UnifiedDiff.Side(name: path, text: $0.text ?? "") }
        let new = wanted.map { UnifiedDiff.Side(name: path, text: $0) }
        return "\(path): \(matter)\n" + UnifiedDiff(from: old, to: new).text
    }

    private var matter: String {
        guard let present else { return "missing" }
        switch present.ownership {
        case .foreign: return "not a generated file"
        case .edited:
            return wanted == nil ? "edited by hand, and its schema is gone" : "edited by hand"
        case .conflicted: return "holds Git's conflict marks"
        case .generated: return wanted == nil ? "left over: its schema is gone" : "out of date"
        }
    }
}
