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

/// All released versions of a folder, for the code that is generated for old data.
struct RecordedVersions {
    /// The versions; nil if there are none or if a file has errors.
    let history: VersionHistory?
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
        diagnostics =
            numbered.flatMap(\.version.diagnostics) + sides.flatMap(\.version.diagnostics)
        guard diagnostics.isEmpty, let last = numbered.last?.version.schema else {
            history = nil
            return
        }
        let present = NormalizedSchema(schemas.set)
        history = VersionHistory(
            versions: numbered.compactMap { item in
                item.version.set.map {
                    VersionHistory.Version(
                        number: item.number, hash: VersionFile.hash(of: item.entry.bytes), set: $0)
                }
            },
            sides: sides.compactMap { side in side.version.set.map { (side.name, $0) } },
            isReleased: present.differences(
                from: last, number: schemas.versions.numbered.count + 1
            ).isEmpty)
    }
}

/// The schemas of a folder compared with the last released version.
struct ReleaseComparison {
    /// The number of the last version; 0 if there is none.
    let lastNumber: Int
    /// The schema of the last version; nil if there is none or its file has errors.
    let last: NormalizedSchema?
    /// The present schema.
    let present: NormalizedSchema
    /// The differences between the two. Empty if there is no version.
    let differences: [VersionDifference]
    /// The errors of the last version's file.
    let diagnostics: [Diagnostic]

    /// Compares schemas without errors.
    init(_ schemas: CheckedSchemas) {
        present = NormalizedSchema(schemas.set)
        lastNumber = schemas.versions.numbered.count
        let recorded = schemas.versions.numbered.last.map { RecordedVersion($0) }
        last = recorded?.schema
        diagnostics = recorded?.diagnostics ?? []
        differences =
            recorded?.schema.map { [present, lastNumber] in
                present.differences(from: $0, number: lastNumber + 1)
            } ?? []
    }

    /// Whether the last version is the present schema.
    var isReleased: Bool { last != nil && differences.isEmpty }

    /// The errors of the last version's file, and the differences as errors at their places.
    var allDiagnostics: [Diagnostic] {
        diagnostics
            + differences.map { difference in
                Diagnostic(
                    difference.message, at: difference.range,
                    notes: difference.earlier.map {
                        [Diagnostic.Note("version \(lastNumber) has it here", at: $0)]
                    } ?? [],
                    rule: .unreleased)
            }
    }
}
