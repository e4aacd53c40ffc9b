internal import RepositorySchema

extension ValueDeclaration {
    /// Reads a value.
    init(header: DeclarationHeader, _ mapping: YAMLMapping) {
        self.init(header: header)
        fields = FieldDeclaration.fields(mapping["fields"])
    }
}

extension UnionDeclaration {
    /// Reads a union.
    init(header: DeclarationHeader, _ mapping: YAMLMapping) {
        self.init(header: header)
        cases = (mapping["cases"]?.entries ?? []).compactMap { entry in
            guard Naming.isIdentifier(entry.key.value) else { return nil }
            return UnionCaseDeclaration(
                name: entry.key, fields: FieldDeclaration.fields(entry.value))
        }
    }
}

extension MixinDeclaration {
    /// Reads a mixin.
    init(header: DeclarationHeader, _ mapping: YAMLMapping) {
        self.init(header: header)
        fields = FieldDeclaration.fields(mapping["fields"])
        indexes = mapping.nodes("indexes").compactMap { IndexDeclaration($0) }
        checks = CheckDeclaration.checks(mapping["checks"])
    }
}

extension EnumDeclaration {
    /// Reads an enum; its raw values are strings when `type` is left out.
    init(header: DeclarationHeader, _ mapping: YAMLMapping) {
        let type = mapping.choice("type", as: BaseType.self)
        self.init(header: header, rawType: type ?? Located(.string, at: header.name.range))
        cases = mapping.nodes("cases").compactMap { EnumCaseDeclaration($0) }
        unknownCase = mapping.name("unknown")
    }
}

extension EnumCaseDeclaration {
    /// Reads a case: a name, or a name with its raw value.
    fileprivate init?(_ node: YAMLNode) {
        if let entry = node.entries?.first {
            self.init(name: entry.key, rawValue: entry.value.located)
        } else if let name = node.located, Naming.isIdentifier(name.value) {
            self.init(name: name)
        } else {
            return nil
        }
    }
}

extension ScalarDeclaration {
    /// Reads a scalar; nil without a base type.
    init?(header: DeclarationHeader, _ mapping: YAMLMapping) {
        guard let stored = mapping.type("stored"), case .base(let base) = stored.value else {
            return nil
        }
        self.init(header: header, stored: Located(base, at: stored.range))
        module = mapping.text("import")
    }
}

extension SchemaSettings {
    /// Reads the settings file; what it does not say has its default.
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
    }
}
