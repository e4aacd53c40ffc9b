internal import Mustache
internal import RepositorySchema

/// The files that the user's own templates make.
struct AddedFiles {
    /// The paths of all of them, each with its template.
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

    /// A file stands in the folder that mirrors that of the entity's schema.
    private static func path(of template: AddedTemplate, for header: DeclarationHeader) -> String {
        let folders = header.sourceFile.split(separator: "/").dropLast().map { $0 + "/" }
        return folders.joined() + template.fileName(for: header.name.value)
    }

    /// The files, in the order of the templates and of the entities.
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

    private static func file(
        _ path: String, _ template: AddedTemplate, from source: String, _ text: String?
    ) -> OutputFile {
        // The library holds the template: it was read with the others.
        let isSwift = template.ending == "swift"
        let body = isSwift ? LineBreaker.broken(text ?? "") : text ?? ""
        let header = FileHeader(
            source: "\(source) by \(template.name)\(TemplateSource.suffix)", body: body)
        return OutputFile(
            path: path,
            text: isSwift ? header.line + body : header.text(in: template.form, before: body))
    }
}
