internal import Foundation
internal import RepositoryGeneratorCore

/// A file as it is now.
struct PresentFile: Sendable {
    /// Its text; nil when it is not UTF-8.
    let text: String?
    /// Whose it is.
    let ownership: FileOwnership

    /// No generated file comes near this; a larger one is somebody else's.
    private static let limit = 64 << 20

    /// Judges the bytes of a file.
    init(_ bytes: [UInt8]) {
        text = bytes.count > Self.limit ? nil : String(validating: bytes, as: UTF8.self)
        ownership = text.map { FileOwnership(of: $0) } ?? .foreign
    }

    /// Reads a file; nil when there is none.
    init?(at path: String) throws {
        guard let bytes = try Self.bytes(at: path) else { return nil }
        self.init(bytes)
    }

    /// The bytes of a file; nil when there is none.
    static func bytes(at path: String) throws -> [UInt8]? {
        switch FileStatus(of: path) {
        case .absent: return nil
        case .folder:
            throw FileProblem(path: path, reason: "is a folder where a file must be written")
        case .file, .symbolicLink, .other: break
        }
        return try BoundedFile.bytes(at: path, limit: Self.limit)
    }
}

/// One file that is not what it should be.
struct OutputChange: Sendable {
    let path: String
    /// The file as it is; nil when it is missing.
    let present: PresentFile?
    /// The text it should have; nil when it should not be there.
    let wanted: String?

    init(path: String, present: PresentFile?, wanted: String?) {
        self.path = path
        self.present = present
        self.wanted = wanted
    }

    /// What must become of a file; nil where it is as it should be, whoever wrote it.
    init?(to file: OutputFile, in folder: String) throws {
        let path = Locations.path(folder, file.path)
        let bytes = try PresentFile.bytes(at: path)
        if let bytes, Self.isSame(bytes, file.text) { return nil }
        self.init(path: path, present: bytes.map { PresentFile($0) }, wanted: file.text)
    }

    private static func isSame(_ bytes: [UInt8], _ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            guard bytes.count == text.count, let base = text.baseAddress else {
                return bytes.isEmpty && text.isEmpty
            }
            return memcmp(bytes, base, bytes.count) == 0
        }
    }

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
