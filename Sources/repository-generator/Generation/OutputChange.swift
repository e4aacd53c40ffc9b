internal import Foundation
internal import RepositoryGeneratorCore

/// An existing file at the path of a generated file.
struct PresentFile: Sendable {
    /// The text; `nil` if it is not UTF-8 or the file is too large.
    let text: String?
    /// The ownership, as its header and checksum show it.
    let ownership: FileOwnership
    /// The schema file or folder that the header names.
    let source: String?

    /// The size limit in bytes. Generated files are far smaller; a larger file counts as not
    /// generated.
    private static let limit = 64 << 20

    /// Determines the ownership of a file from its bytes.
    init(_ bytes: [UInt8]) {
        text = bytes.count > Self.limit ? nil : String(validating: bytes, as: UTF8.self)
        (ownership, source) = text == nil ? (.foreign, nil) : FileOwnership.judge(bytes)
    }

    /// Reads a file; the result is `nil` if it does not exist.
    ///
    /// - Throws: ``FileProblem``.
    init?(at path: String) throws {
        guard let bytes = try Self.bytes(at: path) else { return nil }
        self.init(bytes)
    }

    /// Returns the bytes of a file; `nil` if it does not exist.
    ///
    /// - Throws: ``FileProblem``, also if there is a folder at the path.
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

/// A difference between an existing file and its expected content.
struct OutputChange: Sendable {
    /// The path of the file, with that of the output folder.
    let path: String
    /// The existing file; `nil` if it is missing.
    let present: PresentFile?
    /// The expected text; `nil` if the file should not exist.
    let wanted: String?
    /// The schema of another schema folder that generated the existing file.
    let otherSchema: String?

    init(path: String, present: PresentFile?, wanted: String?, otherSchema: String? = nil) {
        self.path = path
        self.present = present
        self.wanted = wanted
        self.otherSchema = otherSchema
    }

    /// Compares a file with its expected content.
    ///
    /// The result is `nil` if the file is up to date, regardless of who wrote it. Different line
    /// endings, as Git may convert them, are no difference.
    ///
    /// - Throws: ``FileProblem``.
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

    /// Returns whether bytes equal a text. It compares without allocating a copy of the text.
    private static func isSame(_ bytes: [UInt8], _ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            guard bytes.count == text.count, let base = text.baseAddress else {
                return bytes.isEmpty && text.isEmpty
            }
            return memcmp(bytes, base, bytes.count) == 0
        }
    }

    /// Whether the change would discard content that this schema folder did not generate.
    var losesWork: Bool {
        otherSchema != nil || present?.ownership == .edited || present?.ownership == .foreign
    }

    /// The error that `generate` prints instead of changing the file.
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

    /// The text that `check` prints: the kind of the difference, and a diff from the existing to
    /// the expected text.
    var difference: String {
        // Line endings are not shown as differences.
        let old = present.map {
            let bytes = LineEnding.normalized(Array(($0.text ?? "").utf8))
            return UnifiedDiff.Side(name: path, text: String(decoding: bytes, as: UTF8.self))
        }
        let new = wanted.map { UnifiedDiff.Side(name: path, text: $0) }
        return "\(path): \(matter)\n" + UnifiedDiff(from: old, to: new).text
    }

    /// The kind of the difference.
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
