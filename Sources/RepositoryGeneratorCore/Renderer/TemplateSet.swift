internal import Mustache
public import RepositorySchema
internal import Templates

/// The templates of a run: the built-in templates, with the user's replacements and additions.
public struct TemplateSet: Sendable {
    /// The parsed templates by name.
    private(set) var library: MustacheLibrary
    /// The names of the built-in templates that are not replaced.
    private let builtInNames: Set<String>
    /// The templates that add files, sorted by name.
    let added: [AddedTemplate]
    /// The source location of each template that adds files.
    let places: [String: SourceRange]

    /// Returns the built-in templates. They are parsed once per process.
    ///
    /// - Throws: ``TemplateError`` if one is malformed.
    public static func builtIn() throws -> TemplateSet {
        TemplateSet(
            library: try builtInLibrary.get(), builtInNames: Set(BuiltInTemplate.all.map(\.name)),
            added: [], places: [:])
    }

    /// Parses the user's templates and combines them with the built-in ones.
    ///
    /// - Parameter sources: The files of the template folder, in any order.
    /// - Returns: The templates, and the errors and warnings for those of the user. If there is an
    ///   error, the templates must not be rendered.
    /// - Throws: ``TemplateError`` if a built-in template is malformed.
    public static func read(
        _ sources: [TemplateSource]
    ) throws -> (templates: TemplateSet, diagnostics: [Diagnostic]) {
        var reader = TemplateReader(library: try builtInLibrary.get())
        for source in sources.sorted(by: { $0.name < $1.name }) { reader.read(source) }
        reader.checkPartials()
        let templates = TemplateSet(
            library: reader.library, builtInNames: reader.builtInNames, added: reader.added,
            places: reader.places)
        return (templates, reader.diagnostics)
    }

    /// Returns the templates for a set whose types hide types of Swift or the runtime: built-in
    /// templates qualify the hidden names with their modules. Templates of the user are not
    /// changed; they use `{{types.…}}`.
    func naming(_ names: OutputNames) throws -> TemplateSet {
        guard !names.hidden.isEmpty else { return self }
        var copy = self
        for template in BuiltInTemplate.all where builtInNames.contains(template.name) {
            try Self.register(
                names.qualified(template: template.text), template.name, &copy.library)
        }
        return copy
    }

    /// The parsed built-in templates, or the error of the one that is malformed.
    private static let builtInLibrary = Result {
        var library = MustacheLibrary()
        for template in BuiltInTemplate.all {
            try register(template.text, template.name, &library)
        }
        return library
    }

    /// Parses a built-in template. Wraps the engine's error in a ``TemplateError``.
    private static func register(
        _ text: String, _ name: String, _ library: inout MustacheLibrary
    ) throws {
        do {
            try library.register(text, named: name)
        } catch {
            throw TemplateError(template: name, reason: "\(error)")
        }
    }
}
