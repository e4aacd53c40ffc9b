internal import RepositorySchema

/// A resolved relation of a condition: `loans`, `author.books`.
struct ConditionRelation {
    /// The members of `Fields` that lead to the relation, the relation last.
    var properties: [String]
    /// The references on the way.
    var references: [FieldDeclaration]
    /// The relation.
    var relation: RelationDeclaration
    /// The entity of the related records.
    var target: EntityDeclaration
    /// How many references the condition has followed at the related records.
    var depth: Int
}

/// Resolution of references to other records and of relations.
extension ConditionContext {
    /// The maximum number of references that a condition follows one after another, as in the
    /// runtime.
    static let deepest = 8

    /// Resolves the name behind a reference: a field of the record to which it leads.
    func member(
        _ name: String, _ range: Range<Int>, behind field: ConditionField,
        in target: EntityDeclaration
    ) throws(ConditionProblem) -> ConditionField? {
        let step = try reference(field, range)
        guard let inner = try step.context(of: target, scope).outerField(name, range) else {
            return nil
        }
        return ConditionField(
            path: field.path + inner.path, properties: step.properties + inner.properties,
            type: inner.type, range: field.range.lowerBound..<range.upperBound, depth: step.depth)
    }

    /// Resolves a path to a relation. The steps before the last one are references.
    func relation(
        _ path: [(name: String, range: Range<Int>)]
    ) throws(ConditionProblem) -> ConditionRelation? {
        guard let last = path.last else { return nil }
        try requireRelatives(last.range)
        var owner = entity
        var way = ReferenceStep(properties: [], references: [], depth: depth)
        if path.count > 1 {
            guard let field = try field(Array(path.dropLast())) else { return nil }
            guard let target = target(of: field) else {
                throw ConditionProblem(
                    "'\(path.dropLast().map(\.name).joined(separator: "."))' is no reference",
                    field.range, "write the name of a relation")
            }
            way = try reference(field, last.range)
            owner = target
        }
        guard let owner else {
            throw ConditionProblem(
                "\(self.owner) has no relations", last.range, "ask in a query of an entity")
        }
        guard let relation = owner.relations.first(where: { $0.name.value == last.name }) else {
            guard owner.header.isComplete else { return nil }
            throw ConditionProblem(
                "the entity '\(owner.header.name.value)' has no relation '\(last.name)'",
                last.range,
                NearestName.help(
                    for: last.name, among: owner.relations.map(\.name.value), kind: "relations"))
        }
        // An unresolved relation is reported where it is declared.
        guard let resolved = RelationPath(relation, of: owner, scope) else { return nil }
        if scope.hides(last.name, in: owner) {
            throw ConditionProblem(
                "the relation '\(last.name)' has the name of a field, which hides it here",
                last.range, "give the relation another name")
        }
        var links = 1
        if case .join = resolved.link { links = 2 }
        return ConditionRelation(
            properties: way.properties + [last.name], references: way.references,
            relation: relation, target: resolved.target,
            depth: try checked(way.depth + links, last.range))
    }

    /// The entity to which a field refers; nil if the field is no reference.
    func target(of field: ConditionField) -> EntityDeclaration? {
        guard case .named = field.type.unwrapped, let last = field.path.last,
            !scope.isIdentity(last, named: field.properties.last),
            case .entity(let entity) = scope.kind(of: field.type)
        else { return nil }
        return entity
    }

    /// The members of `Fields` up to a reference, and the number of references followed.
    private struct ReferenceStep {
        var properties: [String]
        var references: [FieldDeclaration]
        var depth: Int

        /// The context of the record to which the reference leads.
        func context(of target: EntityDeclaration, _ scope: SchemaScope) -> ConditionContext {
            var context = ConditionContext(target, scope: scope)
            context.depth = depth
            return context
        }
    }

    /// Follows a reference.
    private func reference(
        _ field: ConditionField, _ range: Range<Int>
    ) throws(ConditionProblem) -> ReferenceStep {
        try requireRelatives(range)
        let name = field.path.last?.name.value ?? ""
        guard !field.isInsideValue else {
            throw ConditionProblem(
                "a reference inside a value is not followed: '\(name)'", field.range,
                "compare the reference itself")
        }
        guard field.properties.last != name else {
            throw ConditionProblem(
                "the reference '\(name)' has the name of its property, and cannot be followed",
                field.range, "declare it without 'ID' at its end, with 'renamedFrom: \(name)'")
        }
        return ReferenceStep(
            properties: field.properties.dropLast() + [name], references: field.path,
            depth: try checked(max(depth, field.depth) + 1, range))
    }

    /// Throws if the condition is part of a table.
    private func requireRelatives(_ range: Range<Int>) throws(ConditionProblem) {
        guard let owner = parameterless else { return }
        throw ConditionProblem(
            "\(owner) cannot ask for other records", range,
            "compare the fields of the record itself")
    }

    /// Throws if too many references are followed.
    private func checked(_ depth: Int, _ range: Range<Int>) throws(ConditionProblem) -> Int {
        guard depth > Self.deepest else { return depth }
        throw ConditionProblem(
            "the condition follows more than \(Self.deepest) references one after another", range)
    }
}

extension SchemaScope {
    /// Whether a field is the id of its own entity, whose property has this name: its type is that
    /// of an id, but it is no reference.
    fileprivate func isIdentity(_ field: FieldDeclaration, named property: String?) -> Bool {
        singleReference(field) == nil || property == "id"
    }
}
