internal import RepositorySchema

/// Converts ids and fields to their normal form.
struct FieldNormalizer {
    let scope: SchemaScope

    /// Returns the id of an entity that has its own declaration.
    func identity(_ id: FieldDeclaration) -> NormalizedPart {
        var part = column(id)
        part.section = .id
        part.keys.insert(NormalizedKey(name: "name", value: YAMLText.name(id.name.value)), at: 0)
        return part
    }

    /// Returns a field of an entity, which has a column.
    func column(_ field: FieldDeclaration) -> NormalizedPart {
        var part = member(field, .fields)
        var keys = [NormalizedKey(name: "column", value: columnName(field))]
        let forms = field.storedAs.sorted {
            $0.key.value.utf8.lexicographicallyPrecedes($1.key.value.utf8)
        }
        if !forms.isEmpty {
            let entries = forms.map { (YAMLText.name($0.key.value), YAMLText.name($0.value.value)) }
            keys.append(NormalizedKey(name: "storedAs", value: YAMLText.mapping(entries)))
        }
        if scope.singleReference(field) != nil {
            // The rule that applies when the key is left out.
            let rule = field.deleteRule
            keys.append(NormalizedKey(name: "onDelete", value: rule.rawValue))
        }
        if field.onCreateNow != nil { keys.append(NormalizedKey(name: "onCreate", value: "now")) }
        if field.onUpdateNow != nil { keys.append(NormalizedKey(name: "onUpdate", value: "now")) }
        if field.isExternal { keys.append(NormalizedKey(name: "external", value: "true")) }
        keys += Self.flag("computed", field.computed)
        if field.readAsText != nil { keys.append(NormalizedKey(name: "readAs", value: "text")) }
        if field.isEncrypted { keys.append(NormalizedKey(name: "encrypted", value: "true")) }
        keys += Self.flag("version", field.version) + Self.flag("ignoringCase", field.ignoringCase)
        // The type stays the first key.
        part.keys.insert(contentsOf: keys, at: 1)
        return part
    }

    /// Returns a field without what only fields with a column have.
    func member(
        _ field: FieldDeclaration, _ section: NormalizedPart.Section
    ) -> NormalizedPart {
        let type = field.type.value
        var keys = [NormalizedKey(name: "type", value: Self.typeText(type))]
        if let value = field.defaultValue?.value {
            keys.append(NormalizedKey(name: "default", value: defaultText(value, type)))
        }
        keys += Self.number("scale", field.scale)
        for (name, bound) in [("minimum", field.minimum), ("maximum", field.maximum)] {
            guard let bound else { continue }
            let text = CanonicalLiteral(scope: scope).yaml(bound.value, as: type)
            keys.append(NormalizedKey(name: name, value: text))
        }
        keys += Self.number("minLength", field.minLength)
        keys += Self.number("maxLength", field.maxLength)
        if let pattern = field.pattern {
            keys.append(NormalizedKey(name: "pattern", value: YAMLText.quoted(pattern.value)))
        }
        keys += Self.flag("sensitive", field.sensitive)
        return NormalizedPart(
            section: section, name: field.name.value, keys: keys, range: field.name.range,
            decisions: NormalizedDecisions(field, scope: scope))
    }

    /// The column as YAML. For a reference to a composite id it is the common prefix of its columns.
    private func columnName(_ field: FieldDeclaration) -> String {
        YAMLText.name(FieldColumn(field, scope).name)
    }

    private func defaultText(_ value: DefaultValue, _ type: TypeExpression) -> String {
        switch value {
        case .now: "now"
        case .generated: "generated"
        case .assigned: "assigned"
        case .literal(let literal): CanonicalLiteral(scope: scope).yaml(literal, as: type)
        }
    }

    /// A type as YAML. Brackets are quoted, because YAML reads them as a list.
    private static func typeText(_ type: TypeExpression) -> String {
        switch type {
        case .base(let base): base.writtenName
        case .named(let name): YAMLText.name(name)
        case .optional(.base(let base)): base.writtenName + "?"
        case .optional(.named(let name)) where YAMLText.name(name) == name: name + "?"
        case .optional, .list, .map: YAMLText.quoted(type.description)
        }
    }

    private static func flag(_ name: String, _ value: Located<Bool>?) -> [NormalizedKey] {
        value?.value == true ? [NormalizedKey(name: name, value: "true")] : []
    }

    private static func number(_ name: String, _ value: Located<Int>?) -> [NormalizedKey] {
        value.map { [NormalizedKey(name: name, value: "\($0.value)")] } ?? []
    }
}
