internal import RepositorySchema

/// What is known of a field.
struct FieldModel {
    static let keys: [String] =
        ["name", "property", "type", "swiftType", "column", "columns"] + Remarks.keys + [
            "sentence", "isOptional", "isID", "isReference", "target", "onDelete", "default",
            "hasDefault", "rules", "hasRules", "unique", "indexed", "sensitive", "version",
            "ignoringCase",
        ]

    let field: TranslatedField
    let owner: String
    let scope: SchemaScope

    init(_ field: TranslatedField, owner: String, scope: SchemaScope) {
        self.field = field
        self.owner = owner
        self.scope = scope
    }

    /// Whether the field holds the id of one other record.
    var isReference: Bool { scope.singleReference(field.declaration) != nil }

    /// The facts in order.
    var json: JSONValue {
        let declared = field.declaration
        let target = scope.singleReference(declared)
        let columns = scope.columns(of: declared)
        let rules = FieldRuleProse(declared).rules
        let onDelete = target == nil ? "" : declared.onDelete?.value.rawValue ?? "restrict"
        let documentation = FieldProperties(field: field, owner: owner, access: "").documentation
        let sentence = documentation.map { $0.dropFirst(4) }.joined(separator: " ")
        let defaultText = Self.text(of: declared.defaultValue?.value)
        var values: [JSONValue] = [
            .string(declared.name.value), .string(field.name),
            .string(declared.type.value.description), .string(field.decodedType),
            .string(columns.joined(separator: ", ")), .array(columns.map { .string($0) }),
        ]
        values += Remarks.values(doc: declared.doc, deprecated: declared.deprecated)
        let others: [JSONValue] = [
            .string(sentence), .bool(declared.type.value.isOptional), .bool(field.isKey),
            .bool(target != nil), .string(target?.header.name.value ?? ""), .string(onDelete),
            .string(defaultText ?? ""), .bool(defaultText != nil),
            .array(rules.map { .string($0) }), .bool(!rules.isEmpty),
            .bool(declared.unique?.value == true), .bool(declared.index?.value == true),
            .bool(declared.sensitive?.value == true), .bool(declared.version?.value == true),
            .bool(declared.ignoringCase?.value == true),
        ]
        values += others
        return .object(SetModel.members(keys: Self.keys, values))
    }

    private static func text(of value: DefaultValue?) -> String? {
        switch value {
        case nil: nil
        case .now: "now"
        case .generated: "generated"
        case .literal(let literal): text(of: literal)
        }
    }

    private static func text(of literal: Literal) -> String {
        switch literal {
        case .scalar(let text, _): text
        case .list(let elements):
            "[" + elements.map { text(of: $0.value) }.joined(separator: ", ") + "]"
        case .map(let entries):
            "{"
                + entries.map { "\($0.key.value): \(text(of: $0.value.value))" }
                .joined(separator: ", ") + "}"
        }
    }
}

/// The rules of a field in words.
struct FieldRuleProse {
    /// One phrase each.
    let rules: [String]

    init(_ field: FieldDeclaration) {
        let unit =
            switch field.type.value.unwrapped {
            case .list: "elements"
            case .base(.data): "bytes"
            default: "characters"
            }
        let found: [String?] = [
            field.minimum.flatMap { Self.text($0) }.map { "at least \($0)" },
            field.maximum.flatMap { Self.text($0) }.map { "at most \($0)" },
            field.minLength.map { "at least \($0.value) \(unit)" },
            field.maxLength.map { "at most \($0.value) \(unit)" },
            field.pattern.map { "matches \($0.value)" },
            field.scale.map { "\($0.value) digits behind the point" },
            field.unique?.value == true ? "unique" : nil,
            field.ignoringCase?.value == true ? "compared ignoring case" : nil,
            field.onUpdateNow == nil ? nil : "set by each update",
            field.version?.value == true ? "counts updates" : nil,
            field.sensitive?.value == true ? "never shown" : nil,
        ]
        rules = found.compactMap { $0 }
    }

    private static func text(_ literal: Located<Literal>) -> String? {
        guard case .scalar(let text, _) = literal.value else { return nil }
        return text
    }
}
