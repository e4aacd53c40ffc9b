internal import RepositorySchema

/// What a set declares, as facts: what templates are given that make files of their own.
struct SetModel {
    static let keys = [
        "name", "access", "schemas", "entities", "values", "unions", "enums", "scalars",
        "types",
    ]

    /// The facts in order.
    let members: [JSONValue.Member]
    /// The facts as templates see them.
    let context: ContextObject

    init(_ translator: SchemaTranslator) {
        let scope = translator.scope
        let types = TypeModel(scope: scope)
        var entities: [JSONValue] = []
        var values: [JSONValue] = []
        var unions: [JSONValue] = []
        var enums: [JSONValue] = []
        var scalars: [JSONValue] = []
        for declaration in scope.set.declarations {
            switch declaration {
            case .entity(let entity):
                let fields = EntityTranslator(entity, scope: scope, access: translator.access)
                entities.append(.object(EntityModel(fields).members))
            case .value(let value): values.append(types.value(value))
            case .union(let union): unions.append(types.union(union))
            case .enumeration(let enumeration): enums.append(types.enumeration(enumeration))
            case .scalar(let scalar): scalars.append(types.scalar(scalar))
            // Its fields stand in the entities that include it.
            case .mixin: continue
            }
        }
        members = Self.members(
            keys: Self.keys,
            [
                .string(scope.set.settings.name), .string(scope.set.settings.access.rawValue),
                .array(scope.set.files.map { .string($0) }), .array(entities), .array(values),
                .array(unions), .array(enums), .array(scalars), scope.names.json,
            ])
        context = ContextObject(members)
    }

    /// The members of some keys, in the same order.
    static func members(keys: [String], _ values: [JSONValue]) -> [JSONValue.Member] {
        zip(keys, values).map { JSONValue.Member($0, $1) }
    }
}

/// What all declarations and fields say of themselves.
enum Remarks {
    static let keys = ["doc", "hasDoc", "deprecated", "deprecation"]

    static func values(doc: String?, deprecated: Located<String>?) -> [JSONValue] {
        [
            .string(doc ?? ""), .bool(doc != nil), .bool(deprecated != nil),
            .string(deprecated?.value ?? ""),
        ]
    }
}
