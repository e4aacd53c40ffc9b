internal import Mustache

/// Renders the built-in output files: those of the schema files and of the set.
struct TemplateRenderer {
    /// The parsed templates.
    private let library: MustacheLibrary

    /// Creates a renderer for a set of templates.
    init(_ templates: TemplateSet) {
        library = templates.library
    }

    /// Renders the text of a file, without its header.
    func render(_ file: FileLayer) -> String {
        // The lookup cannot fail: `BuiltInTemplate.all` contains the name.
        library.render(file, withTemplate: "file") ?? ""
    }
}

/// An error in the syntax of a built-in template.
public struct TemplateError: Error, Sendable, CustomStringConvertible {
    /// The template's name.
    public let template: String
    /// The message of the template engine.
    public let reason: String

    /// A description of the error.
    public var description: String { "the template '\(template)' is malformed: \(reason)" }
}
