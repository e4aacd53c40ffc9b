internal import RepositorySchema

extension FieldDeclaration {
    /// Creates the fields of a mapping, in source order. Fields without a valid type are omitted.
    static func fields(_ node: YAMLNode?) -> [FieldDeclaration] {
        (node?.entries ?? []).compactMap { entry in
            guard Naming.isIdentifier(entry.key.value) else { return nil }
            if entry.value.entries != nil {
                return FieldDeclaration(name: entry.key, YAMLMapping(entry.value))
            }
            return entry.value.typeExpression.map {
                FieldDeclaration(name: entry.key, type: $0)
            }
        }
    }

    /// Creates a field from its long form; nil if it has no valid type.
    init?(name: Located<String>, _ mapping: YAMLMapping) {
        guard let type = mapping.type("type") else { return nil }
        self.init(name: name, type: type)
        details = FieldDetails(mapping, type: type.value)
        guard details.external?.value == true else { return }
        switch type.value {
        case .base(.data): self.type.value = .base(.externalData)
        case .optional(.base(.data)): self.type.value = .optional(.base(.externalData))
        default: break
        }
    }
}

extension FieldDetails {
    /// Creates the properties other than name and type from the long form of a field.
    fileprivate init(_ mapping: YAMLMapping, type: TypeExpression) {
        self.init()
        doc = mapping.prose("doc")
        defaultValue = Self.defaultValue(mapping.literal("default"), type: type)
        column = mapping.text("column")
        scale = mapping.integer("scale")
        index = mapping.flag("index")
        unique = mapping.flag("unique")
        ignoringCase = mapping.flag("ignoringCase")
        minimum = mapping.literal("minimum")
        maximum = mapping.literal("maximum")
        minLength = mapping.integer("minLength")
        maxLength = mapping.integer("maxLength")
        pattern = mapping.text("pattern")
        if pattern != nil, let node = mapping["pattern"] { patternOffset = node.verbatimOffset }
        onDelete = mapping.choice("onDelete")
        onCreateNow = mapping.text("onCreate")?.range
        onUpdateNow = mapping.text("onUpdate")?.range
        version = mapping.flag("version")
        external = mapping.flag("external")
        computed = mapping.flag("computed")
        readAsText = mapping.text("readAs").flatMap { $0.value == "text" ? $0.range : nil }
        encrypted = mapping.flag("encrypted")
        sensitive = encrypted?.value == true ? encrypted : mapping.flag("sensitive")
        renamedFrom = mapping.texts("renamedFrom")
        from = mapping.sources
        fill = FillDecision(mapping["fill"])
        convert = ConvertDecision(mapping["convert"])
        deprecated = mapping.flagOrText("deprecated")
        for entry in YAMLMapping(mapping["storedAs"]).entries {
            storedAs[entry.key] = entry.value.located
        }
    }

    /// `now` and `generated` are keywords only for the types that support them. For a string,
    /// `generated` is a literal.
    private static func defaultValue(
        _ literal: Located<Literal>?, type: TypeExpression
    ) -> Located<DefaultValue>? {
        guard let literal else { return nil }
        switch (literal.value, type.unwrapped) {
        case (.scalar("now", isPlain: true), .base(.date)):
            return Located(.now, at: literal.range)
        case (.scalar("generated", isPlain: true), .base(.uuid)):
            return Located(.generated, at: literal.range)
        default:
            return Located(.literal(literal.value), at: literal.range)
        }
    }
}

extension YAMLNode {
    /// The number of characters between the start of the node's range and its text, if the text
    /// occurs verbatim in the file.
    fileprivate var verbatimOffset: Int? { scalar?.verbatimOffset }
}
