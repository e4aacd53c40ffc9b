/// Resolution of references to other records and of relations.
extension ConditionContext {
    /// The maximum number of references that a condition follows one after another, as in the
    /// runtime.
    static var deepest: Int { 8 }

    /// Resolves the name behind a reference: a field of the record to which it leads.
    func member(
        _ name: String, _ range: Range<Int>, behind field: ConditionField<Scope>,
        in target: Scope.Record
    ) throws(ConditionProblem) -> ConditionField<Scope>? {
        let step = try reference(field, range)
        var context = ConditionContext(target, scope: scope, use: use)
        context.depth = step.depth
        guard let inner = try context.outerField(name, range) else { return nil }
        return ConditionField(
            path: field.path + inner.path, properties: step.properties + inner.properties,
            type: inner.type, range: field.range.lowerBound..<range.upperBound, depth: step.depth)
    }

    /// Resolves a path to a relation. The steps before the last one are references.
    package func relation(
        _ path: [(name: String, range: Range<Int>)]
    ) throws(ConditionProblem) -> ConditionRelation<Scope>? {
        guard let last = path.last else { return nil }
        try requireRelatives(last.range)
        var owner = record
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
        let names = scope.relationNames(of: owner)
        guard names.contains(last.name) else {
            guard scope.isComplete(owner) else { return nil }
            throw ConditionProblem(
                "\(scope.title(of: owner)) has no relation '\(last.name)'", last.range,
                NearestName.help(for: last.name, among: names, kind: "relations"))
        }
        // An unresolved relation is reported where it is declared.
        guard let link = scope.relation(last.name, of: owner) else { return nil }
        if link.isHidden {
            throw ConditionProblem(
                "the relation '\(last.name)' has the name of a field, which hides it here",
                last.range, "give the relation another name")
        }
        return ConditionRelation(
            properties: way.properties + [last.name], references: way.references,
            relation: link.relation, target: link.target,
            depth: try checked(way.depth + link.links, last.range))
    }

    /// The record to which a field refers; nil if the field is no reference.
    func target(of field: ConditionField<Scope>) -> Scope.Record? {
        guard let last = field.path.last,
            case .record(let target) = scope.conditionKind(of: field.type)
        else { return nil }
        // The id of the record itself has the type of an id, too.
        if field.properties.last == "id" { return nil }
        guard case .record = scope.conditionKind(of: scope.type(of: last)) else { return nil }
        return target
    }

    /// The properties up to a reference, and the number of references followed.
    private struct ReferenceStep {
        var properties: [String]
        var references: [Scope.Field]
        var depth: Int
    }

    /// Follows a reference.
    private func reference(
        _ field: ConditionField<Scope>, _ range: Range<Int>
    ) throws(ConditionProblem) -> ReferenceStep {
        try requireRelatives(range)
        let name = field.path.last.map(scope.name) ?? ""
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
        guard case .table(let owner) = use else { return }
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
