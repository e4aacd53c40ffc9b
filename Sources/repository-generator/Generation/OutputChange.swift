internal import Foundation
internal import RepositoryGeneratorCore

/// A file as it is now.
struct PresentFile: Sendable {
    /// Its text; nil when it is not UTF-8.
    let text: String?
    /// Whose it is.
    let ownership: FileOwnership
    /// The schema file or folder that its header names.
    let source: String?

    /// No generated file comes near this; a larger one is somebody else's.
    private static let limit = 64 << 20

    /// Judges the bytes of a file.
    init(_ bytes: [UInt8]) {
        text = bytes.count > Self.limit ? nil : String(validating: bytes, as: UTF8.self)
        (ownership, source) = text == nil ? (.foreign, nil) : FileOwnership.judge(bytes)
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
    /// The schema of another schema folder that the present file is made from.
    let otherSchema: String?

    init(path: String, present: PresentFile?, wanted: String?, otherSchema: String? = nil) {
        self.path = path
        self.present = present
        self.wanted = wanted
        self.otherSchema = otherSchema
    }

    /// What must become of a file; nil where it is as it should be, whoever wrote it. It is as it
    /// should be also where Git converted the ends of its lines.
    init?(to file: OutputFile, in folder: String, _ owner: OutputOwner) throws {
        let path = Locations.path(folder, file.path)
        let bytes = try PresentFile.bytes(at: path)
        if let bytes, Self.isSame(bytes, file.text) { return nil }
        let present = bytes.map { PresentFile($0) }
        if let bytes, LineEnding.normalized(bytes) == LineEnding.normalized(Array(file.text.utf8)) {
            return nil
        }
        self.init(
            path: path, present: present, wanted: file.text,
            otherSchema: present?.source.flatMap { owner.otherSchema(of: file.path, from: $0) })
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
        otherSchema != nil || present?.ownership == .edited || present?.ownership == .foreign
    }

    /// Why `generate` does not touch the file.
    var refusal: String {
        if let otherSchema {
            return "\(path): error: the file is generated from '\(otherSchema)'; "
                + "choose another output folder for one of the schema folders"
        }
        return switch (present?.ownership, wanted) {
        case (.foreign, _):
            "\(path): error: the generator did not write this file, and needs its name"
        case (_, nil): "\(path): error: the file was edited by hand, and its schema is gone"
        default: "\(path): error: the file was edited by hand"
        }
    }

    /// What `check` prints: what is the matter, and the difference from what is there to what should be.
    var difference: String {
        // Ends of lines are no difference.
        let old = present.map {
            let bytes = LineEnding.normalized(Array(($0.text ?? "").utf8))
            return UnifiedDiff.Side(name: path, text: String(decoding: bytes, as: UTF8.self))
        }
        let new = wanted.map { UnifiedDiff.Side(name: path, text: $0) }
        return "\(path): \(matter)\n" + UnifiedDiff(from: old, to: new).text
    }

    private var matter: String {
        guard let present else { return "missing" }
        if let otherSchema { return "generated from '\(otherSchema)'" }
        switch present.ownership {
        case .foreign: return "not a generated file"
        case .edited:
            return wanted == nil ? "edited by hand, and its schema is gone" : "edited by hand"
        case .conflicted: return "holds Git's conflict marks"
        case .generated: return wanted == nil ? "left over: its schema is gone" : "out of date"
        }
    }
}
