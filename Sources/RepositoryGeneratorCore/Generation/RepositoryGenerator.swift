internal import Foundation
public import RepositorySchema

/// The back half of the generator: a schema that was found right, in; Swift files, out.
///
/// It touches no disk and knows no clock: the same schema gives the same bytes.
public enum RepositoryGenerator {
    /// The files that a schema generates: one for each schema file, in their order, then one for the set, then
    /// those of the user's templates.
    ///
    /// - Parameters:
    ///   - set: a schema without errors. What the validator refuses is not checked again here.
    ///   - schemaFolder: the name of the folder that the files stand in, for the header of each output.
    ///   - templates: templates without errors; nil for the built-in ones.
    ///   - memory: what was made before of sets whose `revisions` come from one ``SchemaMemory``: files that stand in it are
    ///     not made again, and those that are made are kept there. It is not used with templates, whose files it does not know.
    /// - Throws: ``TemplateError`` when a built-in template is malformed.
    public static func render(
        _ set: SchemaSet, schemaFolder: String = "Schemas", templates: TemplateSet? = nil,
        memory: RenderMemory? = nil
    ) throws -> [OutputFile] {
        let memory = templates == nil ? memory : nil
        let isNoted = memory != nil
        let translator = SchemaTranslator(set)
        let scope = translator.scope
        let templates = try (templates ?? TemplateSet.builtIn()).naming(scope.names)
        let renderer = TemplateRenderer(templates)
        memory?.begin(
            RenderMemory.Frame(
                settings: set.settings, schemaFolder: schemaFolder, names: scope.names),
            files: set.files)
        let known = set.files.map { memory?.output(of: $0, in: scope) }
        let missing = zip(set.files, known).filter { $1 == nil }.map(\.0)
        let made = missing.concurrentlyMapped { file -> (output: OutputFile, names: Set<String>) in
            let (layer, names) =
                isNoted ? translator.notedFile(file) : (translator.file(file), [])
            return (output(of: file, layer, renderer, schemaFolder), names)
        }
        for (file, made) in zip(missing, made) {
            memory?.keep(made.output, of: file, dependingOn: made.names, in: scope)
        }
        var rest = made[...]
        let files = known.compactMap { $0 ?? rest.popFirst()?.output }
        return files + [setOutput(translator, renderer, schemaFolder)]
            + AddedFiles.rendered(translator, with: templates, schemaFolder: schemaFolder)
    }

    /// All that templates are given for a schema, in an order that does not change: `set`, the facts, for templates that
    /// make files of their own, and `files`, the Swift, for those that take the place of built-in ones.
    public static func context(of set: SchemaSet) -> JSONValue {
        let translator = SchemaTranslator(set)
        let layers =
            set.files.map { (outputPath(of: $0), translator.file($0)) }
            + [(setPath(of: set), translator.setFile())]
        let files = layers.map { path, layer -> JSONValue in
            ["path": .string(path), "file": layer.json]
        }
        return ["set": SetModel(translator).json, "files": .array(files)]
    }

    /// The path of what a schema file generates: `people/Author.yaml` → `people/Author.generated.swift`.
    public static func outputPath(of schemaFile: String) -> String {
        let stem = schemaFile.hasSuffix(".yaml") ? String(schemaFile.dropLast(5)) : schemaFile
        return stem + outputSuffix
    }

    /// The path of the set's own file: `Library.repositories.generated.swift`.
    public static func setPath(of set: SchemaSet) -> String {
        set.settings.name + ".repositories" + outputSuffix
    }

    /// How the name of every generated Swift file ends.
    public static let outputSuffix = OutputFile.mark + "swift"

    /// Whether a file is called like a generated one, of whatever kind.
    public static func isNamedAsOutput(_ name: String) -> Bool {
        guard let mark = name.range(of: OutputFile.mark, options: .backwards) else { return false }
        return CommentForm(ending: String(name[mark.upperBound...])) != nil
    }

    private static func output(
        of file: String, _ layer: FileLayer, _ renderer: TemplateRenderer, _ schemaFolder: String
    ) -> OutputFile {
        OutputFile(
            path: outputPath(of: file),
            text: text(of: layer, renderer, from: "\(schemaFolder)/\(file)"))
    }

    private static func setOutput(
        _ translator: SchemaTranslator, _ renderer: TemplateRenderer, _ schemaFolder: String
    ) -> OutputFile {
        OutputFile(
            path: setPath(of: translator.scope.set),
            text: text(of: translator.setFile(), renderer, from: schemaFolder))
    }

    private static func text(
        of file: FileLayer, _ renderer: TemplateRenderer, from source: String
    ) -> String {
        let body = LineBreaker.broken(renderer.render(file))
        return FileHeader(source: source, body: body).line + body
    }
}

extension RepositoryGenerator {
    /// The types of Swift and the runtime that the output names, and can name with their modules.
    package static var namedTypes: Set<String> { Set(OutputNames.moduleOfType.keys) }
}
