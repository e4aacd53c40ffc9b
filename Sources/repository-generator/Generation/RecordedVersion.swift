internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

/// A schema that was read from a version file.
struct RecordedVersion {
    /// The declarations; nil if the file has errors.
    let set: SchemaSet?
    /// The schema; nil if the file has errors.
    let schema: NormalizedSchema?
    /// The errors. A file with the right hash has none, unless another version of the tool wrote
    /// it.
    let diagnostics: [Diagnostic]

    /// Parses the file of a version whose hash has been checked.
    init(_ entry: VersionFolderEntry) {
        let source = SchemaSource(
            path: "\(ReleasedVersions.folder)/\(entry.name)", bytes: entry.bytes,
            displayPath: entry.displayPath)
        let (set, problems) = SchemaParser.parse(version: source)
        diagnostics = problems
        self.set = problems.isEmpty ? set : nil
        schema = problems.isEmpty ? NormalizedSchema(set) : nil
    }
}

/// The released versions of a folder, and the schemas of the folder compared with the last one.
struct RecordedVersions {
    /// The versions; nil if there are none or if a file has errors.
    let history: VersionHistory?
    /// The number of the last version; 0 if there is none.
    let lastNumber: Int
    /// The schema of the last version; nil if there is none or if a file has errors.
    let last: NormalizedSchema?
    /// The present schema in normal form; nil if there is no version to compare it with.
    let present: NormalizedSchema?
    /// The differences from the last version. Empty if there is none.
    let differences: [VersionDifference]
    /// The errors of the files.
    let diagnostics: [Diagnostic]

    /// Reads the files of versions whose hashes have been checked.
    ///
    /// - Parameter schemas: schemas without errors.
    init(_ schemas: CheckedSchemas) {
        let oldest = schemas.set.settings.oldest?.value ?? 1
        let numbered = schemas.versions.numbered.enumerated().dropFirst(oldest - 1)
            .map { (number: $0 + 1, entry: $1, version: RecordedVersion($1)) }
        let sides = schemas.versions.sides.map {
            (name: $0.name, version: RecordedVersion($0.file))
        }
        lastNumber = schemas.versions.numbered.count
        diagnostics =
            numbered.flatMap(\.version.diagnostics) + sides.flatMap(\.version.diagnostics)
        guard diagnostics.isEmpty, let last = numbered.last?.version.schema else {
            history = nil
            self.last = nil
            present = nil
            differences = []
            return
        }
        let present = NormalizedSchema(schemas.set)
        self.last = last
        self.present = present
        differences = present.differences(from: last, number: lastNumber + 1)
        history = VersionHistory(
            versions: numbered.compactMap { item in
                item.version.set.map {
                    VersionHistory.Version(
                        number: item.number, hash: VersionFile.hash(of: item.entry.bytes), set: $0)
                }
            },
            sides: sides.compactMap { side in side.version.set.map { (side.name, $0) } },
            present: schemas.set, isReleased: differences.isEmpty)
    }

    /// Whether the last version is the present schema.
    var isReleased: Bool { last != nil && differences.isEmpty }

    /// The differences as errors at their places.
    var unreleased: [Diagnostic] {
        differences.map { difference in
            Diagnostic(
                difference.message, at: difference.range,
                notes: difference.earlier.map {
                    [Diagnostic.Note("version \(lastNumber) has it here", at: $0)]
                } ?? [],
                rule: .unreleased)
        }
    }

    /// Compares the last version with the present schema.
    ///
    /// - Parameter warningsAreErrors: whether warnings are reported as errors.
    /// - Returns: the comparison, nil if there is no version; and the errors of changes that are
    ///   undecided or that stores cannot carry out.
    func changes(
        warningsAreErrors: Bool
    ) -> (comparison: VersionComparison?, diagnostics: [Diagnostic]) {
        guard let history, let comparison = history.comparison else { return (nil, []) }
        let found = comparison.diagnostics.map { warningsAreErrors ? $0.asError : $0 }
        return (comparison, comparison.isDecided ? found + history.problems : found)
    }
}
