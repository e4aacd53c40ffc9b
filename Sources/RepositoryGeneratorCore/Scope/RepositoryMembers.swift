internal import RepositorySchema

/// The members of every repository. Declared finders, relations and queries cannot have these
/// names.
enum RepositoryMembers {
    /// The names of the methods and properties, including those that generated finders use.
    static let names: Set<String> = [
        "Model", "average", "changes", "context", "count", "create", "createAll", "delete",
        "deleteAll", "exists", "explain", "fetch", "fetchOne", "find", "findAll", "group", "ids",
        "includingDeleted", "keepingDates", "maximum", "minimum", "observe", "observeCount",
        "observeOne", "open",
        "page", "project", "read", "rebuildIndexes", "replace", "reset", "save", "saveAll",
        "stream", "sum", "transaction", "update", "updateAll", "withDefaults",
    ]

    /// The names of the members that only repositories of entities with `search:` have.
    static let searching: Set<String> = ["search"]

    /// The names of the members that only repositories of entities with `softDelete:` have.
    static let softDeleting: Set<String> = [
        "purge", "purgeAll", "restore", "restoreAll",
    ]

    /// Whether the repository of an entity has a member with a name.
    static func contains(_ name: String, for entity: EntityDeclaration) -> Bool {
        names.contains(name) || !entity.search.isEmpty && searching.contains(name)
            || entity.softDelete != nil && softDeleting.contains(name)
    }
}
