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
    private let places: [String: SourceRange]

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
