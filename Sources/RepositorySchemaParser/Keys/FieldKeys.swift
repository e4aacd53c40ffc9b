internal import RepositorySchema
internal import StoredSchema

extension KeyTable {
    /// The keys of a field of an entity or mixin.
    static let field = KeyTable(
        owner: "a field",
        keys: [Key("type", .type, "the field's type", isRequired: true)] + common + stored + [
            Key("default", .literal, "the default value in the initializer"),
            Key("scale", .integer(0...18), "the number of fraction digits"),
            Key("index", .flag, "whether the field has an index"),
            Key("unique", .flag, "whether two records cannot have the same value"),
            Key("onDelete", .choice(deleteRules), "the action when the other record is deleted"),
            Key("onCreate", .choice(["now"]), "the value that the creation sets"),
            Key("onUpdate", .choice(["now"]), "the value that each update sets"),
            Key("version", .flag, "whether the field is the version for optimistic locking"),
            Key("external", .flag, "whether the data is stored apart from the record"),
            Key("computed", .flag, "whether the database computes the value"),
            Key(
                "readAs", .choice(["text"]),
                "how a column with values of several types is read"),
            Key("encrypted", .flag, "whether SQL stores encrypt the value"),
            fill, convert,
        ],
        misplaced: [
            "optional": "write a '?' after the type: 'String?'",
            "nullable": "write a '?' after the type: 'String?'",
            "required": "a field without '?' after its type is always required",
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
            Key(
                "default", .literal,
                "'generated': a new UUID; 'assigned': the store's next number"),
            Key("onDelete", .choice(deleteRules), "the action when the other record is deleted"),
        ] + common + stored + [convert],
        misplaced: [
            "unique": "an id is always unique", "index": "an id always has an index",
            "onCreate": "an id is not a time; 'default: generated' gives a new UUID",
            "onUpdate": "an id never changes", "version": "an id never changes",
            "external": "an id is stored in its record",
            "computed": "an id is given by the program or by its store",
            "readAs": "an id is read as its type",
            "encrypted": "records are found by their ids",
            "scale": "a Decimal cannot be an id",
            "fill": "every stored record has an id; 'convert' changes its type",
            "fields": "a composite id is a list of fields: 'id: [playlist, track]'",
        ])

    /// The keys of a field of a value.
    static let valueField = KeyTable(
        owner: "a field of a value",
        keys: [Key("type", .type, "the field's type", isRequired: true)] + common + [
            Key("default", .literal, "the default value in the initializer"),
            Key("scale", .integer(0...18), "the number of fraction digits"),
            earlierNames(of: "the field"), fill, convert,
        ],
        misplaced: Dictionary(
            uniqueKeysWithValues: [
                "column", "storedAs", "index", "unique", "onDelete", "onCreate", "onUpdate",
                "version", "ignoringCase", "external", "computed", "readAs", "encrypted",
            ].map { ($0, "a value is stored as a whole; only fields of an entity have '\($0)'") }))

    /// The keys of a field of a case of a union.
    static let caseField: KeyTable = {
        var table = valueField
        table.owner = "a field of a case"
        table.keys.removeAll { ["deprecated", "from"].contains($0.name) }
        table.misplaced = table.misplaced.mapValues { _ in
            "a union is stored as a whole; only fields of an entity have that key"
        }
        table.misplaced["deprecated"] = "no part of a case can be deprecated; the union can"
        return table
    }()

    /// The shape of a field: its type, or a mapping.
    static func fieldShape(_ table: KeyTable) -> Shape {
        .forms(
            scalar: .type, list: .type, mapping: .keys(table),
            expected: "a type, such as 'String?', or a mapping with the key 'type'")
    }

    /// The keys that all kinds of fields have.
    private static let common = [
        Key("doc", .text, "documentation"),
        Key("minimum", .literal, "the smallest value"),
        Key("maximum", .literal, "the largest value"),
        Key("minLength", .integer(0...Int.max), "the minimum length"),
        Key("maxLength", .integer(0...Int.max), "the maximum length"),
        Key("pattern", .text, "the pattern that the whole string has to match"),
        Key("sensitive", .flag, "whether the value is hidden in logs, errors and descriptions"),
        Key("deprecated", .flagOrText, "the deprecation message"),
        fieldSource,
    ]

    /// The keys of fields that are stored in columns of their own: of entities, mixins and ids.
    private static let stored = [
        Key("column", .text, "the column's name"),
        earlierNames(of: "the field"),
        Key("ignoringCase", .flag, "whether comparisons use simple case folding"),
        Key("storedAs", .keys(storedAs), "the representation in a store"),
    ]

    /// The keys of `storedAs`: the names of the stores with several representations.
    private static let storedAs = KeyTable(
        owner: "'storedAs'",
        keys: [
            Key(
                "sqlite",
                .choice(
                    StoredColumnForm.allCases.map(\.rawValue),
                    help: "a UUID can be stored as text, blob or lowercaseText, "
                        + "a Date or Decimal as text, integer or real; "
                        + "a Date also in one of the other forms"),
                "the representation in SQLite"),
            Key(
                "postgresql",
                .choice(["timestamp"], help: "a Date can be stored as timestamp, in UTC"),
                "the type of an unmanaged column in PostgreSQL"),
        ],
        impliedKey: "sqlite", isNeverEmpty: true)

    /// The values of `onDelete`.
    private static let deleteRules = DeleteRule.allCases.map(\.rawValue)
}
