internal import RepositorySchema

extension EntityDeclaration {
    /// Creates an entity from a checked document.
    init(header: DeclarationHeader, _ mapping: YAMLMapping) {
        self.init(header: header, identity: Self.identity(mapping["id"], header))
        table = mapping.text("table")
        include = mapping.texts("include")
        fields = FieldDeclaration.fields(mapping["fields"])
        indexes = mapping.nodes("indexes").compactMap { IndexDeclaration($0) }
        relations = RelationDeclaration.relations(mapping["relations"])
        checks = CheckDeclaration.checks(mapping["checks"])
        queries = QueryDeclaration.queries(mapping["queries"])
        search = mapping.texts("search")
        softDelete = mapping.text("softDelete")
        distribute = mapping.text("distribute").map {
            Located(Distribution($0.value), at: $0.range)
        }
        renamedFrom = mapping.texts("renamedFrom")
        conformances = mapping.texts("conformances")
        manage = mapping.flag("manage")
        readOnly = mapping.flag("readOnly")
        if case .single(let id) = identity, id.isRowNumber, readOnly == nil {
            readOnly = Located(true, at: id.type.range)
        }
        removed = mapping.texts("removed")
        reuse = mapping.texts("reuse")
        migrate = MigrateDecision(records: mapping["migrate"])
        from = mapping.sources
        sourceNamespace = YAMLMapping(mapping["from"]).text("namespace")
    }

    /// The identity of an entity: a list of fields, a mapping, or the default if the key is
    /// missing.
    private static func identity(
        _ node: YAMLNode?, _ header: DeclarationHeader
    ) -> IdentityDeclaration {
        if let elements = node?.elements { return .composite(elements.compactMap(\.located)) }
        if let number = node?.located, number.value == "rowid" {
            var field = FieldDeclaration(
                name: Located("rowid", at: number.range),
                type: Located(.base(.int), at: number.range))
            field.details.column = number
            field.details.isRowNumber = true
            return .single(field)
        }
        let mapping = YAMLMapping(node)
        let name = mapping.name("name") ?? Located("id", at: node?.range ?? header.name.range)
        if var field = FieldDeclaration(name: name, mapping) {
            // The key is reported: an id is stored in its record.
            if field.isExternal { field.type.value = .base(.data) }
            field.details.external = nil
            field.details.computed = nil
            field.details.readAsText = nil
            // Only an id can be given by the store, so that the word is a literal elsewhere.
            if let value = field.defaultValue,
                value.value == .literal(.scalar("assigned", isPlain: true)),
                case .base(let base) = field.type.value, base == .int || base == .int64
            {
                field.details.defaultValue = Located(.assigned, at: value.range)
            }
            return .single(field)
        }
        var field = FieldDeclaration(
            name: name, type: Located(.base(.uuid), at: name.range))
        field.details.defaultValue = Located(.generated, at: name.range)
        return .single(field)
    }
}

extension IndexDeclaration {
    /// Creates an index from an entry of `indexes`; nil if it has no valid field.
    init?(_ node: YAMLNode) {
        let mapping = YAMLMapping(node)
        let keys = (node.entries == nil ? [node] : mapping.nodes("fields")).compactMap(\.indexKey)
        guard !keys.isEmpty else { return nil }
        self.init(keys: keys, range: node.range)
        name = mapping.text("name")
        unique = mapping.flag("unique")?.value ?? false
        condition = mapping.condition("where")
    }
}
