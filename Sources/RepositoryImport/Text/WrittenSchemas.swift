internal import RepositorySchema
internal import RepositorySchemaParser

/// The files of schemas, with the parts of the database to which the places of the files belong.
struct WrittenSchemas {
    /// A file.
    struct File {
        let source: SchemaSource
        /// The texts that an import wrote. Everything else is text of a person.
        let texts: [PlacedText]

        /// Returns the part at a place; `nil` outside of the texts that an import wrote.
        func part(line: Int, column: Int) -> SchemaPart? {
            texts.lazy.compactMap { $0.part(line: line, column: column) }.first
        }
    }

    /// A text in a file.
    struct PlacedText {
        let text: SchemaText
        /// The number of its first line, from 1.
        var line = 1
        /// The number of spaces before each line.
        var indentation = 0

        fileprivate func part(line: Int, column: Int) -> SchemaPart? {
            guard line >= self.line, line < self.line + text.lines.count else { return nil }
            return text.part(line: line - self.line + 1, column: column - indentation)
        }
    }

    /// The settings; `nil` if there are none.
    var settings: File?
    /// The schemas.
    var files: [File]
    /// Why texts could not be added to files. The files are then incomplete.
    var problems: [SchemaEditProblem] = []
    /// The parts that can be left out together if they cause an error elsewhere, those with the
    /// least loss first.
    var optionalParts: [[SchemaPart]] = []

    /// Parses the files, and checks them if they can be parsed.
    func checked(
        with check: (SchemaSet) -> [Diagnostic]
    ) -> (set: SchemaSet, problems: [Diagnostic]) {
        let (set, found) = SchemaParser.parse(
            files: files.map(\.source), settings: settings?.source)
        return (set, found.isEmpty ? check(set) : found)
    }

    /// Returns the part at the start of a range.
    func part(at range: SourceRange) -> SchemaPart? {
        let file = ([settings].compactMap(\.self) + files)
            .first { $0.source.displayPath == range.path }
        return file?.part(line: range.start.line, column: range.start.column)
    }
}

extension WrittenSchemas.File {
    /// A file that an import writes whole.
    init(_ path: String, _ text: SchemaText) {
        source = SchemaSource(path: path, bytes: Array(text.text.utf8))
        texts = [WrittenSchemas.PlacedText(text: text)]
    }
}

extension SchemaWriter {
    /// Returns the settings and the files of all entities.
    func schemas() -> WrittenSchemas {
        WrittenSchemas(
            settings: WrittenSchemas.File(Self.settingsPath, settings()),
            files: draft.entities.map { WrittenSchemas.File(Self.path(of: $0), file(of: $0)) })
    }
}
