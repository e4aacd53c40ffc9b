internal import ConditionLanguage
internal import RepositorySchema

/// Rules for declared queries.
extension Validator {
    /// Checks the declared queries of an entity: names, conditions and sort orders.
    ///
    /// Each query becomes a method of the repository, so its name must differ from those of other
    /// members.
    ///
    /// ```yaml
    /// queries:
    ///   thick: { where: pages > $pages, sort: [-pages, title] }
    ///   fetch: { where: pages > 0 }   # reported: every repository has this method
    /// ```
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
            checkSearch(of: query, checker.parameters.map(\.name), entity)
            checkSort(query.sort.filter { !$0.isPath }, of: entity, context.fields)
            checkPaths(query.sort.filter(\.isPath), context)
        }
    }

    /// Checks the keys of a sort order that lead into values or to related records.
    private mutating func checkPaths(_ keys: [SortKey], _ context: ConditionContext) {
        var seen: Set<String> = []
        for key in keys {
            if !seen.insert(key.field.value).inserted {
                add(
                    "'\(key.field.value)' stands twice in the order", at: key.field.range,
                    help: "remove one of them")
                continue
            }
            do {
                guard case .field(let field)? = try context.order(key), let last = field.path.last,
                    let reason = reasonAgainstOrder(last)
                else { continue }
                add(
                    "nothing can be sorted by '\(key.field.value)': it is \(reason)",
                    at: key.field.range, help: "remove it",
                    notes: [Diagnostic.Note("it is declared here", at: last.name.range)])
            } catch {
                diagnostics.append(error.diagnostic(in: key.text))
            }
        }
    }

    /// Checks that a query does not have the name of a repository member or of a relation.
    private mutating func checkQueryName(_ name: Located<String>, of entity: EntityDeclaration) {
        if RepositoryMembers.contains(name.value, for: entity) {
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

    /// Checks a sort order. Each field can occur once, and its values must have an order.
    ///
    /// - Parameters:
    ///   - keys: the sort keys.
    ///   - entity: the entity that is sorted.
    ///   - fields: its fields, by name.
    ///   - reportsUnknown: reports a key that is no field of the entity, if there is more to say
    ///     than that; returns whether it did.
    mutating func checkSort(
        _ keys: [SortKey], of entity: EntityDeclaration, _ fields: [String: FieldDeclaration],
        reportsUnknown: (inout Validator, Located<String>) -> Bool = { _, _ in false }
    ) {
        var seen: Set<String> = []
        for key in keys {
            guard let field = fields[key.field.value] else {
                if !reportsUnknown(&self, key.field) { unknownField(key.field, in: entity) }
                continue
            }
            if !seen.insert(key.field.value).inserted {
                add(
                    "'\(key.field.value)' stands twice in the order", at: key.field.range,
                    help: "remove one of them")
            } else if let reason = reasonAgainstOrder(field) {
                add(
                    "nothing can be sorted by '\(key.field.value)': it is \(reason)",
                    at: key.field.range, help: "remove it",
                    notes: [Diagnostic.Note("it is declared here", at: field.name.range)])
            }
        }
    }

    /// Returns a description of a field that cannot be sorted by, or nil if it can.
    private func reasonAgainstOrder(_ field: FieldDeclaration) -> String? {
        if case .composite? = scope.singleReference(field)?.identity {
            return "a reference to an id of several fields"
        }
        return reasonAgainstSorting(field)
    }
}
