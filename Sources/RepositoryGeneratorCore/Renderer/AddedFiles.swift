internal import Mustache
internal import RepositorySchema

/// The files that the user's own templates produce, in addition to the built-in output.
///
/// The template `Mock.entity.swift.mustache` produces `people/Author.Mock.generated.swift` for the
/// schema file `people/Author.yaml`.
struct AddedFiles {
    /// The paths of all such files, each with its template.
    static func paths(
        of templates: TemplateSet, in set: SchemaSet
    ) -> [(path: String, template: AddedTemplate)] {
        let entities = SchemaScope(set).entities
        return templates.added.flatMap { template in
            switch template.kind {
            case .set: [(template.fileName(for: set.settings.name), template)]
            case .entity: entities.map { (path(of: template, for: $0.header), template) }
            }
        }
    }

    /// The path mirrors the folder of the entity's schema file.
    private static func path(of template: AddedTemplate, for header: DeclarationHeader) -> String {
        let folders = header.sourceFile.split(separator: "/").dropLast().map { $0 + "/" }
        return folders.joined() + template.fileName(for: header.name.value)
    }

    /// Renders the files, in the order of the templates and then of the entities. Entities are
    /// rendered concurrently.
    static func rendered(
        _ translator: SchemaTranslator, with templates: TemplateSet, schemaFolder: String
    ) -> [OutputFile] {
        guard !templates.added.isEmpty else { return [] }
        let set = SetModel(translator).context
        return templates.added.flatMap { template -> [OutputFile] in
            switch template.kind {
            case .set:
                let name = translator.scope.set.settings.name
                return [
                    file(
                        template.fileName(for: name), template, from: schemaFolder,
                        templates.library.render(
                            set, withTemplate: template.name))
                ]
            case .entity:
                return translator.scope.entities.concurrentlyMapped { entity in
                    let context = EntityContext(entity, in: set, translator)
                    return file(
                        path(of: template, for: entity.header), template,
                        from: "\(schemaFolder)/\(entity.header.sourceFile)",
                        templates.library.render(context, withTemplate: template.name))
                }
            }
        }
    }

    /// Creates an output file with a header. Swift files are wrapped at the line limit; other
    /// formats are written as rendered, with the header in their comment syntax.
    private static func file(
        _ path: String, _ template: AddedTemplate, from source: String, _ text: String?
    ) -> OutputFile {
        // The lookup cannot fail: the template is part of the library.
        let isSwift = template.ending == "swift"
        let body = isSwift ? LineBreaker.broken(text ?? "") : text ?? ""
        let origin = "\(source) by \(template.name)\(TemplateSource.suffix)"
        guard !isSwift else {
            return OutputFile(
                path: path, text: FileHeader(source: origin, body: body).line + body)
        }
        let header = FileHeader(source: origin, body: body, in: template.form)
        return OutputFile(path: path, text: header.text(in: template.form, before: body))
    }
}
