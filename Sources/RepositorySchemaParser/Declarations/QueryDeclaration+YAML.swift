internal import RepositorySchema

extension QueryDeclaration {
    /// Creates the queries of a mapping, in source order.
    static func queries(_ node: YAMLNode?) -> [QueryDeclaration] {
        (node?.entries ?? []).compactMap { entry in
            guard Naming.isIdentifier(entry.key.value) else { return nil }
            let mapping = YAMLMapping(entry.value)
            var query = QueryDeclaration(name: entry.key)
            query.doc = mapping.prose("doc")
            query.deprecated = mapping.flagOrText("deprecated")
            query.condition = mapping.condition("where")
            query.search = mapping.text("search")
            query.matching = mapping.choice("matching")
            query.sort = mapping.nodes("sort").compactMap(\.sortValue)
            query.limit = mapping.integer("limit")?.value
            query.allowsFullScan = mapping.flag("allowFullScan")
            return query
        }
    }
}

extension CheckDeclaration {
    /// Creates the checks of a mapping, in source order. Checks without a condition are omitted.
    static func checks(_ node: YAMLNode?) -> [CheckDeclaration] {
        (node?.entries ?? []).compactMap { entry in
            let mapping = YAMLMapping(entry.value)
            guard Naming.isIdentifier(entry.key.value), let condition = mapping.condition("where")
            else { return nil }
            var check = CheckDeclaration(name: entry.key, condition: condition)
            check.message = mapping.prose("message")
            return check
        }
    }
}
