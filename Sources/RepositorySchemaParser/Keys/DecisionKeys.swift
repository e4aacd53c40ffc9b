/// The keys that decide how stored data follows a change of the schema.
extension KeyTable {
    /// `removed` of an entity or a value.
    static let removedFields = Key(
        "removed", .oneOrMany(.identifier),
        "fields that are no longer declared, whose stored values are dropped")

    /// `reuse` of an entity or a value.
    static let reusedFields = Key(
        "reuse", .oneOrMany(.identifier), "names of removed fields that are declared again")

    /// `removed` of a union.
    static let removedCases = Key(
        "removed", .oneOrMany(.path),
        "cases, and fields of cases, that are no longer declared: 'circle', 'circle.radius'")

    /// `reuse` of a union.
    static let reusedCases = Key(
        "reuse", .oneOrMany(.path), "removed cases and fields that are declared again")

    /// `removed` of an enum.
    static let replacedCases = Key(
        "removed",
        .forms(
            scalar: nil, list: nil,
            mapping: .named(.identifier, names: .identifier, entry: "a case"),
            expected: "a mapping of removed cases to those that replace them, such as "
                + "'{ lost: withdrawn }'"),
        "cases that are no longer declared, each with the case that replaces it in stored records")

    /// Returns `renamedFrom` of a type.
    static func earlierNames(of owner: String) -> Key {
        Key("renamedFrom", .oneOrMany(.identifier), "earlier names of \(owner)")
    }

    /// `migrate` of an entity.
    static let migrateRecords = Key(
        "migrate",
        .forms(
            scalar: .choice(["code"], help: "write 'migrate: code', or leave the key out"),
            list: nil,
            mapping: .keys(
                KeyTable(
                    owner: "'migrate' of an entity",
                    keys: [
                        Key("code", .mark, "a function converts each record", isRequired: true),
                        version,
                    ])),
            expected: "'code', or '{ code, for: 6 }' for one version"),
        "a function of the program converts the stored records")

    /// `migrate` of the settings.
    static let migrateTables = Key(
        "migrate",
        .oneOrMany(
            .forms(
                scalar: nil, list: nil,
                mapping: .keys(
                    KeyTable(
                        owner: "'migrate' of the settings",
                        keys: [
                            Key(
                                "code", .oneOrMany(.typeName),
                                "the entities that a function converts", isRequired: true),
                            version,
                        ])),
                expected: "a mapping such as '{ code: [Client, Membership] }'")),
        "entities whose stored records a function of the program converts together")

    /// `fill` of a field.
    static let fill = Key(
        "fill",
        .forms(
            scalar: .literal, list: .literal,
            mapping: .keys(
                KeyTable(
                    owner: "'fill'",
                    keys: [
                        Key("value", .literal, "the value for stored records"),
                        Key("code", .mark, "a function gives the value of each record"),
                        version,
                    ], misplaced: ["otherwise": "'otherwise' belongs to 'convert'"],
                    alternatives: ["value", "code"],
                    unknownHelp: "write a map as '{ value: { a: 1 } }'")),
            expected: "a value or 'code'"),
        "the value of a required field for stored records that have none")

    /// `convert` of a field or id.
    static let convert = Key(
        "convert",
        .forms(
            scalar: .choice(["value", "code"]), list: nil,
            mapping: .keys(
                KeyTable(
                    owner: "'convert'",
                    keys: [
                        Key("value", .mark, "the same value in the new type"),
                        Key("code", .mark, "a function converts each value"),
                        Key("otherwise", .literal, "the value for stored values that do not fit"),
                        version,
                    ], alternatives: ["value", "code"], companions: ["otherwise": "value"])),
            expected: "'value', 'code', or a mapping such as '{ value, otherwise: 0 }'"),
        "how stored values are converted to the field's new type")

    /// The keys beside the name and the raw value of an enum's case.
    static let enumCase = KeyTable(
        owner: "a case of an enum",
        keys: [earlierNames(of: "the case"), caseSource])

    /// `for` of a decision.
    private static let version = Key(
        "for", .integer(1...Int.max),
        "the number of the version that the decision is for; the next one when left out")
}
