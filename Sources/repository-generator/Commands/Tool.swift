internal import Foundation
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// The commands, apart from their arguments and from the terminal.
struct Tool: Sendable {
    /// Prints a line of the result.
    let out: @Sendable (String) -> Void
    /// Prints a line about what went wrong.
    let problem: @Sendable (String) -> Void

    /// How diagnostics are printed.
    var format = DiagnosticsFormat.text
    /// Whether a warning keeps files from being written, as an error does.
    var warningsAreErrors = false

    /// The folder where runs are remembered; nil where they are not.
    var cacheFolder: @Sendable (Locations) -> String? = { _ in nil }

    /// The tool at a terminal.
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
    ///   - memory: what is remembered of the run before, by who stays.
    ///   - say: is told a line for each file that was touched, then one of the whole.
    func generate(
        _ locations: Locations, force: Bool, memory: RunMemory? = nil, say: (String) -> Void
    ) -> ExitStatus {
        reporting {
            let run = try read(locations)
            if let count = try run.standingCount() {
                report(DiagnosticReport([], in: []))
                say(OutputPlan.summary(written: 0, deleted: 0, unchanged: count))
                return .success
            }
            guard let (set, plan) = try plan(run, memory) else { return .schemaErrors }
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

    /// Prints how the generated files differ from what they should be.
    func check(_ locations: Locations) -> ExitStatus {
        reporting {
            let run = try read(locations)
            if let count = try run.standingCount() {
                report(DiagnosticReport([], in: []))
                say("All \(count) generated files are up to date.")
                return .success
            }
            guard let (_, plan) = try plan(run) else { return .schemaErrors }
            for change in plan.changes { say(change.difference) }
            guard !plan.changes.isEmpty else {
                say("All \(plan.unchangedCount) generated files are up to date.")
                return .success
            }
            problem(plan.driftSummary)
            return .drift
        }
    }

    /// Prints what templates are given.
    func dumpContext(of locations: Locations) -> ExitStatus {
        reporting {
            let schemas = try CheckedSchemas(
                reading: locations, warningsAreErrors: warningsAreErrors)
            // Standard output belongs to the context.
            if let text = schemas.report.text(as: .text) { problem(text) }
            guard !schemas.report.hasErrors else { return .schemaErrors }
            out(String(RepositoryGenerator.context(of: schemas.set).indentedText.dropLast()))
            return .success
        }
    }

    /// What must be done; nil where the schemas have errors.
    private func plan(
        _ run: GeneratorRun, _ memory: RunMemory? = nil
    ) throws -> (GeneratedSet, OutputPlan)? {
        let set = try logged {
            try GeneratedSet(
                run.folder, run.locations, warningsAreErrors: warningsAreErrors, memory: memory)
        }
        report(set.report)
        guard let files = set.files else { return nil }
        let folder = run.locations.outputFolder(named: set.outputName)
        return (set, try OutputPlan(files, in: folder))
    }

    private func read(_ locations: Locations) throws -> GeneratorRun {
        let cache = cacheFolder(locations).map { RunCache(in: $0, for: locations) }
        return try logged { try GeneratorRun(locations, cache) }
    }

    /// Whoever reads a log wants one of every run, also of one that fails.
    private func logged<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            if format == .sarif { out(SARIFLog(failure: "\(error)").text) }
            throw error
        }
    }

    func report(_ report: DiagnosticReport) {
        guard let text = report.text(as: format) else { return }
        format.takesOutput ? out(text) : problem(text)
    }

    /// Prints for people what was done.
    func say(_ line: String) {
        format.takesOutput ? problem(line) : out(line)
    }

    func reporting(_ body: () throws -> ExitStatus) -> ExitStatus {
        do {
            return try body()
        } catch {
            problem(error is FileProblem ? "\(error)" : "error: \(error)")
            return .unreadable
        }
    }
}
