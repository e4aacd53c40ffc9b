public import RepositorySchema

/// The back half of the generator: a schema that was found right, in; Swift files, out.
///
/// It touches no disk and knows no clock: the same schema gives the same bytes.
public enum RepositoryGenerator {
    /// The files that a schema generates: one for each schema file, in their order, then one for the set.
    ///
    /// - Parameters:
    ///   - set: a schema without errors. What the validator refuses is not checked again here.
    ///   - schemaFolder: the name of the folder that the files stand in, for the header of each output.
    /// - Throws: ``TemplateError`` when a template is malformed.
    public static func render(
        _ set: SchemaSet, schemaFolder: String = "Schemas"
    ) throws -> [OutputFile] {
        let translator = SchemaTranslator(set)
        let renderer = try TemplateRenderer()
        var files = set.files.concurrentlyMapped { file in
            OutputFile(
                path: outputPath(of: file),
                text: text(of: translator.file(file), renderer, from: "\(schemaFolder)/\(file)"))
        }
        files.append(
            OutputFile(
                path: setPath(of: set),
                text: text(of: translator.setFile(), renderer, from: schemaFolder)))
        return files
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

    /// How the name of every generated file ends.
    public static let outputSuffix = ".generated.swift"

    private static func text(
        of file: FileLayer, _ renderer: TemplateRenderer, from source: String
    ) -> String {
        let body = LineBreaker.broken(renderer.render(file))
        return FileHeader(source: source, body: body).line + body
    }
}
