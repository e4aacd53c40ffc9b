internal import ConditionLanguage
internal import RepositorySchema

/// Warnings about declared queries.
extension Linter {
    /// Warns about declared queries that read every record because no index can be used.
    /// `allowFullScan` suppresses the warning.
    ///
    /// The suggestion contains the indexes to declare, if there are any that would help.
    ///
    /// ```yaml
    /// entity: Book
    /// fields: { title: String }
    /// queries:
    ///   titled: { where: title == $title }                            # warning
    ///   allowed: { where: title == $title, allowFullScan: true }      # no warning
    /// ```
    mutating func lookForUnindexedQueries(of entity: EntityDeclaration) {
        guard !entity.queries.isEmpty else { return }
        let service = QueryService(entity, scope)
        let context = ConditionContext(entity, scope: scope)
        for query in entity.queries
        where query.allowsFullScan?.value != true && query.search == nil {
            var checker = ConditionChecker(context)
            let condition = query.condition.flatMap { checker.check($0) }
            guard service.readsAll(query, condition) else { continue }
            let indexes = service.missingIndexes(query, condition)
                .map { suggestion($0, entity) }.joined(separator: ", ")
            let number = indexes.contains("}, {") ? "indexes" : "one"
            let allow = "allow it with 'allowFullScan: true'"
            warn(
                "no index serves the query '\(query.name.value)', so that it reads every "
                    + Prose.noun(entity.header.name.value),
                at: query.name.range,
                help: indexes.isEmpty
                    ? "no index could; \(allow)"
                    : "declare \(number), 'indexes: [\(indexes)]', or \(allow)",
                .unindexedQuery)
        }
    }

    /// Returns an entry for `indexes`, with an explicit name if the default name is already used.
    private func suggestion(_ keys: [String], _ entity: EntityDeclaration) -> String {
        let names = keys.map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 }
        let others = entity.indexes.filter { $0.keys.map(\.field.value) == names }
        let list = keys.joined(separator: ", ")
        guard let other = others.first else { return "{ fields: [\(list)] }" }
        let name =
            other.name?.value
            ?? Naming.indexName(table: scope.table(of: entity).value, fields: names)
        return "{ fields: [\(list)], name: \(name)_\(others.count + 1) }"
    }
}
