internal import RepositorySchema

extension ValueDeclaration {
    /// Creates a value from a checked document.
    init(header: DeclarationHeader, _ mapping: YAMLMapping) {
        self.init(header: header)
        fields = FieldDeclaration.fields(mapping["fields"])
        renamedFrom = mapping.texts("renamedFrom")
        removed = mapping.texts("removed")
        reuse = mapping.texts("reuse")
    }
}

extension UnionDeclaration {
    /// Creates a union from a checked document.
    init(header: DeclarationHeader, _ mapping: YAMLMapping) {
        self.init(header: header)
        cases = (mapping["cases"]?.entries ?? []).compactMap { entry in
            guard Naming.isIdentifier(entry.key.value) else { return nil }
            return UnionCaseDeclaration(
                name: entry.key, fields: FieldDeclaration.fields(entry.value))
        }
        renamedFrom = mapping.texts("renamedFrom")
        removed = mapping.texts("removed")
        reuse = mapping.texts("reuse")
    }
}

extension MixinDeclaration {
    /// Creates a mixin from a checked document.
    init(header: DeclarationHeader, _ mapping: YAMLMapping) {
        self.init(header: header)
        fields = FieldDeclaration.fields(mapping["fields"])
        indexes = mapping.nodes("indexes").compactMap { IndexDeclaration($0) }
        checks = CheckDeclaration.checks(mapping["checks"])
    }
}

extension EnumDeclaration {
    /// Creates an enum from a checked document. The default type of the raw values is `String`.
    init(header: DeclarationHeader, _ mapping: YAMLMapping) {
        let type = mapping.choice("type", as: BaseType.self)
        self.init(header: header, rawType: type ?? Located(.string, at: header.name.range))
        cases = mapping.nodes("cases").compactMap { EnumCaseDeclaration($0) }
        unknownCase = mapping.name("unknown")
        renamedFrom = mapping.texts("renamedFrom")
        removed = YAMLMapping(mapping["removed"]).entries.compactMap { entry in
            entry.value.located.map { RemovedCase(name: entry.key, replacement: $0) }
        }
    }
}

extension EnumCaseDeclaration {
    /// Creates a case from a name, or from a name with its raw value and further keys. The raw value
    /// can be left out beside further keys.
    fileprivate init?(_ node: YAMLNode) {
        let known = KeyTable.enumCase.keys.map(\.name)
        if let (names, keys) = node.pair(keys: known), let entry = names.first {
            let isNamed = !keys.isEmpty && entry.value.isNull
            self.init(name: entry.key, rawValue: isNamed ? nil : entry.value.located)
            renamedFrom = YAMLMapping(keys).texts("renamedFrom")
            from = YAMLMapping(keys).sources
        } else if let name = node.located, Naming.isIdentifier(name.value) {
            self.init(name: name)
        } else {
            return nil
        }
    }
}

extension ScalarDeclaration {
    /// Creates a scalar from a checked document; nil if it has no valid base type.
    init?(header: DeclarationHeader, _ mapping: YAMLMapping) {
        guard let stored = mapping.type("stored"), case .base(let base) = stored.value else {
            return nil
        }
        self.init(header: header, stored: Located(base, at: stored.range))
        module = mapping.text("import")
    }
}

extension SchemaSettings {
    /// Creates settings from the settings file. Missing keys have their default values.
    init(_ mapping: YAMLMapping) {
        self.init()
        if let name = mapping.name("name") {
            self.name = name.value
            nameRange = name.range
        }
        if let access = mapping.choice("access", as: Access.self) { self.access = access.value }
        if let output = mapping.text("output") { self.output = output.value }
        if let columns = mapping.choice("columns", as: ColumnNaming.self) {
            self.columns = columns.value
        }
        stores = mapping.texts("stores")
        if let manage = mapping.flag("manage") { self.manage = manage.value }
        imports = mapping.texts("imports")
        templates = mapping.text("templates")?.value
        templatesRange = mapping.text("templates")?.range
        oldest = mapping.integer("oldest").flatMap { $0.value > 0 ? $0 : nil }
        removed = mapping.texts("removed")
        reuse = mapping.texts("reuse")
        migrate = mapping.nodes("migrate").compactMap { MigrateDecision(tables: $0) }
        migrations = mapping.name("migrations")
    }
}
