internal import RepositorySchema

/// Creates the loaders of a repository: one property for each relation, and one for each reference.
///
/// For the relation `books: { of: Book, by: author }` of an author, the loader has this expression:
///
/// ```swift
/// RepositoryRuntime.RelationLoader(context, by: "authorID")
/// ```
/// For the reference `author` of a book, it has this one:
///
/// ```swift
/// RepositoryRuntime.ReferenceLoader(context, by: "authorID")
/// ```
struct RelationTranslator {
    /// The entity that declares the relations.
    let entity: EntityDeclaration
    let scope: SchemaScope
    /// The access level with a trailing space, or an empty string.
    let access: String

    /// The loaders in the order of the relations, then of the references.
    var layers: [RelationLayer] {
        let relations = entity.relations.enumerated().compactMap { index, relation in
            RelationPath(relation, of: entity, scope).map {
                layer(relation, $0, isSeparated: index > 0)
            }
        }
        return relations
            + references.enumerated().map { index, reference in
                layer(
                    reference.field, to: reference.target,
                    isSeparated: index > 0 || !relations.isEmpty)
            }
    }

    /// The references whose names are free in the repository, as members of it, with their
    /// targets.
    private var references: [(field: FieldDeclaration, target: EntityDeclaration)] {
        var taken = RepositoryMembers.names.union(entity.queries.map(\.name.value))
            .union(entity.relations.map(\.name.value))
        if entity.softDelete != nil { taken.formUnion(RepositoryMembers.softDeleting) }
        return scope.fields(of: entity).compactMap { field in
            guard let target = scope.singleReference(field),
                scope.property(of: field) != field.name.value,
                taken.insert(field.name.value).inserted
            else { return nil }
            return (field, target)
        }
    }

    /// The loader of a reference.
    private func layer(
        _ field: FieldDeclaration, to target: EntityDeclaration, isSeparated: Bool
    ) -> RelationLayer {
        let (call, loader) = (field.name.value, "RepositoryRuntime.ReferenceLoader")
        return RelationLayer(
            isSeparated: isSeparated,
            documentation: [
                "/// The \(Prose.noun(target.header.name.value)) to which "
                    + "\(Prose.withArticle(name)) refers by `\(call)`.",
                "///",
                "/// `\(call)(of:)` takes one \(Prose.noun(name)) or many, loaded together.",
            ],
            attributes: Prose.availability(field.deprecated),
            signature: signature(
                Naming.escaped(call), loader, [OutputNames.own(name), Self.record(target)]),
            body: "\(loader)(context, by: \(SwiftLiteral.string(scope.property(of: field))))")
    }

    /// The text between `var` and the opening brace, broken as `swift format` breaks it if the line
    /// is too long.
    private func signature(_ property: String, _ type: String, _ arguments: [String]) -> String {
        let list = arguments.joined(separator: ", ")
        let line = "\(property): \(type)<\(list)>"
        if "    \(access)var \(line) {".count <= LineBreaker.width { return line }
        let indented = "        \(type)<\(list)>"
        let lines =
            indented.count <= LineBreaker.width
            ? [indented]
            : ["        \(type)<"]
                + [arguments.map { "            \($0)" }.joined(separator: ",\n"), "        >"]
        return "\(property):\n\(lines.joined(separator: "\n"))\n   "
    }

    /// The name of the entity.
    private var name: String { entity.header.name.value }

    /// The loader of a relation.
    private func layer(
        _ relation: RelationDeclaration, _ path: RelationPath, isSeparated: Bool
    ) -> RelationLayer {
        var arguments = ["context"] + Self.arguments(of: path.link, scope)
        let order = sortKeys(relation, path.target)
        if !order.isEmpty {
            let names = order.map { ($0.descending ? "-" : "") + scope.property(of: $0.field) }
            arguments.append("sortedBy: \(SwiftLiteral.strings(names))")
        }
        if let limit = relation.limit { arguments.append("limit: \(limit.value)") }
        let loader = "RepositoryRuntime.RelationLoader"
        return RelationLayer(
            isSeparated: isSeparated, documentation: documentation(relation, path),
            attributes: Prose.availability(relation.deprecated),
            signature:
                "\(Naming.escaped(relation.name.value)): \(loader)<\(OutputNames.own(name)), \(Self.record(path.target))>",
            body: "\(loader)(\(arguments.joined(separator: ", ")))")
    }

    /// The arguments that say how the two entities are connected.
    static func arguments(of link: RelationPath.Link, _ scope: SchemaScope) -> [String] {
        func property(_ field: FieldDeclaration) -> String {
            SwiftLiteral.string(scope.property(of: field))
        }
        switch link {
        case .field(let field): return ["by: \(property(field))"]
        case .join(let join, let from, let to):
            return [
                "through: \(record(join)).self", "from: \(property(from))", "to: \(property(to))",
            ]
        }
    }

    /// The fields of the sort order with their directions.
    private func sortKeys(
        _ relation: RelationDeclaration, _ target: EntityDeclaration
    ) -> [(field: FieldDeclaration, descending: Bool)] {
        let fields = scope.fields(of: target)
        return relation.sort.compactMap { key in
            fields.first { $0.name.value == key.field.value }
                .map { (field: $0, descending: key.descending) }
        }
    }

    /// The type of an entity. A deprecated entity is named by its mapper's `Record`, so that the
    /// output compiles without warnings.
    static func record(_ entity: EntityDeclaration) -> String {
        let name = entity.header.name.value
        return entity.header.deprecated == nil ? OutputNames.own(name) : "\(name)Mapper.Record"
    }

    /// The doc comment: the description from the schema or a generated one, followed by the usage.
    private func documentation(_ relation: RelationDeclaration, _ path: RelationPath) -> [String] {
        let (noun, article) = (Prose.noun(name), Prose.withArticle(name))
        let call = relation.name.value
        let usage = [
            "///",
            "/// `\(call)(of:)` takes one \(noun) or many, or their ids; many are loaded together.",
        ]
        if let doc = relation.doc, !doc.isEmpty { return Prose.documentation(doc) + usage }
        let records = Prose.plural(path.target.header.name.value)
        let subject =
            switch path.link {
            case .field(let field):
                "The \(records) that refer to \(article) by `\(field.name.value)`"
            case .join(let join, _, _):
                "The \(records) that \(Prose.plural(join.header.name.value)) join to \(article)"
            }
        let keys = sortKeys(relation, path.target).map { key in
            (key.descending ? "descending " : "") + "`\(key.field.name.value)`"
        }
        let order = keys.isEmpty ? "in id order" : "sorted by " + keys.joined(separator: ", then ")
        let limit = relation.limit.map { ", at most \($0.value) for each" } ?? ""
        return ["/// \(subject), \(order)\(limit)."] + usage
    }
}
