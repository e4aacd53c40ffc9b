internal import RepositorySchema

extension KeyTable {
    /// The keys of a field of an entity or mixin.
    static let field = KeyTable(
        owner: "a field",
        keys: [Key("type", .type, "the field's type", isRequired: true)] + common + stored + [
            Key("default", .literal, "the value that the initialiser offers"),
            Key("scale", .integer(0...18), "digits behind the decimal point"),
            Key("index", .flag, "an index over this field"),
            Key("unique", .flag, "no two records share a value"),
            Key("onDelete", .choice(deleteRules), "what happens when the other record is deleted"),
            Key("onUpdate", .choice(["now"]), "the value that each update sets"),
            Key("version", .flag, "the optimistic lock"),
        ],
        misplaced: [
            "optional": "write a '?' behind the type: 'String?'",
            "nullable": "write a '?' behind the type: 'String?'",
            "required": "a field without '?' behind its type is always required",
            "primaryKey": "the identity is declared by the entity's key 'id'",
            "references": "the type of a reference is the other entity: 'type: Author'",
            "name": "a field's name is the key before it; 'column' names the column",
        ])

    /// The keys of the id of an entity.
    static let identity = KeyTable(
        owner: "an id",
        keys: [
            Key("name", .memberName, "the property; 'id' when left out"),
            Key("type", .type, "the id's type", isRequired: true),
            Key("default", .literal, "'generated': a new UUID"),
            Key("onDelete", .choice(deleteRules), "what happens when the other record is deleted"),
        ] + common + stored,
        misplaced: [
            "unique": "an id is always unique", "index": "an id always has an index",
            "onUpdate": "an id never changes", "version": "an id never changes",
            "scale": "a Decimal cannot be an id",
            "fields": "a composite id is a list of fields: 'id: [playlist, track]'",
        ])

    /// The keys of a field of a value.
    static let valueField = KeyTable(
        owner: "a field of a value",
        keys: [Key("type", .type, "the field's type", isRequired: true)] + common + [
            Key("default", .literal, "the value that the initialiser offers"),
            Key("scale", .integer(0...18), "digits behind the decimal point"),
            Key("renamedFrom", .oneOrMany(.identifier), "earlier names of the field"),
        ],
        misplaced: Dictionary(
            uniqueKeysWithValues: [
                "column", "storedAs", "index", "unique", "onDelete", "onUpdate", "version",
                "ignoringCase",
            ].map { ($0, "a value is stored as a whole; only fields of an entity have '\($0)'") }))

    /// The keys of a field of a case of a union.
    static let caseField: KeyTable = {
        var table = valueField
        table.owner = "a field of a case"
        table.keys.removeAll { $0.name == "deprecated" }
        table.misplaced = table.misplaced.mapValues { _ in
            "a union is stored as a whole; only fields of an entity have that key"
        }
        table.misplaced["deprecated"] = "no part of a case can be deprecated; the union can"
        return table
    }()

    /// A field: its type, or a mapping.
    static func fieldShape(_ table: KeyTable) -> Shape {
        .forms(
            scalar: .type, list: .type, mapping: .keys(table),
            expected: "a type, such as 'String?', or a mapping with the key 'type'")
    }

    private static let common = [
        Key("doc", .text, "documentation"),
        Key("minimum", .literal, "the least value"),
        Key("maximum", .literal, "the greatest value"),
        Key("minLength", .integer(0...Int.max), "the least length"),
        Key("maxLength", .integer(0...Int.max), "the greatest length"),
        Key("pattern", .text, "what the whole text must match"),
        Key("sensitive", .flag, "never in logs, errors and descriptions"),
        Key("deprecated", .flagOrText, "why and for what it goes"),
    ]

    private static let stored = [
        Key("column", .text, "the column's name"),
        Key("renamedFrom", .oneOrMany(.identifier), "earlier names of the field"),
        Key("ignoringCase", .flag, "compared by simple case folding"),
        Key("storedAs", .keys(storedAs), "another stored form"),
    ]

    private static let storedAs = KeyTable(
        owner: "'storedAs'",
        keys: [
            Key(
                "sqlite",
                .choice(
                    ColumnForm.allCases.map(\.rawValue),
                    help: "a UUID has the forms text, blob and lowercaseText, "
                        + "a Date or Decimal text, integer and real"),
                "the form in SQLite", isRequired: true)
        ],
        impliedKey: "sqlite")

    private static let deleteRules = DeleteRule.allCases.map(\.rawValue)
}
