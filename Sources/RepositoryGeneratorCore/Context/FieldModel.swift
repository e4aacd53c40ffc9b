internal import RepositorySchema

/// The facts of a field, for templates that add files.
struct FieldModel {
    /// The names and values, in the order of printing. The keys are public: templates of users
    /// depend on them.
    static let facts = Members<FieldModel, JSONValue>([
        "name": { .string($0.declared.name.value) },
        "property": { .string($0.field.name) },
        "type": { .string($0.declared.type.value.description) },
        "swiftType": { .string($0.field.decodedType) },
        "column": { .string($0.columns.joined(separator: ", ")) },
        "columns": { .array($0.columns.map { .string($0) }) },
    ])
    .followed(by: Remarks.facts) {
        Remarks(doc: $0.declared.doc, deprecated: $0.declared.deprecated)
    }
    .followed(
        by: Members([
            "sentence": { .string($0.sentence) },
            "isOptional": { .bool($0.declared.type.value.isOptional) },
            "isID": { .bool($0.field.isKey) },
            "isReference": { .bool($0.isReference) },
            "target": { .string($0.target?.header.name.value ?? "") },
            "onDelete": { .string($0.onDelete) },
            "default": { .string($0.defaultText ?? "") },
            "hasDefault": { .bool($0.defaultText != nil) },
            "rules": { .array($0.rules.map { .string($0) }) },
            "hasRules": { .bool(!$0.rules.isEmpty) },
            "unique": { .bool($0.declared.unique?.value == true) },
            "indexed": { .bool($0.declared.index?.value == true) },
            "sensitive": { .bool($0.declared.sensitive?.value == true) },
            "version": { .bool($0.declared.version?.value == true) },
            "computed": { .bool($0.declared.computed?.value == true) },
            "ignoringCase": { .bool($0.declared.ignoringCase?.value == true) },
        ]))

    let field: TranslatedField
    /// The name of the declaration that contains the field.
    let owner: String
    let scope: SchemaScope

    /// Creates the facts of a field.
    ///
    /// - Parameter owner: The name of the declaration that contains the field.
    init(_ field: TranslatedField, owner: String, scope: SchemaScope) {
        self.field = field
        self.owner = owner
        self.scope = scope
    }

    /// The facts as an ordered JSON object, for `--dump-context`.
    var json: JSONValue { Self.facts.json(of: self) }

    /// Whether the field holds the id of one other record.
    ///
    /// False for lists and maps of references.
    var isReference: Bool { target != nil }

    private var declared: FieldDeclaration { field.declaration }
    private var target: EntityDeclaration? { scope.singleReference(declared) }
    private var columns: [String] { scope.columns(of: declared) }
    private var rules: [String] { FieldRuleProse(declared).rules }
    private var defaultText: String? { Self.text(of: declared.defaultValue?.value) }

    /// The delete rule of a reference, with the default `restrict`. Empty for other fields.
    private var onDelete: String {
        isReference ? declared.deleteRule.rawValue : ""
    }

    /// The documentation of the property as one line, without the comment markers.
    private var sentence: String {
        FieldProperties(field: field, owner: owner, access: "").documentation
            .map { $0.dropFirst(4) }.joined(separator: " ")
    }

    /// The default in schema notation, or nil if the field has none.
    private static func text(of value: DefaultValue?) -> String? {
        switch value {
        case nil: nil
        case .now: "now"
        case .generated: "generated"
        case .assigned: "assigned"
        case .literal(let literal): text(of: literal)
        }
    }

    /// A default literal in schema notation: `[a, b]` for a list, `{a: 1}` for a map.
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

/// The constraints of a field in English.
///
/// For `{ type: Int, minimum: 1, maximum: 20000 }`, the phrases are `at least 1` and
/// `at most 20000`.
struct FieldRuleProse {
    /// One phrase per constraint.
    let rules: [String]

    /// Collects the constraints of a field.
    init(_ field: FieldDeclaration) {
        let unit = field.lengthUnit
        let found: [String?] = [
            field.minimum.flatMap { Self.text($0) }.map { "at least \($0)" },
            field.maximum.flatMap { Self.text($0) }.map { "at most \($0)" },
            field.minLength.map { "at least \(Prose.count($0.value, unit))" },
            field.maxLength.map { "at most \(Prose.count($0.value, unit))" },
            field.pattern.map { "matches \($0.value)" },
            field.scale.map { "\(Prose.count($0.value, "digit")) behind the point" },
            field.unique?.value == true ? "unique" : nil,
            field.ignoringCase?.value == true ? "compared ignoring case" : nil,
            field.onCreateNow == nil ? nil : "set by the creation",
            field.onUpdateNow == nil ? nil : "set by each update",
            field.version?.value == true ? "counts updates" : nil,
            field.sensitive?.value == true ? "never shown" : nil,
        ]
        rules = found.compactMap { $0 }
    }

    /// The text of a scalar literal, or nil for lists and maps.
    private static func text(_ literal: Located<Literal>) -> String? {
        guard case .scalar(let text, _) = literal.value else { return nil }
        return text
    }
}
