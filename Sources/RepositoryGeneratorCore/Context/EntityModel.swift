internal import RepositorySchema

/// What is known of an entity.
struct EntityModel {
    static let keys: [String] =
        ["name", "noun", "plural", "table", "file"] + Remarks.keys + [
            "idFields", "fields", "indexes", "hasIndexes", "references", "hasReferences",
            "conformances",
        ]
    static let indexKeys = ["fields", "text", "unique"]
    static let indexFieldKeys = ["name", "descending"]

    let translator: EntityTranslator

    init(_ translator: EntityTranslator) {
        self.translator = translator
    }

    /// The facts in order.
    var members: [JSONValue.Member] {
        let (entity, scope) = (translator.entity, translator.scope)
        let header = entity.header
        let name = header.name.value
        let fields = translator.fields.map { FieldModel($0, owner: name, scope: scope) }
        let references = fields.filter(\.isReference).map(\.json)
        let indexes = EntityIndexes(entity, fields: translator.fields, scope: scope).all
        var values: [JSONValue] = [
            .string(name), .string(Prose.noun(name)), .string(Prose.plural(name)),
            .string(scope.table(of: entity).value), .string(header.sourceFile),
        ]
        values += Remarks.values(doc: header.doc, deprecated: header.deprecated)
        let others: [JSONValue] = [
            .array(fields.filter(\.field.isKey).map(\.json)), .array(fields.map(\.json)),
            .array(indexes.map(Self.json)), .bool(!indexes.isEmpty), .array(references),
            .bool(!references.isEmpty),
            .array(entity.conformances.map { .string($0.value) }),
        ]
        values += others
        return SetModel.members(keys: Self.keys, values)
    }

    private static func json(_ index: TranslatedIndex) -> JSONValue {
        let fields = index.keys.map { key -> JSONValue in
            .object(
                SetModel.members(
                    keys: indexFieldKeys, [.string(key.field.name), .bool(key.descending)]))
        }
        let text = index.keys.map { ($0.descending ? "-" : "") + $0.field.name }
        return .object(
            SetModel.members(
                keys: indexKeys,
                [.array(fields), .string(text.joined(separator: ", ")), .bool(index.isUnique)]))
    }
}
