internal import RepositorySchema

/// The facts of an entity, for templates that add files.
struct EntityModel {
    /// The names and values, in the order of printing. The keys are public: templates of users
    /// depend on them.
    static let facts = Members<EntityModel, JSONValue>([
        "name": { .string($0.name) },
        "noun": { .string(Prose.noun($0.name)) },
        "plural": { .string(Prose.plural($0.name)) },
        "table": { .string($0.translator.scope.table(of: $0.entity).value) },
        "file": { .string($0.entity.header.sourceFile) },
    ])
    .followed(by: Remarks.facts) { Remarks($0.entity.header) }
    .followed(
        by: Members([
            "idFields": { .array($0.fields.filter(\.field.isKey).map(\.json)) },
            "fields": { .array($0.fields.map(\.json)) },
            "indexes": { .array($0.indexes.map(indexFacts.json)) },
            "hasIndexes": { .bool(!$0.indexes.isEmpty) },
            "references": { .array($0.fields.filter(\.isReference).map(\.json)) },
            "hasReferences": { .bool($0.fields.contains(where: \.isReference)) },
            "readOnly": { .bool($0.entity.isReadOnly) },
            "conformances": { .array($0.entity.conformances.map { .string($0.value) }) },
        ]))

    /// The facts of an index.
    static let indexFacts = Members<TranslatedIndex, JSONValue>([
        "fields": { .array($0.keys.map(indexFieldFacts.json)) },
        "text": { index in
            let text = index.keys.map { ($0.descending ? "-" : "") + $0.name }
            return .string(text.joined(separator: ", "))
        },
        "unique": { .bool($0.isUnique) },
    ])

    /// The facts of a field in an index.
    static let indexFieldFacts = Members<TranslatedIndexKey, JSONValue>([
        "name": { .string($0.name) },
        "descending": { .bool($0.descending) },
    ])

    /// The translator that derived the fields. Its layer is the `swift` member of
    /// ``EntityContext``.
    let translator: EntityTranslator
    private let fields: [FieldModel]
    private let indexes: [TranslatedIndex]

    /// Collects the facts of a translated entity.
    init(_ translator: EntityTranslator) {
        let (entity, scope) = (translator.entity, translator.scope)
        self.translator = translator
        fields = translator.fields.map {
            FieldModel($0, owner: entity.header.name.value, scope: scope)
        }
        indexes = EntityIndexes(entity, fields: translator.fields, scope: scope).all
    }

    private var entity: EntityDeclaration { translator.entity }
    private var name: String { entity.header.name.value }

    /// The facts as an ordered JSON object, for `--dump-context`.
    var json: JSONValue { Self.facts.json(of: self) }

    /// The facts as a render context.
    var context: ContextObject { ContextObject(Self.facts.jsonMembers(of: self)) }
}
