internal import RepositoryGeneratorCore
internal import RepositorySchema

extension Tool {
    /// Prints the changes since a version to standard output, and diagnostics to standard error.
    ///
    /// - Parameters:
    ///   - locations: the schemas.
    ///   - since: the number of a version or the path of a version file; nil for the last version.
    ///   - format: the format of the list.
    func changes(
        _ locations: Locations, since: String? = nil, as format: ChangeReport.Format = .text
    ) -> ExitStatus {
        reporting {
            let schemas = try CheckedSchemas(reading: locations)
            let recorded = RecordedVersions(schemas)
            var found = schemas.report.adding(recorded.diagnostics, in: [])
            guard !found.hasErrors else {
                report(found)
                return .schemaErrors
            }
            let last = schemas.versions.numbered.count
            guard
                let comparisons = try comparisons(
                    since: since, in: recorded.history, of: schemas, last)
            else { return .unreadable }
            found = found.adding(comparisons.last?.diagnostics ?? [], in: [])
            report(found)
            let stores = schemas.set.settings.stores
            let file = since.flatMap { Int($0) == nil ? $0 : nil }
            let list = ChangeReport(comparisons, last: last, stores: stores, file: file)
            if comparisons.isEmpty, format != .json {
                out("No version has been released; 'repository-generator release' writes one.")
            } else {
                out(String(list.text(as: format).dropLast()))
            }
            return found.hasErrors ? .schemaErrors : .success
        }
    }

    /// Prints a line for each change since the last version, if there is one.
    func sayChanges(_ set: GeneratedSet) {
        guard let comparison = set.changes, !comparison.changes.isEmpty else { return }
        let list = ChangeReport(
            [comparison], last: comparison.number,
            stores: set.schemas?.set.settings.stores ?? [])
        say("Since version \(comparison.number):")
        for line in list.lines { say(line) }
    }

    /// Returns the comparisons to print; nil if there is no such version, which is printed.
    ///
    /// - Throws: ``FileProblem`` if the file of a version cannot be read.
    private func comparisons(
        since: String?, in history: VersionHistory?, of schemas: CheckedSchemas, _ last: Int
    ) throws -> [VersionComparison]? {
        guard let since else {
            return history?.comparison.map { [$0] } ?? []
        }
        if let number = Int(since) {
            guard let history, history.versions.contains(where: { $0.number == number }) else {
                let newest = history?.versions.last.map { "; the newest is version \($0.number)" }
                problem("error: there is no version \(number)\(newest ?? "")")
                return nil
            }
            return history.comparisons(since: number)
        }
        let bytes = try BoundedFile.bytes(at: since, limit: VersionFile.limit)
        let entry = VersionFolderEntry(
            name: since.split(separator: "/").last.map(String.init) ?? since, content: .file(bytes),
            displayPath: since)
        let problems = VersionFile.problem(bytes, path: since).map { [$0] } ?? []
        let version = RecordedVersion(entry)
        guard problems.isEmpty, let set = version.set else {
            report(
                DiagnosticReport([], in: []).adding(
                    problems.isEmpty ? version.diagnostics : problems, in: [(since, bytes)]))
            return nil
        }
        return [VersionComparison(from: set, number: last, to: schemas.set)]
    }
}
