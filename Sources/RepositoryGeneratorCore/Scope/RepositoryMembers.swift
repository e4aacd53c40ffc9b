/// The members of every repository. Declared finders, relations and queries cannot have these
/// names.
enum RepositoryMembers {
    /// The names of the methods and properties, including those that generated finders use.
    static let names: Set<String> = [
        "Model", "average", "changes", "context", "count", "create", "createAll", "delete",
        "deleteAll", "exists", "explain", "fetch", "fetchOne", "find", "findAll", "group", "ids",
        "maximum", "minimum", "observe", "observeCount", "open", "page", "project", "read",
        "rebuildIndexes", "replace", "reset", "save", "saveAll", "stream", "sum", "transaction",
        "update", "updateAll", "withDefaults",
    ]
}
