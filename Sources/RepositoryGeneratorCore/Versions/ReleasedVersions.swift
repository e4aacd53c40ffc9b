package import RepositorySchema

/// An entry of the folder `Versions`.
package struct VersionFolderEntry: Sendable {
    /// What the entry is.
    package enum Content: Sendable {
        /// A file with its bytes: at most one more than ``VersionFile/limit``.
        case file([UInt8])
        /// Something else, as a noun with its article: `a folder`.
        case other(String)
    }

    /// The name in the folder.
    package var name: String
    /// What the entry is.
    package var content: Content
    /// The path for diagnostics: `Schemas/Versions/0001.yaml`.
    package var displayPath: String

    /// Creates an entry.
    package init(name: String, content: Content, displayPath: String) {
        self.name = name
        self.content = content
        self.displayPath = displayPath
    }

    /// The path and the bytes of a file, for the excerpts of diagnostics; nil for anything else.
    package var source: (path: String, bytes: [UInt8])? {
        if case .file(let bytes) = content { return (displayPath, bytes) }
        return nil
    }

    /// The bytes of a file; empty for anything else.
    package var bytes: [UInt8] {
        if case .file(let bytes) = content { return bytes }
        return []
    }
}

/// The released versions of a schema folder, with the problems of their files.
///
/// The files of the numbered versions are `0001.yaml`, `0002.yaml`, … without gaps. Those of the
/// side versions are `side-<name>.yaml`. The schemas in the files are not parsed here.
package struct ReleasedVersions: Sendable {
    /// The name of the folder in the schema folder.
    package static let folder = "Versions"

    /// The files of the numbered versions: at index 0 that of version 1. Complete only if there are
    /// no diagnostics.
    package private(set) var numbered: [VersionFolderEntry] = []
    /// The files of the side versions by name, in the order of the names.
    package private(set) var sides: [(name: String, file: VersionFolderEntry)] = []
    /// The problems of the folder, its files and the setting `oldest`.
    package private(set) var diagnostics: [Diagnostic] = []

    /// Checks the entries of the folder.
    ///
    /// - Parameters:
    ///   - entries: All entries that are not hidden, in any order. Empty if there is no folder.
    ///   - oldest: The setting `oldest`, which must be the number of a version.
    package init(_ entries: [VersionFolderEntry], oldest: Located<Int>? = nil) {
        var numbers: [Int: VersionFolderEntry] = [:]
        var names: [String: VersionFolderEntry] = [:]
        let entries = entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        // A file with the right name comes first, so that others are reported beside it.
        for isNamedRight in [true, false] {
            for entry in entries {
                switch EntryName(entry.name) {
                case .number(let number, let isRight) where isRight == isNamedRight:
                    take(entry, number, &numbers)
                case .side(let name) where isNamedRight: take(entry, side: name, &names)
                case .foreign(let help) where isNamedRight:
                    add("'\(entry.name)' is not the file of a version", entry, help: help)
                case .number, .side, .foreign: continue
                }
            }
        }
        checkGaps(numbers)
        checkOldest(oldest, numbers)
    }

    /// Adds the file of a numbered version.
    private mutating func take(
        _ entry: VersionFolderEntry, _ number: Int, _ numbers: inout [Int: VersionFolderEntry]
    ) {
        if let first = numbers[number] {
            add(
                "this is a second file of version \(number)", entry, help: "delete one of them",
                other: first)
            return
        }
        numbers[number] = entry
        let name = VersionFile.name(number: number)
        if entry.name != name {
            add(
                "the file of version \(number) must be named '\(name)'", entry,
                help: "rename it to '\(name)'")
        }
        checkContent(entry)
    }

    /// Adds the file of a side version.
    private mutating func take(
        _ entry: VersionFolderEntry, side name: String, _ names: inout [String: VersionFolderEntry]
    ) {
        if let first = names[name.lowercased()] {
            add(
                "two side versions are named '\(name)', ignoring case", entry,
                help: "rename one of them", other: first)
            return
        }
        names[name.lowercased()] = entry
        sides.append((name, entry))
        checkContent(entry)
    }

    /// Checks that an entry is a file as `release` wrote it.
    private mutating func checkContent(_ entry: VersionFolderEntry) {
        switch entry.content {
        case .file(let bytes):
            if let problem = VersionFile.problem(bytes, path: entry.displayPath) {
                diagnostics.append(problem)
            }
        case .other(let noun):
            add("this is \(noun), and a version is a file", entry, help: "replace it by the file")
        }
    }

    /// Checks that the numbers are 1, 2, 3, …, and collects the files in their order.
    private mutating func checkGaps(_ numbers: [Int: VersionFolderEntry]) {
        var next = 1
        for (number, entry) in numbers.sorted(by: { $0.key < $1.key }) {
            numbered.append(entry)
            if number != next {
                let missing =
                    number - next == 1
                    ? "version \(next) is missing"
                    : "versions \(next) to \(number - 1) are missing"
                add(
                    "\(missing) before version \(number)", entry,
                    help: "restore '\(VersionFile.name(number: next))' from version control; if it "
                        + "was never released, rename this file to that")
            }
            next = number + 1
        }
    }

    /// Checks that the setting names a version.
    private mutating func checkOldest(
        _ oldest: Located<Int>?, _ numbers: [Int: VersionFolderEntry]
    ) {
        guard let oldest, numbers[oldest.value] == nil else { return }
        let help =
            numbers.keys.max().map { "the newest is version \($0)" }
            ?? "no version has been released; 'repository-generator release' writes one"
        diagnostics.append(
            Diagnostic(
                "there is no version \(oldest.value)", at: oldest.range, help: help,
                rule: .version))
    }

    private mutating func add(
        _ message: String, _ entry: VersionFolderEntry, help: String,
        other: VersionFolderEntry? = nil
    ) {
        func start(_ entry: VersionFolderEntry) -> SourceRange {
            SourceRange(path: entry.displayPath, start: .start, end: .start)
        }
        diagnostics.append(
            Diagnostic(
                message, at: start(entry), help: help,
                notes: other.map { [Diagnostic.Note("the other one is here", at: start($0))] }
                    ?? [],
                rule: .version))
    }
}

/// What the name of an entry says.
private enum EntryName {
    /// The number of a version, and whether the name has the form that `release` writes.
    case number(Int, isRight: Bool)
    /// The name of a side version.
    case side(String)
    /// Neither. The help says what to do.
    case foreign(help: String)

    init(_ name: String) {
        let help = "move it elsewhere: the folder holds files such as '0001.yaml' only"
        guard name.hasSuffix(".yaml") else {
            let isMisspelt = name.hasSuffix(".yml")
            self = .foreign(help: isMisspelt ? "rename it to '\(name.dropLast(4)).yaml'" : help)
            return
        }
        let stem = name.dropLast(5)
        if stem.hasPrefix("side-") {
            let side = String(stem.dropFirst(5))
            self =
                VersionFile.isSideName(side)
                ? .side(side)
                : .foreign(
                    help: "the name of a side version has letters, digits, '-' and '_': "
                        + "'side-beta.yaml'")
        } else if !stem.isEmpty, stem.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(stem), number > 0
        {
            self = .number(number, isRight: VersionFile.name(number: number) == name)
        } else {
            self = .foreign(help: help)
        }
    }
}
