internal import RepositorySchema

/// Rules for `search`.
extension Validator {
    /// Checks the fields of `search`: each exists, is named once, and holds text in a table that
    /// the stores manage.
    ///
    /// ```yaml
    /// search: [title, pages]   # reported: an Int holds no words
    /// ```
    mutating func checkSearch(of entity: EntityDeclaration) {
        guard let first = entity.search.first else { return }
        if !scope.isManaged(entity) {
            add(
                "an unmanaged table cannot be searched: stores keep no index of it",
                at: first.range, help: "remove 'search'")
        }
        let fields = SchemaScope.byName(scope.fields(of: entity))
        var seen: Set<String> = []
        for name in entity.search {
            if !seen.insert(name.value).inserted {
                add(
                    "'\(name.value)' stands twice in 'search'", at: name.range,
                    help: "remove one of them")
            }
            guard let field = fields[name.value] else {
                unknownField(name, in: entity)
                continue
            }
            guard !Self.isSearchable(field.type.value) else { continue }
            add(
                "a search reads words, and '\(name.value)' is of the type "
                    + "'\(field.type.value.description)'",
                at: name.range, help: "name fields of type String, String? or [String]")
        }
    }

    /// Checks the search of a declared query: it takes a parameter of its own, and orders the
    /// results itself.
    ///
    /// ```yaml
    /// search: [title]
    /// queries:
    ///   matching: { search: $words, where: pages > $pages }
    ///   sorted: { search: $words, sort: title }   # reported: a search orders by rank
    /// ```
    ///
    /// - Parameter parameters: the names of the parameters of the query's condition.
    mutating func checkSearch(
        of query: QueryDeclaration, _ parameters: [String], _ entity: EntityDeclaration
    ) {
        guard let search = query.search else {
            if let matching = query.matching {
                add(
                    "'matching' says which words of a 'search' are required, and the query has none",
                    at: matching.range, help: "remove it, or add 'search: $words'")
            }
            return
        }
        if entity.search.isEmpty {
            add(
                "the entity '\(entity.header.name.value)' is not searched, and the query "
                    + "'\(query.name.value)' searches it",
                at: search.range, help: "name its fields: 'search: [title]' of the entity")
        }
        if let name = query.searchedParameter {
            if parameters.contains(name) {
                add(
                    "'$\(name)' is a parameter of the condition, too", at: search.range,
                    help: "give one of them another name")
            }
        } else {
            add(
                "the words of a search are a parameter", at: search.range,
                help: "write '$' and a name: '$words'")
        }
        if let key = query.sort.first {
            add(
                "a search orders its results by rank", at: key.field.range,
                help: "remove 'sort'")
        }
        if let allowed = query.allowsFullScan {
            add(
                "a search needs no permission to read every record", at: allowed.range,
                help: "remove 'allowFullScan'")
        }
    }

    /// Whether a field of a type holds words: `String`, `String?` or `[String]`.
    private static func isSearchable(_ type: TypeExpression) -> Bool {
        switch type {
        case .base(.string), .optional(.base(.string)), .list(.base(.string)): true
        default: false
        }
    }
}
