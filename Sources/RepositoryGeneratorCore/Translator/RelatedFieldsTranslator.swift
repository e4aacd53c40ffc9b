internal import RepositorySchema

/// Creates the members of an entity's `Fields` that lead to other records: one for each reference,
/// under its declared name, and one for each relation.
///
/// ```swift
/// /// The author of the book, for conditions on its fields.
/// public var author: QueryReference<Book, Author> { .init("author", 8) }
/// /// The loans of the book, for conditions on them.
/// public var loans: QueryRelation<Book, Loan> { .init("loans", by: "bookID") }
/// ```
struct RelatedFieldsTranslator {
    /// The entity, with mixins expanded.
    let entity: EntityDeclaration
    /// The fields in the order of the layout.
    let fields: [TranslatedField]
    let scope: SchemaScope
    /// The access level with a trailing space, or an empty string.
    let access: String

    /// The declarations. A name that is that of a field has none.
    var declarations: [String] {
        var taken = Set(fields.map(\.name)).union(["id"])
        return fields.enumerated().flatMap { index, field -> [String] in
            guard let target = scope.singleReference(field.declaration),
                taken.insert(field.declaration.name.value).inserted
            else { return [] }
            return reference(field, index, to: target)
        }
            + entity.relations.flatMap { relation -> [String] in
                guard let path = RelationPath(relation, of: entity, scope),
                    taken.insert(relation.name.value).inserted
                else { return [] }
                return self.relation(relation, path)
            }
    }

    /// The name of the entity as a type.
    private var root: String { OutputNames.own(entity.header.name.value) }

    private var noun: String { Prose.noun(entity.header.name.value) }

    /// The member of a reference.
    private func reference(
        _ field: TranslatedField, _ index: Int, to target: EntityDeclaration
    ) -> [String] {
        let name = field.declaration.name.value
        return ["/// The \(noun)'s `\(name)`, for conditions on its fields."]
            + Prose.availability(field.declaration.deprecated)
            + [
                declaration(
                    name, "QueryReference", target,
                    "\(SwiftLiteral.string(name)), \(index)")
            ]
    }

    /// The member of a relation.
    private func relation(_ relation: RelationDeclaration, _ path: RelationPath) -> [String] {
        let name = relation.name.value
        let arguments =
            [SwiftLiteral.string(name)] + RelationTranslator.arguments(of: path.link, scope)
        return ["/// The \(noun)'s `\(name)`, for conditions on them."]
            + Prose.availability(relation.deprecated)
            + [
                declaration(
                    name, "QueryRelation", path.target, arguments.joined(separator: ", "))
            ]
    }

    /// A computed property. If its type is too long for a line, the property is stored, because a
    /// call can be wrapped while a type annotation cannot.
    private func declaration(
        _ name: String, _ type: String, _ target: EntityDeclaration, _ arguments: String
    ) -> String {
        let width = LineBreaker.width - 8
        let (type, record) = (scope.names.qualified(type), RelationTranslator.record(target))
        let property = Naming.escaped(name)
        for root in [root, "QueryRoot"] {
            let head = "\(access)var \(property): \(type)<\(root), \(record)> {"
            let line = "\(head) .init(\(arguments)) }"
            if line.count <= width { return line }
            if head.count <= width { return "\(head)\n    .init(\(arguments))\n}" }
        }
        return "\(access)let \(property) = \(type)<QueryRoot, \(record)>(\(arguments))"
    }
}
