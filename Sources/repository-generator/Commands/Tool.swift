internal import Foundation
internal import RepositoryGeneratorCore

/// The commands, apart from their arguments and from the terminal.
struct Tool: Sendable {
    /// Prints a line of the result.
    let out: @Sendable (String) -> Void
    /// Prints a line about what went wrong.
    let problem: @Sendable (String) -> Void

    /// How diagnostics are printed.
    var format = DiagnosticsFormat.text

    /// The tool at a terminal.
    static let standard = Tool(
        out: { print($0) },
        problem: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) })

    /// Writes the generated files.
    func generate(_ locations: Locations, force: Bool) -> ExitStatus {
        reporting {
            guard let plan = try plan(locations) else { return .schemaErrors }
            let refused = force ? [] : plan.refused
            guard refused.isEmpty else {
                for change in refused { problem(change.refusal) }
                problem("Nothing was written. Move your changes elsewhere, or use '--force'.")
                return .drift
            }
            try plan.apply { say("\($0) \($1)") }
            say(plan.summary)
            return .success
        }
    }

    /// Prints how the generated files differ from what they should be.
    func check(_ locations: Locations) -> ExitStatus {
        reporting {
            guard let plan = try plan(locations) else { return .schemaErrors }
            for change in plan.changes { say(change.difference) }
            guard !plan.changes.isEmpty else {
                say("All \(plan.unchangedCount) generated files are up to date.")
                return .success
            }
            problem(plan.driftSummary)
            return .drift
        }
    }

    /// Writes a first schema and what it generates.
    func scaffold(_ name: String, at locations: Locations) -> ExitStatus {
        reporting {
            guard Scaffold.isUsable(name) else {
                problem("error: '\(name)' cannot be the name of a Swift type")
                return .schemaErrors
            }
            for file in Scaffold(name: name, locations: locations).files {
                if FileStatus(of: file.path) == .absent {
                    try AtomicFile.write(file.text, to: file.path)
                    say("wrote \(file.path)")
                } else {
                    say("kept \(file.path)")
                }
            }
            let status = generate(locations, force: false)
            guard status == .success else { return status }
            say("\n" + Scaffold(name: name, locations: locations).packageFragment)
            return .success
        }
    }

    private func plan(_ locations: Locations) throws -> OutputPlan? {
        let result = try read(locations)
        if let text = result.report.text(as: format) {
            format.takesOutput ? out(text) : problem(text)
        }
        guard let files = result.files else { return nil }
        return try OutputPlan(files, in: locations.outputFolder(named: result.outputName))
    }

    private func read(_ locations: Locations) throws -> GeneratedSet {
        do {
            return try GeneratedSet(reading: locations)
        } catch {
            // Whoever reads a log wants one of every run.
            if format == .sarif { out(SARIFLog(failure: "\(error)").text) }
            throw error
        }
    }

    /// Prints for people what was done.
    private func say(_ line: String) {
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
