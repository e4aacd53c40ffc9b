internal import ArgumentParser
internal import RepositoryGeneratorCore

/// The `diagram` command: prints the entity-relationship diagram of the schemas.
struct DiagramCommand: ParsableCommand {
    /// The language of the diagram.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        /// The language of Mermaid, for Markdown.
        case mermaid
        /// The language of Graphviz.
        case dot
        /// An image.
        case svg
    }

    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Prints the entities, their fields and how they refer to each other.",
        discussion: """
            Exits with 2 when the schemas have errors, and 3 when a file cannot be read. Nothing is \
            printed then.
            """)

    @Option(help: "The folder of the schemas.")
    var schemas = "Schemas"

    @Option(
        help: "The language: mermaid, which Markdown shows, dot for Graphviz, or svg, a picture.")
    var format = Format.mermaid

    @Flag(help: "Show values, unions and enums, too.")
    var types = false

    func run() throws {
        let locations = Locations(schemas: schemas)
        let options = EntityDiagram.Options(showsTypes: types)
        let status = Tool.standard.diagram(locations, options) { diagram in
            switch format {
            case .mermaid: diagram.mermaid
            case .dot: diagram.dot
            case .svg: diagram.svg
            }
        }
        try status.throwExit()
    }
}

extension Tool {
    /// Prints the diagram of the schemas. Diagnostics are printed as text to standard error.
    ///
    /// - Parameters:
    ///   - locations: the folders.
    ///   - options: what the diagram shows.
    ///   - text: renders the diagram.
    func diagram(
        _ locations: Locations, _ options: EntityDiagram.Options = EntityDiagram.Options(),
        as text: (EntityDiagram) -> String
    ) -> ExitStatus {
        reporting {
            let schemas = try CheckedSchemas(reading: locations)
            if let text = schemas.report.text(as: .text) { problem(text) }
            guard !schemas.report.hasErrors else { return .schemaErrors }
            out(String(text(EntityDiagram(schemas.set, options: options)).dropLast()))
            return .success
        }
    }
}
