internal import RepositorySchema

/// A kind of declaration: the first key of a document.
enum Kind: String, CaseIterable, Sendable {
    case entity, value, union, `enum`, scalar, mixin

    /// The keys of a document of this kind.
    var table: KeyTable {
        switch self {
        case .entity: .entity
        case .value: .value
        case .union: .union
        case .enum: .enumeration
        case .scalar: .scalar
        case .mixin: .mixin
        }
    }
}

extension KeyTable {
    fileprivate static let value = KeyTable(
        owner: "a value",
        keys: [
            Key("value", .typeName, "the value's name", isRequired: true),
            documentation, deprecated,
            Key("fields", fields(fieldShape(valueField)), "the fields", isRequired: true),
            earlierNames(of: "the value"), removedFields, reusedFields,
        ],
        misplaced: [
            "id": "a value has no identity; declare an 'entity' for that",
            "table": "a value is stored inside a record; declare an 'entity' for a table",
            "indexes": "a value is stored inside a record; only an 'entity' has indexes",
            "search": "a value is stored inside a record; only an 'entity' is searched",
            "softDelete": "a value is stored inside a record; only an 'entity' has 'softDelete'",
            "distribute": "a value is stored inside a record; only an 'entity' has 'distribute'",
            "include": "only an 'entity' includes mixins",
            "conformances": "only an 'entity' has 'conformances'",
            "migrate": "a value is stored inside a record; write 'migrate: code' at the entity",
        ])

    fileprivate static let union = KeyTable(
        owner: "a union",
        keys: [
            Key("union", .typeName, "the union's name", isRequired: true),
            documentation, deprecated,
            Key(
                "cases",
                .named(fields(fieldShape(caseField)), names: .memberName, entry: "a case"),
                "the cases with their fields", isRequired: true),
            earlierNames(of: "the union"), removedCases, reusedCases,
        ],
        misplaced: [
            "fields": "each of the 'cases' has its own fields",
            "id": "a union has no identity; declare an 'entity' for that",
            "indexes": "a union is stored inside a record; only an 'entity' has indexes",
            "include": "only an 'entity' includes mixins",
            "type": "an 'enum' has a 'type'; a union has 'cases' with fields",
            "unknown": "only an 'enum' has a case for unknown values",
            "conformances": "only an 'entity' has 'conformances'",
            "migrate": "a union is stored inside a record; write 'migrate: code' at the entity",
        ])

    fileprivate static let enumeration = KeyTable(
        owner: "an enum",
        keys: [
            Key("enum", .typeName, "the enum's name", isRequired: true),
            documentation, deprecated,
            Key("type", .choice(["String", "Int"]), "the type of the raw values"),
            Key(
                "cases",
                .list(
                    .forms(
                        scalar: .identifier, list: nil,
                        mapping: .pair(.text, names: .identifier, keys: enumCase),
                        expected: "a name, or a name with its raw value: 'onLoan: on_loan'")),
                "the cases", isRequired: true),
            Key("unknown", .identifier, "the case for unknown raw values"),
            earlierNames(of: "the enum"), replacedCases,
        ],
        misplaced: [
            "reuse": "a case that is declared again has the raw value that it is given",
            "fields": "an enum has 'cases'; a 'value' or an 'entity' has 'fields'",
            "values": "the key is named 'cases'",
        ])

    fileprivate static let scalar = KeyTable(
        owner: "a scalar",
        keys: [
            Key("scalar", .typeName, "the Swift type's name", isRequired: true),
            documentation, deprecated,
            Key(
                "stored", .choice(BaseType.written.map(\.rawValue)),
                "the base type that it is stored as", isRequired: true),
            Key("import", .text, "the module that declares it"),
        ])

    fileprivate static let mixin = KeyTable(
        owner: "a mixin",
        keys: [
            Key("mixin", .typeName, "the mixin's name", isRequired: true),
            documentation, deprecated,
        ] + entity.keys.filter { ["fields", "indexes", "checks"].contains($0.name) },
        misplaced: [
            "include": "a mixin cannot include another one; an entity can include both",
            "id": "an entity has an identity; its components may be fields of a mixin",
            "table": "a mixin has no table; the entities that include it have",
            "queries": "only an 'entity' has queries",
            "search": "name the field under 'search' of each entity that includes the mixin",
            "softDelete":
                "name the field under 'softDelete' of each entity that includes the mixin",
            "distribute":
                "name the field under 'distribute' of each entity that includes the mixin",
            "relations": "only an 'entity' has relations",
            "removed": "list the field under 'removed' of each entity that includes the mixin",
            "reuse": "list the field under 'reuse' of each entity that includes the mixin",
            "migrate": "write 'migrate: code' at each entity that includes the mixin",
            "conformances": "only an 'entity' has 'conformances'",
        ])

    /// The keys of the first document of a version file: the decisions of the settings.
    static let versionSettings = KeyTable(
        owner: "a document of decisions",
        keys: settings.keys.filter { ["removed", "reuse", "migrate"].contains($0.name) })

    /// The keys of the settings file.
    static let settings = KeyTable(
        owner: "the settings file",
        keys: [
            Key("name", .typeName, "the name of the generated type with the repositories"),
            Key(
                "access", .choice(["public", "package", "internal"]),
                "the access level of the generated code"),
            Key("output", .text, "the output folder"),
            Key(
                "columns", .choice(["snake_case", "as_written"]), "the naming style of columns"),
            Key(
                "stores",
                .list(.choice(KnownStore.allCases.map(\.rawValue))),
                "the stores that the schemas have to work with"),
            Key("manage", .flag, "whether tables are created and changed, or only verified"),
            Key(
                "imports", .list(.identifier), "additional modules that the generated files import"
            ),
            Key("templates", .optionalText, "a folder of templates"),
            Key(
                "oldest", .integer(1...Int.max),
                "the oldest released version whose data is still read"),
            Key(
                "removed", .oneOrMany(.typeName),
                "entities that are no longer declared, whose stored records are dropped"),
            Key(
                "reuse", .oneOrMany(.typeName), "names of removed entities that are declared again"
            ),
            migrateTables,
            Key(
                "migrations", .typeName,
                "the type of the module that has the functions for decisions by code"),
        ],
        misplaced: Dictionary(
            uniqueKeysWithValues: Kind.allCases.map {
                ($0.rawValue, "declare types in files of their own beside the settings file")
            }))
}
