internal import Mustache
public import RepositorySchema
internal import Templates

/// The templates that files are rendered with: the built-in ones, and those of the user that take their place or make
/// more files.
public struct TemplateSet: Sendable {
    /// The parsed templates by name.
    private(set) var library: MustacheLibrary
    /// The names of the built-in templates that are in use.
    private let builtInNames: Set<String>
    /// The templates that make files of their own, in the order of their names.
    let added: [AddedTemplate]
    /// Where each of those stands.
    let places: [String: SourceRange]

    /// The built-in templates.
    ///
    /// - Throws: ``TemplateError`` when one is malformed.
    public static func builtIn() throws -> TemplateSet {
        TemplateSet(
            library: try builtInLibrary(), builtInNames: Set(BuiltInTemplate.all.map(\.name)),
            added: [], places: [:])
    }

    /// Reads templates of the user's over the built-in ones.
    ///
    /// - Parameter sources: the files of a folder, in any order.
    /// - Returns: The templates, and what is wrong or odd with those of the user; where something is wrong, nothing may be
    ///   rendered.
    /// - Throws: ``TemplateError`` when a built-in one is malformed.
    public static func read(
        _ sources: [TemplateSource]
    ) throws -> (templates: TemplateSet, diagnostics: [Diagnostic]) {
        var reader = TemplateReader(library: try builtInLibrary())
        for source in sources.sorted(by: { $0.name < $1.name }) { reader.read(source) }
        reader.checkPartials()
        let templates = TemplateSet(
            library: reader.library, builtInNames: reader.builtInNames, added: reader.added,
            places: reader.places)
        return (templates, reader.diagnostics)
    }

    /// The same templates for a set with types that hide those of Swift or the runtime: the built-in ones name these with
    /// their modules.
    func naming(_ names: OutputNames) throws -> TemplateSet {
        guard !names.hidden.isEmpty else { return self }
        var copy = self
        for template in BuiltInTemplate.all where builtInNames.contains(template.name) {
            try Self.register(
                names.qualified(template: template.text), template.name, &copy.library)
        }
        return copy
    }

    private static func builtInLibrary() throws -> MustacheLibrary {
        var library = MustacheLibrary()
        for template in BuiltInTemplate.all {
            try register(template.text, template.name, &library)
        }
        return library
    }

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
