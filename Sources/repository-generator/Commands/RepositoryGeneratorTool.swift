internal import ArgumentParser

/// The command-line tool with its subcommands.
///
/// The subcommands only parse their arguments. ``Tool`` does the work.
@main
struct RepositoryGeneratorTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repository-generator",
        abstract: "Generates Swift types, mappers and repositories from YAML schemas.",
        version: ToolVersion.current,
        subcommands: [
            GenerateCommand.self, CheckCommand.self, InitCommand.self, ImportCommand.self,
            InspectCommand.self, DiagramCommand.self, ChangesCommand.self, ReleaseCommand.self,
            SchemaCommand.self,
        ])
}

/// The options of the commands that read schemas.
struct SchemaOptions: ParsableArguments {
    @Option(help: "The folder of the schemas.")
    var schemas = "Schemas"

    @Option(
        help: """
            The folder of the generated files; beside the schemas and of the name that the settings \
            say, when left out.
            """)
    var output: String?

    @Option(help: "The module that the output is compiled into: no type may have its name.")
    var module: String?

    @Option(
        help: """
            How diagnostics are printed: text for people; json, one object a line, or sarif, a log of \
            SARIF 2.1.0, to standard output, where nothing else is printed then.
            """)
    var diagnostics = DiagnosticsFormat.text

    @Flag(help: "Take warnings as errors.")
    var warningsAsErrors = false

    @Option(
        help: """
            A folder of Mustache templates that take the place of built-in ones, or make more files; what \
            the settings say, when left out.
            """)
    var templates: String?

    /// The folders and the module that the options name.
    var locations: Locations {
        Locations(schemas: schemas, output: output, templates: templates, module: module)
    }

    /// The tool for a terminal, with these options.
    var tool: Tool {
        var tool = Tool.standard
        tool.format = diagnostics
        tool.warningsAreErrors = warningsAsErrors
        return tool
    }
}

/// The `generate` command: writes the generated files that changed.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes the generated files that changed, and deletes those without a schema.",
        discussion: """
            Exits with 1 when a file was edited by hand, 2 when the schemas have errors, and 3 when a \
            file cannot be read or written. Nothing is written then.
            """)

    @OptionGroup var options: SchemaOptions

    @Flag(help: "Overwrite files that were edited by hand.")
    var force = false

    @Flag(help: "Stay, and generate again after every change, until interrupted.")
    var watch = false

    @Flag(help: "Print what templates are given, as JSON, and write nothing.")
    var dumpContext = false

    func run() throws {
        let tool = options.tool
        guard !dumpContext else {
            return try tool.dumpContext(of: options.locations).throwExit()
        }
        let status =
            watch
            ? tool.watch(options.locations, force: force)
            : tool.generate(options.locations, force: force)
        try status.throwExit()
    }
}

/// The `check` command: prints what `generate` would change.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Prints the difference between the generated files and what they should be.",
        discussion: """
            Writes nothing. Exits with 1 when a file is missing, out of date, edited by hand or left \
            over, 2 when the schemas have errors, 3 when a file cannot be read, and with '--released' 4 \
            when the files are up to date and the schemas are not those of the last released version.
            """)

    @OptionGroup var options: SchemaOptions

    @Flag(help: "Fail if the schemas differ from the last released version, too.")
    var released = false

    func run() throws {
        try options.tool.check(options.locations, released: released).throwExit()
    }
}

/// The `init` command: writes a first schema.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a first schema, settings and the generated files; overwrites nothing.",
        discussion: "Prints what to add to Package.swift.")

    @Argument(help: "The type that holds the repositories.")
    var name = "Repositories"

    @OptionGroup var options: SchemaOptions

    func run() throws {
        try options.tool.scaffold(name, at: options.locations).throwExit()
    }
}
