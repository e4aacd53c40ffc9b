internal import RepositorySchema

extension KeyTable {
    /// The keys of an entity.
    static let entity = KeyTable(
        owner: "an entity",
        keys: [
            Key("entity", .typeName, "the entity's name", isRequired: true),
            documentation, deprecated,
            Key("table", .text, "the table's name"),
            Key(
                "id",
                .forms(
                    scalar: .choice(
                        ["rowid"],
                        help: "write a mapping, such as '{ name: isbn, type: String }', a list of "
                            + "fields, or 'rowid'"),
                    list: .list(.memberName), mapping: .keys(identity),
                    expected: "a mapping, such as '{ name: isbn, type: String }', "
                        + "a list of fields, or 'rowid'"),
                "the identity; a generated UUID called 'id' when left out"),
            Key(
                "include", .oneOrMany(.typeName),
                "mixins whose fields, indexes and checks the entity includes"),
            Key("fields", fields(fieldShape(field)), "the fields"),
            Key("indexes", .list(index), "indexes over several fields"),
            Key(
                "checks", .named(.keys(check), names: .memberName, entry: "a check"),
                "conditions that every record has to satisfy"),
            Key(
                "queries", .named(.keys(query), names: .memberName, entry: "a query"),
                "declared finders"),
            Key(
                "relations", .named(.keys(relation), names: .memberName, entry: "a relation"),
                "loaders of related records"),
            Key(
                "search", .oneOrMany(.memberName),
                "the fields that full-text searches read, the most significant first"),
            Key(
                "softDelete", .memberName,
                "the optional date that marks deleted records, which stay stored"),
            Key(
                "distribute", .memberName,
                "the field by which a distributed database spreads the records over its machines, "
                    + "or 'everywhere'"),
            earlierNames(of: "the entity"), removedFields, reusedFields, migrateRecords,
            entitySource,
            Key("conformances", .oneOrMany(.text), "additional protocols of the type"),
            Key("manage", .flag, "whether the table is created and changed, or only verified"),
            Key("readOnly", .flag, "whether the records are only read, such as those of a view"),
        ],
        misplaced: [
            "type": "an entity has 'fields'; a 'type' belongs to an enum or a field",
            "cases": "'cases' belongs to an enum or a union",
            "name": "the name is the value of the first key: 'entity: Book'",
            "unique": "write '- { fields: […], unique: true }' under 'indexes'",
            "primaryKey": "the identity is declared by the key 'id'",
            "extends": "an entity cannot extend another one",
        ])

    /// The key for documentation, common to all kinds.
    static let documentation = Key("doc", .text, "documentation")

    /// The key that marks a declaration as deprecated, common to all kinds.
    static let deprecated = Key("deprecated", .flagOrText, "the deprecation message")

    /// The shape of `fields`.
    static func fields(_ shape: Shape) -> Shape {
        .named(shape, names: .memberName, entry: "a field")
    }

    /// An entry of `indexes`: a field, or a mapping.
    private static let index = Shape.forms(
        scalar: .indexKey, list: nil,
        mapping: .keys(
            KeyTable(
                owner: "an index",
                keys: [
                    Key(
                        "fields", .oneOrMany(.indexKey), "the fields in order", isRequired: true),
                    Key("name", .text, "the index's name"),
                    Key("unique", .flag, "no two records share the values"),
                    Key("where", .text, "which records the index covers"),
                ])),
        expected: "a field, or a mapping such as '{ fields: [title, author] }'")

    /// The keys of an entry of `checks`.
    private static let check = KeyTable(
        owner: "a check",
        keys: [
            Key("where", .text, "the condition", isRequired: true),
            Key("message", .text, "the message of the error for a violation"),
        ])

    /// The keys of an entry of `queries`.
    private static let query = KeyTable(
        owner: "a query",
        keys: [
            documentation,
            Key("search", .text, "the parameter whose words are searched for, such as $words"),
            Key(
                "matching", .choice(WordMatching.allCases.map(\.rawValue)),
                "whether all words are required or one of them"),
            Key("where", .text, "the condition"),
            Key("sort", .oneOrMany(.sortValue), "the order"),
            Key("limit", .integer(1...Int.max), "the maximum number of records"),
            Key("allowFullScan", .flag, "whether the query may read every record"),
            deprecated,
        ])

    /// The keys of an entry of `relations`.
    private static let relation = KeyTable(
        owner: "a relation",
        keys: [
            documentation,
            Key("of", .typeName, "the entity that is loaded", isRequired: true),
            Key("by", .memberName, "its field that refers to this entity"),
            Key("through", .typeName, "the entity that joins both"),
            Key("sort", .oneOrMany(.sortKey), "the order"),
            Key("limit", .integer(1...Int.max), "the maximum number of records per parent"),
            deprecated,
        ])
}
