internal import RepositorySchema

/// Checks the names of schema files: each is the base of the name of an output file, and the compiler
/// refuses two files of one name in a module.
struct FileNames {
    private let setBase: String
    private var seen: [String: SchemaSource] = [:]

    /// Begins with no files.
    ///
    /// - Parameter setName: The settings' `name`.
    init(setName: String) {
        setBase = "\(setName).repositories"
    }

    /// What is wrong with the name of a file, also beside those that were asked about before.
    mutating func problem(with file: SchemaSource) -> Diagnostic? {
        let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
        let range = SourceRange(path: file.displayPath, start: .start, end: .start)
        guard name.hasSuffix(".yaml"), name != ".yaml" else {
            let base = name.hasSuffix(".yml") ? String(name.dropLast(4)) : name
            return Diagnostic(
                "the name of a schema file ends in '.yaml'", at: range,
                help: "rename it to '\(base).yaml'")
        }
        let base = String(name.dropLast(5))
        if base.lowercased() == setBase.lowercased() {
            return Diagnostic(
                "the output of this file would be that of the whole set, "
                    + "'\(setBase).generated.swift'",
                at: range, help: "rename the file")
        }
        if let twin = seen[base.lowercased()] {
            let twinRange = SourceRange(path: twin.displayPath, start: .start, end: .start)
            return Diagnostic(
                "two schema files are called '\(base)', ignoring case", at: range,
                help: "rename one of them: the compiler refuses two files of one name in a module",
                notes: [Diagnostic.Note("the other one is here", at: twinRange)])
        }
        seen[base.lowercased()] = file
        return nil
    }
}

/// Finds files that hold what another one holds, byte for byte: of their types each would be declared twice.
struct FileCopies {
    private var seen: [[UInt8]: SchemaSource] = [:]

    /// What is wrong with a file that is a copy of one that was asked about before.
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
