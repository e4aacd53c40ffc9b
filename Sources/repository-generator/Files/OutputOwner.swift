internal import Foundation
internal import RepositoryGeneratorCore

/// Tells the files of one schema folder from those of others in the same, or a nested, output
/// folder.
///
/// A header names the source of its file as a path: the schema folder by its name alone where it
/// stands beside the output folder (`Schemas/people/Author.yaml`), by its path from the output
/// folder otherwise (`./…`, `../…`). Output mirrors the folders of schemas, so that the place of a
/// file and its source together say which output folder it was written to, and where its schema is.
/// That needs no record beside the files, and no absolute path.
struct OutputOwner {
    /// Whose a generated file is.
    enum Owner: Equatable {
        /// The schema folder of this run.
        case this
        /// Another schema folder, at this path, or one that wrote to another output folder.
        case other(String)
        /// Another one, which no longer exists: it was renamed or moved, or its output was copied
        /// here.
        case gone
    }

    private let schemas: String
    private let output: String

    /// - Parameters:
    ///   - schemas: the folder of the schemas.
    ///   - output: the folder of the output.
    init(schemas: String, output: String) {
        self.schemas = Self.absolute(schemas)
        self.output = Self.absolute(output)
    }

    /// The schema folder as headers name it.
    ///
    /// Where the two folders have nothing in common but the root, as with output to a temporary
    /// folder, it is the name alone: a path would name the folders of this machine.
    var folderInHeaders: String {
        let (from, to) = (Self.parts(output), Self.parts(schemas))
        let name = to.last ?? "Schemas"
        guard from.dropLast() != to.dropLast() else { return name }
        let common = zip(from, to).prefix { $0 == $1 }.count
        guard common > 0 else { return name }
        let up = Array(repeating: "..", count: from.count - common)
        return ((up.isEmpty ? ["."] : up) + to[common...]).joined(separator: "/")
    }

    /// The owner of a generated file.
    ///
    /// - Parameters:
    ///   - path: the path of the file below the output folder.
    ///   - source: the source that its header names.
    func owner(of path: String, from source: String) -> Owner {
        let source = Self.withoutTemplate(source)
        let candidates = candidates(path, source)
        if candidates.contains(where: { $0.output == output && isThis($0.schema, path) }) {
            return .this
        }
        let folders = candidates.map {
            source.hasSuffix(".yaml") ? Self.folder(of: $0.schema) : $0.schema
        }
        if let other = folders.first(where: { FileStatus(of: $0) != .absent }) {
            return .other(other)
        }
        return candidates.contains { $0.output == output } ? .gone : .other(source)
    }

    /// The schema file or folder of another schema folder that a generated file is made from, if it
    /// exists.
    func otherSchema(of path: String, from source: String) -> String? {
        guard owner(of: path, from: source) != .this else { return nil }
        return candidates(path, Self.withoutTemplate(source)).map(\.schema)
            .first { FileStatus(of: $0) != .absent }
    }

    /// Whether a schema of this run makes a file of a path: its folders mirror those of the schema.
    private func isThis(_ schema: String, _ path: String) -> Bool {
        if schema == schemas { return !path.contains("/") }
        guard schema.hasPrefix(schemas + "/") else { return false }
        return Self.folder(of: String(schema.dropFirst(schemas.count + 1))) == Self.folder(of: path)
    }

    /// The source without the template: `Schemas/Book.yaml by Mock.entity.swift.mustache`.
    private static func withoutTemplate(_ source: String) -> String {
        guard source.hasSuffix(TemplateSource.suffix),
            let word = source.range(of: " by ", options: .backwards)
        else { return source }
        return String(source[..<word.lowerBound])
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// The output folders that a file may have been written to, each with the path of its schema
    /// file or folder.
    private func candidates(_ path: String, _ source: String) -> [(output: String, schema: String)]
    {
        var folder = Self.parts(output) + path.split(separator: "/").dropLast().map(String.init)
        var mirrored = source.split(separator: "/").dropLast().map(String.init)
        var found: [(output: String, schema: String)] = []
        while true {
            let root = "/" + folder.joined(separator: "/")
            let base = source.hasPrefix("./") || source.hasPrefix("../") ? root : root + "/.."
            found.append((root, Self.absolute(base + "/" + source)))
            // The set's own file is at the top; that of a schema mirrors its folders.
            guard source.hasSuffix(".yaml"), let last = mirrored.popLast(), last == folder.last
            else { return found }
            folder.removeLast()
        }
    }

    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init)
    }

    /// The path from the root, without `.` and `..`. Symbolic links are not followed, so that the
    /// result does not depend on where they lead on a machine.
    private static func absolute(_ path: String) -> String {
        let whole =
            path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        var parts: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
