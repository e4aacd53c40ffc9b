internal import Mustache
public import RepositorySchema
internal import Templates

/// The templates that files are rendered with: the built-in ones, and those of the user that take their place or make
/// more files.
public struct TemplateSet: Sendable {
    /// The parsed templates by name.
    let library: MustacheLibrary
    /// The templates that make files of their own, in the order of their names.
    let added: [AddedTemplate]
    /// Where each of those stands.
    private let places: [String: SourceRange]

    /// The built-in templates.
    ///
    /// - Throws: ``TemplateError`` when one is malformed.
    public static func builtIn() throws -> TemplateSet {
        TemplateSet(library: try builtInLibrary(), added: [], places: [:])
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
            library: reader.library, added: reader.added, places: reader.places)
        return (templates, reader.diagnostics)
    }

    /// What keeps the templates from making files for a set: two files of one name.
    public func problems(with set: SchemaSet) -> [Diagnostic] {
        guard !added.isEmpty else { return [] }
        var diagnostics: [Diagnostic] = []
        var taken: [String: String] = [:]
        let fixed = set.files.map { RepositoryGenerator.outputPath(of: $0) }
        for path in fixed + [RepositoryGenerator.setPath(of: set)] {
            taken[Self.key(path)] = path
        }
        for (path, template) in AddedFiles.paths(of: self, in: set) {
            if let other = taken[Self.key(path)], let place = places[template.name] {
                diagnostics.append(
                    Diagnostic(
                        "the file '\(path)' would have the name of '\(other)'", at: place,
                        help: "rename the template", rule: .template))
            }
            taken[Self.key(path)] = path
        }
        return diagnostics
    }

    /// Two files of one key cannot stand in one module: the compiler refuses twins in several folders, and some file
    /// systems those that differ by case.
    private static func key(_ path: String) -> String {
        let name = path.hasSuffix(".swift") ? path.split(separator: "/").last.map(String.init) : nil
        return (name ?? path).lowercased()
    }

    private static func builtInLibrary() throws -> MustacheLibrary {
        var library = MustacheLibrary()
        for template in BuiltInTemplate.all {
            do {
                try library.register(template.text, named: template.name)
            } catch {
                throw TemplateError(template: template.name, reason: "\(error)")
            }
        }
        return library
    }
}
