internal import RepositorySchema

/// A declaration together with the scope in which its names are resolved.
struct Described<Declared> {
    let declared: Declared
    let scope: SchemaScope

    init(_ declared: Declared, _ scope: SchemaScope) {
        self.declared = declared
        self.scope = scope
    }
}

/// The facts of declarations other than entities.
///
/// The getters are shared by `--dump-context` and by templates.
enum TypeModel {
    /// The facts of an embedded value.
    static let value = head(of: \ValueDeclaration.header).followed(
        by: Members([
            "fields": {
                fields($0.declared.fields, of: $0.declared.header.name.value, $0.scope)
            }
        ]))

    /// The facts of a union.
    static let union = head(of: \UnionDeclaration.header).followed(
        by: Members([
            "cases": { union in
                .array(
                    union.declared.cases.map {
                        unionCase.json(of: (union, $0))
                    })
            }
        ]))

    /// The facts of a case of a union.
    static let unionCase = Members<
        (union: Described<UnionDeclaration>, declared: UnionCaseDeclaration), JSONValue
    >([
        "name": { .string($0.declared.name.value) },
        "fields": {
            fields($0.declared.fields, of: $0.union.declared.header.name.value, $0.union.scope)
        },
        "hasFields": { .bool(!$0.declared.fields.isEmpty) },
    ])

    /// The facts of an enum.
    static let enumeration = head(of: \EnumDeclaration.header).followed(
        by: Members([
            "type": { .string($0.declared.rawType.value.rawValue) },
            "cases": { .array($0.declared.cases.map(enumerationCase.json)) },
            "unknown": { .string($0.declared.unknownCase?.value ?? "") },
        ]))

    /// The facts of a case of an enum.
    static let enumerationCase = Members<EnumCaseDeclaration, JSONValue>([
        "name": { .string($0.name.value) },
        "rawValue": { .string($0.rawValue?.value ?? $0.name.value) },
        "doc": { .string($0.doc ?? "") },
        "hasDoc": { .bool($0.doc != nil) },
    ])

    /// The facts of a scalar.
    static let scalar = head(of: \ScalarDeclaration.header).followed(
        by: Members([
            "stored": { .string($0.declared.stored.value.rawValue) },
            "module": { .string($0.declared.module?.value ?? "") },
        ]))

    /// The facts that all declarations have in common.
    private static func head<Declared>(
        of header: @escaping @Sendable (Declared) -> DeclarationHeader
    ) -> Members<Described<Declared>, JSONValue> {
        Members<DeclarationHeader, JSONValue>([
            "name": { .string($0.name.value) },
            "noun": { .string(Prose.noun($0.name.value)) },
            "file": { .string($0.sourceFile) },
        ])
        .followed(by: Remarks.facts) { Remarks($0) }
        .of { header($0.declared) }
    }

    /// The facts of the fields of a value or of a union case.
    private static func fields(
        _ fields: [FieldDeclaration], of owner: String, _ scope: SchemaScope
    ) -> JSONValue {
        .array(
            fields.map {
                FieldModel(TranslatedField($0, of: owner, scope: scope), owner: owner, scope: scope)
                    .json
            })
    }
}
