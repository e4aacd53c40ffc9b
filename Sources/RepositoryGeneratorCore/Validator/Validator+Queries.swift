internal import RepositorySchema

extension Validator {
    /// Checks an entity's declared queries.
    mutating func checkQueries(of entity: EntityDeclaration) {
        guard !entity.queries.isEmpty else { return }
        let context = ConditionContext(entity, scope: scope)
        for query in entity.queries {
            checkQueryName(query.name, of: entity)
            var checker = ConditionChecker(context)
            if let condition = query.condition {
                _ = checker.check(condition)
                diagnostics += checker.problems.map { $0.diagnostic(in: condition) }
            }
            checkSort(query.sort, of: entity, context.fields)
        }
    }

    private mutating func checkQueryName(_ name: Located<String>, of entity: EntityDeclaration) {
        if RepositoryMembers.names.contains(name.value) {
            add(
                "a query cannot be called '\(name.value)': each repository has a member of that name",
                at: name.range, help: "say what it finds: 'updatedSince'")
        } else if let relation = entity.relations.first(where: { $0.name.value == name.value }) {
            add(
                "a query and a relation are called '\(name.value)'", at: name.range,
                help: "rename one of them",
                notes: [Diagnostic.Note("the relation stands here", at: relation.name.range)])
        }
    }

    private mutating func checkSort(
        _ keys: [SortKey], of entity: EntityDeclaration, _ fields: [String: FieldDeclaration]
    ) {
        var seen: Set<String> = []
        for key in keys {
            guard let field = fields[key.field.value] else {
                unknownField(key.field, in: entity)
                continue
            }
            if !seen.insert(key.field.value).inserted {
                add(
                    "'\(key.field.value)' stands twice in the order", at: key.field.range,
                    help: "remove one of them")
            } else if let reason = reasonAgainstOrder(field) {
                add("\(reason) has no order", at: key.field.range, help: "remove it")
            }
        }
    }

    private func reasonAgainstOrder(_ field: FieldDeclaration) -> String? {
        if let reason = reasonAgainstIndex(field) { return reason }
        guard let entity = scope.singleReference(field), case .composite = entity.identity else {
            return nil
        }
        return "a reference to an entity with a composite id"
    }
}
