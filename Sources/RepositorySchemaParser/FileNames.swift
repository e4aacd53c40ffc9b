internal import RepositorySchema

/// Checks the names of schema files. Each name is the base of an output file's name, and a Swift
/// module cannot contain two files with the same name.
struct FileNames {
    /// The base name of the set's own output file, which no schema file may have.
    private let setBase: String
    /// The checked files by the lower-case base of their names, because file systems may ignore
    /// case.
    private var seen: [String: SchemaSource] = [:]

    /// Creates a check without any files.
    ///
    /// - Parameter setName: The settings' `name`.
    init(setName: String) {
        setBase = "\(setName).repositories"
    }

    /// The problem with a file's name, also in relation to the files checked before; nil if there
    /// is none.
    mutating func problem(with file: SchemaSource) -> Diagnostic? {
        let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
        let range = SourceRange(path: file.displayPath, start: .start, end: .start)
        guard name.hasSuffix(".yaml"), name != ".yaml" else {
            let base = name.hasSuffix(".yml") ? String(name.dropLast(4)) : name
            return Diagnostic(
                "the name of a schema file ends in '.yaml'", at: range,
                help: "rename it to '\(base).yaml'")
        }
        guard !file.path.unicodeScalars.contains(where: Self.isUnprintable) else {
            return Diagnostic(
                "the path of a schema file holds a character that cannot be printed", at: range,
                help: "rename the file or its folder: the header of its output shows the path")
        }
        let base = String(name.dropLast(5))
        if base.lowercased() == setBase.lowercased() {
            return Diagnostic(
                "the output file would have the same name as that of the whole set, "
                    + "'\(setBase).generated.swift'",
                at: range, help: "rename the file")
        }
        if let twin = seen[base.lowercased()] {
            let twinRange = SourceRange(path: twin.displayPath, start: .start, end: .start)
            return Diagnostic(
                "two schema files are named '\(base)', ignoring case", at: range,
                help: "rename one of them: a Swift module cannot contain two files with the same "
                    + "name",
                notes: [Diagnostic.Note("the other one is here", at: twinRange)])
        }
        seen[base.lowercased()] = file
        return nil
    }

    /// Control characters, line breaks, and what shows the characters behind it in another order.
    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}

/// Finds files with the same contents as another file. All of their types would be declared twice.
struct FileCopies {
    private var seen: [[UInt8]: SchemaSource] = [:]

    /// The problem with a file that is a copy of one checked before; nil if it is not a copy.
    mutating func problem(with file: SchemaSource) -> Diagnostic? {
        guard let original = seen[file.bytes] else {
            seen[file.bytes] = file
            return nil
        }
        return Diagnostic(
            "the file is a copy of '\(original.displayPath)'",
            at: SourceRange(path: file.displayPath, start: .start, end: .start),
            help: "delete one of them")
    }
}
