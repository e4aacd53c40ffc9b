internal import Mustache

/// Renders the files that are made of every schema.
struct TemplateRenderer {
    private let library: MustacheLibrary

    init(_ templates: TemplateSet) {
        library = templates.library
    }

    /// The text of a file after its header.
    func render(_ file: FileLayer) -> String {
        // The library holds the name, because `BuiltInTemplate.all` does.
        library.render(file, withTemplate: "file") ?? ""
    }
}

/// A template that is malformed.
public struct TemplateError: Error, Sendable, CustomStringConvertible {
    /// The template's name.
    public let template: String
    /// What the template engine says of it.
    public let reason: String

    /// The error in words.
    public var description: String { "the template '\(template)' is malformed: \(reason)" }
}
