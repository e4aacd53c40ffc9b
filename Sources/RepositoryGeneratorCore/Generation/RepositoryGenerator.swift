internal import Foundation
public import RepositorySchema

/// The back end of the generator: it turns a validated schema into Swift files.
///
/// It does not access the disk or the clock. The same schema always produces the same bytes.
///
/// The pipeline has two stages. ``SchemaTranslator`` turns the declarations into layers, and makes
/// all decisions. ``TemplateRenderer`` places the text of the layers into templates. The output is
/// then wrapped by ``LineBreaker`` and gets a ``FileHeader``.
public enum RepositoryGenerator {
    /// Renders the output files of a schema: one file per schema file, in their order, then the
    /// file of the set, then the files of the user's templates. Schema files are rendered
    /// concurrently.
    ///
    /// - Parameters:
    ///   - set: A schema without errors. This function does not repeat the checks of the validator.
    ///   - schemaFolder: The name of the schema folder, for the header of each output file.
    ///   - templates: Templates without errors, or nil for the built-in templates.
    ///   - cache: The cache of earlier runs, for sets whose `revisions` come from one
    ///     ``SchemaCache``. Cached files are not rendered again, and newly rendered files are
    ///     added to the cache. The cache is not used together with `templates`, because it does not
    ///     track changes of templates.
    /// - Throws: ``TemplateError`` if a built-in template is malformed.
    public static func render(
        _ set: SchemaSet, schemaFolder: String = "Schemas", templates: TemplateSet? = nil,
        cache: RenderCache? = nil
    ) throws -> [OutputFile] {
        try render(
            set, history: nil, schemaFolder: schemaFolder, templates: templates, cache: cache)
    }

    /// Renders the output files of a schema that has released versions.
    ///
    /// If a version needs functions of the program, the file of the set is followed by one with
    /// their protocol and the types of old versions.
    ///
    /// - Parameter history: The released versions; nil if there are none.
    package static func render(
        _ set: SchemaSet, history: VersionHistory?, schemaFolder: String = "Schemas",
        templates: TemplateSet? = nil, cache: RenderCache? = nil
    ) throws -> [OutputFile] {
        let cache = templates == nil ? cache : nil
        let isNoted = cache != nil
        let translator = SchemaTranslator(set)
        let scope = translator.scope
        let templates = try (templates ?? TemplateSet.builtIn()).naming(scope.names)
        let renderer = TemplateRenderer(templates)
        cache?.begin(
            RenderCache.Frame(
                settings: set.settings, schemaFolder: schemaFolder, names: scope.names),
            files: set.files)
        let known = set.files.map { cache?.output(of: $0, in: scope) }
        let missing = zip(set.files, known).filter { $1 == nil }.map(\.0)
        let made = missing.concurrentlyMapped { file -> (output: OutputFile, names: Set<String>) in
            let (layer, names) =
                isNoted ? translator.notedFile(file) : (translator.file(file), [])
            return (output(of: file, layer, renderer, schemaFolder), names)
        }
        for (file, made) in zip(missing, made) {
            cache?.keep(made.output, of: file, dependingOn: made.names, in: scope)
        }
        var rest = made[...]
        let files = known.compactMap { $0 ?? rest.popFirst()?.output }
        return files
            + ownFiles(translator, history).map { path, layer in
                OutputFile(path: path, text: text(of: layer, renderer, from: schemaFolder))
            }
            + AddedFiles.rendered(translator, with: templates, schemaFolder: schemaFolder)
    }

    /// Returns the complete render context of a schema as JSON, in a stable order.
    ///
    /// `set` holds the facts of the schema, for templates that add files of their own. `files`
    /// holds the translated Swift, for templates that replace built-in ones.
    ///
    /// - Parameters:
    ///   - set: A schema without errors.
    ///   - history: The released versions; nil if there are none.
    package static func context(
        of set: SchemaSet, history: VersionHistory? = nil
    ) -> JSONValue {
        let translator = SchemaTranslator(set)
        let layers =
            set.files.map { (outputPath(of: $0), translator.file($0)) }
            + ownFiles(translator, history)
        let files = layers.map { path, layer -> JSONValue in
            ["path": .string(path), "file": layer.json]
        }
        return ["set": SetModel(translator).json, "files": .array(files)]
    }

    /// Returns the layers of the files that the set has besides those of its schema files, with
    /// their paths: that of the set, and that of old versions if a version needs functions.
    private static func ownFiles(
        _ translator: SchemaTranslator, _ history: VersionHistory?
    ) -> [(path: String, layer: FileLayer)] {
        let set = translator.scope.set
        let versions = history.flatMap {
            VersionsTranslator($0, scope: translator.scope, access: translator.access)
        }
        let parts = history.map { $0.stored.textParts } ?? []
        let setFile = translator.setFile(history: parts, needsFunctions: versions != nil)
        return [(setPath(of: set), setFile)]
            + (versions.map { [(versionsPath(of: set), $0.file)] } ?? [])
    }

    /// Returns the path of the output of a schema file: `people/Author.yaml` →
    /// `people/Author.generated.swift`.
    ///
    /// Other extensions than `.yaml` are kept.
    public static func outputPath(of schemaFile: String) -> String {
        let stem = schemaFile.hasSuffix(".yaml") ? String(schemaFile.dropLast(5)) : schemaFile
        return stem + outputSuffix
    }

    /// Returns the path of the set's own file, for example `Library.repositories.generated.swift`.
    public static func setPath(of set: SchemaSet) -> String {
        set.settings.name + ".repositories" + outputSuffix
    }

    /// Returns the path of the file with the types of old versions, for example
    /// `Library.versions.generated.swift`.
    static func versionsPath(of set: SchemaSet) -> String {
        set.settings.name + ".versions" + outputSuffix
    }

    /// The suffix of the name of every generated Swift file.
    public static let outputSuffix = OutputFile.mark + "swift"

    /// Returns whether a file name has the form of a generated file, in any supported language.
    public static func isNamedAsOutput(_ name: String) -> Bool {
        guard let mark = name.range(of: OutputFile.mark, options: .backwards) else { return false }
        return CommentForm(ending: String(name[mark.upperBound...])) != nil
    }

    /// Renders the output of a schema file.
    private static func output(
        of file: String, _ layer: FileLayer, _ renderer: TemplateRenderer, _ schemaFolder: String
    ) -> OutputFile {
        OutputFile(
            path: outputPath(of: file),
            text: text(of: layer, renderer, from: "\(schemaFolder)/\(file)"))
    }

    /// Renders a layer, wraps long lines, and prepends the header. The header contains a checksum
    /// of the body, so the body is final by then.
    private static func text(
        of file: FileLayer, _ renderer: TemplateRenderer, from source: String
    ) -> String {
        let body = LineBreaker.broken(renderer.render(file))
        return FileHeader(source: source, body: body).line + body
    }
}

extension RepositoryGenerator {
    /// The Swift and runtime types that the output names and can qualify with their modules.
    package static var namedTypes: Set<String> { Set(OutputNames.moduleOfType.keys) }
}
