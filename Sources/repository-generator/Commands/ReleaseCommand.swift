internal import ArgumentParser
internal import RepositoryGeneratorCore

/// The `release` command: records the schema as a version.
struct ReleaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Records the schemas as the next version, in the folder 'Versions'.",
        discussion: """
            Writes 'Versions/0001.yaml' in the schema folder, then '0002.yaml' and so on; nothing if the \
            schemas are those of the last version. Commit the file, and do not edit it.

            With '--side', records the schemas of another checkout, which reached data without a release, \
            as 'Versions/side-NAME.yaml' of this one.

            Exits with 0 when there is nothing to record, too, with 1 when there is another side version \
            of the name, 2 when the schemas or versions have errors, and 3 when a file cannot be read or \
            written. Nothing is written then.
            """)

    @Option(help: "The folder of the schemas; with '--side', that of the other checkout.")
    var schemas: String?

    @Option(
        help: ArgumentHelp(
            "Record the schemas of another checkout under this name.", valueName: "name"))
    var side: String?

    @Option(
        help: ArgumentHelp(
            "With '--side': the schema folder that gets the version; 'Schemas' when left out.",
            valueName: "folder"))
    var into: String?

    @Option(help: "The module that the output is compiled into: no type may have its name.")
    var module: String?

    @Option(help: "How diagnostics are printed: text, json or sarif, as by 'generate'.")
    var diagnostics = DiagnosticsFormat.text

    @Flag(help: "Take warnings as errors.")
    var warningsAsErrors = false

    func validate() throws {
        guard let side else {
            if into != nil {
                throw ValidationError("'--into' is for '--side'; the schemas are '--schemas'")
            }
            return
        }
        guard VersionFile.isSideName(side) else {
            throw ValidationError(
                "the name of a side version has up to 64 letters, digits, '-' and '_', and begins "
                    + "with a letter or a digit")
        }
        guard schemas != nil else {
            throw ValidationError(
                "'--side' needs '--schemas': the schema folder of the other checkout")
        }
        guard !Locations.isSameFolder(schemas ?? "", into ?? "Schemas") else {
            throw ValidationError(
                "'--schemas' is the folder that gets the version: name the schema folder of the "
                    + "other checkout, or leave '--side' out")
        }
    }

    func run() throws {
        var tool = Tool.standard
        tool.format = diagnostics
        tool.warningsAreErrors = warningsAsErrors
        let locations = Locations(schemas: schemas ?? "Schemas", module: module)
        let status =
            if let side {
                tool.release(side: side, of: locations, into: into ?? "Schemas")
            } else {
                tool.release(locations)
            }
        try status.throwExit()
    }
}
