internal import ArgumentParser
internal import RepositoryGeneratorCore

/// The `changes` command: prints what has changed since a version, with a verdict for each change.
struct ChangesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "Prints the changes since a version, and what each of them means.",
        discussion: """
            For each change: its code and place, what happens to stored data, what of the Swift code \
            that uses the types breaks, whether an older program works on the new data, and what each \
            store of the settings reads and writes.

            Writes nothing. Exits with 0 when the list is printed, with 2 when the schemas have errors, \
            and 3 when a file cannot be read. A change that needs a decision and has none is an error; \
            the list is printed all the same.
            """)

    @Option(help: "The folder of the schemas.")
    var schemas = "Schemas"

    @Option(
        help: ArgumentHelp(
            "The number of a version, or the path of a version file; the last version when left out.",
            valueName: "version"))
    var since: String?

    @Option(help: "How the list is printed: text, markdown or json.")
    var format = ChangeReport.Format.text

    @Option(help: "The module that the output is compiled into: no type may have its name.")
    var module: String?

    func run() throws {
        let locations = Locations(schemas: schemas, module: module)
        try Tool.standard.changes(locations, since: since, as: format).throwExit()
    }
}

extension ChangeReport.Format: ExpressibleByArgument {}
