internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

extension Tool {
    /// Writes the file of the next version, unless the schemas are those of the last one.
    func release(_ locations: Locations) -> ExitStatus {
        reporting {
            let schemas = try logged {
                try CheckedSchemas(reading: locations, warningsAreErrors: warningsAreErrors)
            }
            guard !schemas.report.hasErrors else {
                report(schemas.report)
                return .schemaErrors
            }
            let recorded = RecordedVersions(schemas)
            let (changes, undecided) = recorded.changes(warningsAreErrors: warningsAreErrors)
            let found = schemas.report.adding(recorded.diagnostics + undecided, in: [])
            report(found)
            guard !found.hasErrors else { return .schemaErrors }
            let last = recorded.lastNumber
            guard !recorded.isReleased else {
                say("Nothing has changed since version \(last); nothing was written.")
                return .success
            }
            let name = VersionFile.name(number: last + 1)
            guard
                try write(
                    (recorded.present ?? NormalizedSchema(schemas.set)).keepingDecisions(
                        since: recorded.last, number: last + 1),
                    name, in: locations.schemas)
            else { return .schemaErrors }
            if let changes {
                let list = ChangeReport(
                    [changes], last: last + 1, stores: schemas.set.settings.stores)
                for line in list.lines { say(line) }
            }
            say(
                "Version \(last + 1) is released. Commit its file, do not edit it, and run "
                    + "'repository-generator generate'.")
            return .success
        }
    }

    /// Writes the file of a side version: of schemas that reached data without a release.
    ///
    /// - Parameters:
    ///   - name: the name of the side version.
    ///   - locations: the schemas of the other checkout.
    ///   - folder: the schema folder that gets the version.
    func release(side name: String, of locations: Locations, into folder: String) -> ExitStatus {
        reporting {
            let schemas = try logged {
                try CheckedSchemas(reading: locations, warningsAreErrors: warningsAreErrors)
            }
            let entries = try logged { try SchemaFolder(at: folder).versions }
            let versions = ReleasedVersions(entries)
            let recorded = (versions.numbered + versions.sides.map(\.file)).map {
                (entry: $0, version: RecordedVersion($0))
            }
            // A file with a wrong hash is not read any further.
            let problems =
                versions.diagnostics.isEmpty
                ? recorded.flatMap(\.version.diagnostics) : versions.diagnostics
            let found = schemas.report.adding(
                problems, in: entries.compactMap(\.source))
            report(found)
            guard !found.hasErrors else { return .schemaErrors }
            let schema = NormalizedSchema(schemas.set).withoutDecisions
            let file = VersionFile.name(side: name)
            let same = recorded.first {
                $0.version.schema.map { schema.differences(from: $0).isEmpty } ?? false
            }
            if let same {
                say("'\(same.entry.displayPath)' is this schema; nothing was written.")
                return .success
            }
            let twin = versions.sides.first { $0.name.lowercased() == name.lowercased() }
            if let twin {
                problem(
                    "\(twin.file.displayPath): error: the side version '\(twin.name)' is another "
                        + "schema; choose another name")
                problem("Nothing was written.")
                return .drift
            }
            return try write(schema, file, in: folder) ? .success : .schemaErrors
        }
    }

    /// Prints whether the schemas are those of the last version, and how to release them if not.
    ///
    /// - Parameter versions: the versions; nil if the command does not ask for it.
    func sayReleased(_ versions: RecordedVersions?) -> ExitStatus {
        guard let versions else { return .success }
        guard !versions.isReleased else {
            say("The schemas are those of version \(versions.lastNumber).")
            return .success
        }
        let difference =
            versions.lastNumber == 0
            ? "No version has been released"
            : "The schemas differ from version \(versions.lastNumber)"
        problem("\(difference); 'repository-generator release' records them.")
        return .unreleased
    }

    /// Writes a version file, after reading its text as later runs do.
    ///
    /// - Returns: whether the text can be read. If not, the errors are printed, and nothing is
    ///   written.
    /// - Throws: ``FileProblem`` if the file exists or cannot be written.
    private func write(
        _ schema: NormalizedSchema, _ name: String, in schemas: String
    ) throws -> Bool {
        let path = Locations.path(VersionFolder.path(in: schemas), name)
        let text = VersionFile.text(of: schema)
        let entry = VersionFolderEntry(
            name: name, content: .file(Array(text.utf8)), displayPath: path)
        let read = RecordedVersion(entry)
        guard let again = read.schema, again.text.utf8.elementsEqual(schema.text.utf8) else {
            let reason = read.diagnostics.first?.message ?? "it is read as another schema"
            problem("\(path): error: the version cannot be recorded: \(reason)")
            problem("Nothing was written.")
            return false
        }
        try VersionFolder.removeLeftBehind(in: schemas)
        try AtomicFile.create(text, at: path)
        say("wrote \(path)")
        return true
    }
}
