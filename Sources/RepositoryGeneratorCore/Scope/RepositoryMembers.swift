/// What every repository has by itself, so that nothing declared can be called so.
enum RepositoryMembers {
    /// The names of its methods and properties, those of generated finders included.
    static let names: Set<String> = [
        "Model", "average", "changes", "context", "count", "create", "createAll", "delete",
        "deleteAll", "exists", "explain", "fetch", "fetchOne", "find", "findAll", "group", "ids",
        "maximum", "minimum", "observe", "observeCount", "open", "page", "project", "read",
        "rebuildIndexes", "replace", "reset", "save", "saveAll", "stream", "sum", "transaction",
        "update", "updateAll", "withDefaults",
    ]
}
