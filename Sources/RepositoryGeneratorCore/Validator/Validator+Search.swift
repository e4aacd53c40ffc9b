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

    /// Whether a field of a type holds words: `String`, `String?` or `[String]`.
    private static func isSearchable(_ type: TypeExpression) -> Bool {
        switch type {
        case .base(.string), .optional(.base(.string)), .list(.base(.string)): true
        default: false
        }
    }
}
