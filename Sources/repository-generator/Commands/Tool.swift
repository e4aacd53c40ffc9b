internal import Foundation
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// The implementation of the commands, independent of argument parsing and of the terminal.
///
/// Each command returns an ``ExitStatus`` and prints its own errors. Output goes through ``out``
/// and ``problem``, for which tests provide their own functions.
struct Tool: Sendable {
    /// Prints a line to standard output.
    let out: @Sendable (String) -> Void
    /// Prints a line to standard error.
    let problem: @Sendable (String) -> Void

    /// The format of diagnostics.
    var format = DiagnosticsFormat.text
    /// Whether a warning prevents that files are written, as an error does.
    var warningsAreErrors = false

    /// Returns the folder of the run cache; `nil` to use no cache.
    var cacheFolder: @Sendable (Locations) -> String? = { _ in nil }

    /// The tool for a terminal.
    static let standard = Tool(
        out: { print($0) },
        problem: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) },
        cacheFolder: { RunCache.folder(for: $0) })

    /// Writes the generated files.
    func generate(_ locations: Locations, force: Bool) -> ExitStatus {
        generate(locations, force: force) { say($0) }
    }

    /// Writes the generated files.
    ///
    /// - Parameters:
    ///   - locations: the folders.
    ///   - force: whether files that were edited by hand are overwritten.
    ///   - cache: the cache of the previous runs of a program that watches for changes.
    ///   - say: receives a line for each written or deleted file, and then a summary.
    func generate(
        _ locations: Locations, force: Bool, cache: WatchCache? = nil, say: (String) -> Void
    ) -> ExitStatus {
        reporting {
            let run = try read(locations)
            if let count = try run.standingCount() {
                report(DiagnosticReport([], in: []))
                say(OutputPlan.summary(written: 0, deleted: 0, unchanged: count))
                return .success
            }
            guard let (set, plan) = try plan(run, cache) else { return .schemaErrors }
            let refused = force ? [] : plan.refused
            guard refused.isEmpty else {
                for change in refused { problem(change.refusal) }
                problem("Nothing was written. Move your changes elsewhere, or use '--force'.")
                return .drift
            }
            try plan.apply { say("\($0) \($1)") }
            run.remember(set)
            say(plan.summary)
            return .success
        }
    }

    /// Prints the differences between the generated files and their expected contents. It writes no
    /// files.
    ///
    /// - Parameters:
    ///   - locations: the folders.
    ///   - released: whether the schemas must be those of the last released version.
    func check(_ locations: Locations, released: Bool = false) -> ExitStatus {
        reporting {
            let run = try read(locations)
            // The changes since a version are printed each time.
            if !released, run.folder.versions.isEmpty, let count = try run.standingCount() {
                report(DiagnosticReport([], in: []))
                say("All \(count) generated files are up to date.")
                return .success
            }
            let set = try generated(run)
            let versions = released ? set.versions : nil
            // An undecided change is a difference, too, and is reported once.
            let differences = set.files == nil ? [] : versions?.unreleased ?? []
            report(set.report.adding(differences, in: []))
            guard let files = set.files else { return .schemaErrors }
            let plan = try outputPlan(files, set, run)
            for change in plan.changes { say(change.difference) }
            sayChanges(set)
            guard !plan.changes.isEmpty else {
                say("All \(plan.unchangedCount) generated files are up to date.")
                return sayReleased(versions)
            }
            problem(plan.driftSummary)
            _ = sayReleased(versions)
            return .drift
        }
    }

    /// Prints the context of the templates as JSON.
    func dumpContext(of locations: Locations) -> ExitStatus {
        reporting {
            let schemas = try CheckedSchemas(
                reading: locations, warningsAreErrors: warningsAreErrors)
            // Standard output is reserved for the context.
            if let text = schemas.report.text(as: .text) { problem(text) }
            guard !schemas.report.hasErrors else { return .schemaErrors }
            out(
                String(
                    RepositoryGenerator.context(
                        of: schemas.set, history: RecordedVersions(schemas).history
                    ).indentedText.dropLast()))
            return .success
        }
    }

    /// Generates in memory and compares the result with the output folder.
    ///
    /// - Returns: the generated files and the necessary changes; `nil` if the schemas have errors.
    /// - Throws: ``FileProblem``.
    private func plan(
        _ run: GeneratorRun, _ cache: WatchCache? = nil
    ) throws -> (GeneratedSet, OutputPlan)? {
        let set = try generated(run, cache)
        report(set.report)
        guard let files = set.files else { return nil }
        return (set, try outputPlan(files, set, run))
    }

    /// Generates in memory. Nothing is printed.
    ///
    /// - Throws: ``FileProblem``.
    private func generated(
        _ run: GeneratorRun, _ cache: WatchCache? = nil
    ) throws -> GeneratedSet {
        try logged {
            try GeneratedSet(
                run.folder, run.locations, warningsAreErrors: warningsAreErrors, cache: cache)
        }
    }

    /// Compares generated files with the output folder.
    ///
    /// - Throws: ``FileProblem``.
    private func outputPlan(
        _ files: [OutputFile], _ set: GeneratedSet, _ run: GeneratorRun
    ) throws -> OutputPlan {
        try OutputPlan(
            files, in: run.locations.outputFolder(named: set.outputName),
            of: run.locations.schemas)
    }

    /// Reads the schemas, with the run cache if there is one.
    private func read(_ locations: Locations) throws -> GeneratorRun {
        let cache = cacheFolder(locations).map { RunCache(in: $0, for: locations) }
        return try logged { try GeneratorRun(locations, cache) }
    }

    /// Runs `body`. If it throws, a SARIF log is printed all the same, because consumers expect one
    /// for every run.
    func logged<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            if format == .sarif { out(SARIFLog(failure: "\(error)").text) }
            throw error
        }
    }

    /// Prints diagnostics in the selected format, to standard output or standard error.
    func report(_ report: DiagnosticReport) {
        guard let text = report.text(as: format) else { return }
        format.takesOutput ? out(text) : problem(text)
    }

    /// Prints a line about the progress for people: to standard error if standard output is
    /// reserved for diagnostics.
    func say(_ line: String) {
        format.takesOutput ? problem(line) : out(line)
    }

    /// Runs a command. If it throws, the error is printed and the status is
    /// ``ExitStatus/unreadable``.
    func reporting(_ body: () throws -> ExitStatus) -> ExitStatus {
        do {
            return try body()
        } catch {
            problem(error is FileProblem ? "\(error)" : "error: \(error)")
            return .unreadable
        }
    }
}
