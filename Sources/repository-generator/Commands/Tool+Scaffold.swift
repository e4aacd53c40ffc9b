internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

extension Tool {
    /// Writes a first schema and its generated files. If a file is in the way, it writes nothing.
    ///
    /// - Parameters:
    ///   - name: the name of the type that contains the repositories.
    ///   - locations: the folders.
    func scaffold(_ name: String, at locations: Locations) -> ExitStatus {
        reporting {
            let scaffold = Scaffold(name: name, locations: locations)
            if let reason = scaffold.reasonAgainstName {
                problem(
                    "error: '\(name)' cannot be the name of the type of all repositories: \(reason)"
                )
                problem("Nothing was written.")
                return .schemaErrors
            }
            let missing = scaffold.files.filter { FileStatus(of: $0.path) == .absent }
            let set = try GeneratedSet(
                try SchemaFolder(at: locations.schemas, adding: missing), locations,
                warningsAreErrors: warningsAreErrors)
            report(set.report)
            guard let files = set.files else { return .schemaErrors }
            let plan = try OutputPlan(
                files, in: locations.outputFolder(named: set.outputName), of: locations.schemas)
            guard plan.refused.isEmpty else {
                for change in plan.refused { problem(change.refusal) }
                problem("Nothing was written. Move these files elsewhere.")
                return .drift
            }
            try write(missing, plan, scaffold)
            say("\n" + scaffold.packageFragment)
            return .success
        }
    }

    /// Writes the schemas and the generated files. If one of them cannot be written, it deletes all
    /// of them again.
    private func write(_ missing: [OutputFile], _ plan: OutputPlan, _ scaffold: Scaffold) throws {
        var lines: [String] = []
        do {
            for file in missing { try AtomicFile.write(file.text, to: file.path) }
            try plan.apply { lines.append("\($0) \($1)") }
        } catch {
            plan.withdrawAdded()
            for file in missing {
                // A failed deletion is not reported; the error that led here is.
                try? AtomicFile.delete(file.path)
            }
            AtomicFile.removeIfEmpty(scaffold.locations.schemas)
            throw error
        }
        for file in scaffold.files {
            say((missing.contains { $0.path == file.path } ? "wrote " : "kept ") + file.path)
        }
        for line in lines { say(line) }
        say(plan.summary)
    }
}
