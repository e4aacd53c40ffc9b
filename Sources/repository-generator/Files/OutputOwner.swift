internal import Foundation
internal import RepositoryGeneratorCore

/// Determines the schema folder that a generated file belongs to.
///
/// Several schema folders may share an output folder, or have nested ones. A run must neither
/// overwrite nor delete the files of another schema folder. The header of a generated file names
/// its source as a path. If the schema folder is next to the output folder, the path begins with
/// its name (`Schemas/people/Author.yaml`); otherwise it is relative to the output folder (`./…`,
/// `../…`).
///
/// The output mirrors the folders of the schemas. Therefore the path of a file and its source
/// together determine the output folder that it was written to and the location of its schema. This
/// needs neither records next to the files nor absolute paths.
struct OutputOwner {
    /// The owner of a generated file.
    enum Owner: Equatable {
        /// The schema folder of this run.
        case this
        /// Another schema folder, at this path, or one that wrote to another output folder.
        case other(String)
        /// Another schema folder that no longer exists: it was renamed or moved, or its output was
        /// copied to this folder.
        case gone
    }

    /// The absolute path of the schema folder.
    private let schemas: String
    /// The absolute path of the output folder.
    private let output: String

    /// Creates the owner of a run's files.
    ///
    /// - Parameters:
    ///   - schemas: the folder of the schemas.
    ///   - output: the folder of the output.
    init(schemas: String, output: String) {
        self.schemas = Self.absolute(schemas)
        self.output = Self.absolute(output)
    }

    /// The path of the schema folder in headers.
    ///
    /// If the two folders have only the root in common, as for output to a temporary folder, it is
    /// the name alone. A relative path would then contain folders of the machine.
    var folderInHeaders: String {
        let (from, to) = (Self.parts(output), Self.parts(schemas))
        let name = to.last ?? "Schemas"
        guard from.dropLast() != to.dropLast() else { return name }
        let common = zip(from, to).prefix { $0 == $1 }.count
        guard common > 0 else { return name }
        let up = Array(repeating: "..", count: from.count - common)
        return ((up.isEmpty ? ["."] : up) + to[common...]).joined(separator: "/")
    }

    /// Returns the owner of a generated file.
    ///
    /// - Parameters:
    ///   - path: the path of the file, relative to the output folder.
    ///   - source: the source in the file's header.
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

    /// Returns the schema file or folder of another schema folder that a generated file was
    /// generated from, if it exists.
    func otherSchema(of path: String, from source: String) -> String? {
        guard owner(of: path, from: source) != .this else { return nil }
        return candidates(path, Self.withoutTemplate(source)).map(\.schema)
            .first { FileStatus(of: $0) != .absent }
    }

    /// Returns whether a schema of this run may generate a file at a path. The folders of the file
    /// must mirror those of the schema.
    private func isThis(_ schema: String, _ path: String) -> Bool {
        if schema == schemas { return !path.contains("/") }
        guard schema.hasPrefix(schemas + "/") else { return false }
        return Self.folder(of: String(schema.dropFirst(schemas.count + 1))) == Self.folder(of: path)
    }

    /// Returns the source without its template, as in `Schemas/Book.yaml by
    /// Mock.entity.swift.mustache`.
    private static func withoutTemplate(_ source: String) -> String {
        guard source.hasSuffix(TemplateSource.suffix),
            let word = source.range(of: " by ", options: .backwards)
        else { return source }
        return String(source[..<word.lowerBound])
    }

    /// Returns the folder of a path; the empty string for a path without a slash.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// Returns the output folders that a file may have been written to, each with the path of the
    /// file's schema file or folder.
    ///
    /// The first candidate is the folder of the file. Each common last component of that folder and
    /// of the source leads to another candidate, one folder further up.
    private func candidates(_ path: String, _ source: String) -> [(output: String, schema: String)]
    {
        var folder = Self.parts(output) + path.split(separator: "/").dropLast().map(String.init)
        var mirrored = source.split(separator: "/").dropLast().map(String.init)
        var found: [(output: String, schema: String)] = []
        while true {
            let root = "/" + folder.joined(separator: "/")
            let base = source.hasPrefix("./") || source.hasPrefix("../") ? root : root + "/.."
            found.append((root, Self.absolute(base + "/" + source)))
            // The file of the whole schema folder is at the top level. That of a schema mirrors the
            // schema's folders.
            guard source.hasSuffix(".yaml"), let last = mirrored.popLast(), last == folder.last
            else { return found }
            folder.removeLast()
        }
    }

    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init)
    }

    /// Returns an absolute path without `.` and `..`.
    ///
    /// It does not resolve symbolic links, so that the result does not depend on their targets.
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
