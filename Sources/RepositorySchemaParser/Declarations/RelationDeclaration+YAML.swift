internal import RepositorySchema

extension RelationDeclaration {
    /// Creates the relations of a mapping, in source order. A relation without `of` is omitted; its
    /// error has been reported.
    static func relations(_ node: YAMLNode?) -> [RelationDeclaration] {
        (node?.entries ?? []).compactMap { entry in
            let mapping = YAMLMapping(entry.value)
            guard Naming.isIdentifier(entry.key.value), let target = mapping.name("of") else {
                return nil
            }
            var relation = RelationDeclaration(name: entry.key, target: target)
            relation.doc = mapping.prose("doc")
            relation.field = mapping.name("by")
            relation.join = mapping.name("through")
            relation.sort = mapping.nodes("sort").compactMap(\.sortKey)
            relation.limit = mapping.integer("limit")
            relation.deprecated = mapping.flagOrText("deprecated")
            return relation
        }
    }
}
