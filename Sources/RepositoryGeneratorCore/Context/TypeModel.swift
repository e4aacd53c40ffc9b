internal import RepositorySchema

/// What is known of the types that are no entities.
struct TypeModel {
    static let valueKeys = ["name", "noun", "file"] + Remarks.keys + ["fields"]
    static let unionKeys = ["name", "noun", "file"] + Remarks.keys + ["cases"]
    static let unionCaseKeys = ["name", "fields", "hasFields"]
    static let enumerationKeys =
        ["name", "noun", "file"] + Remarks.keys + ["type", "cases", "unknown"]
    static let enumerationCaseKeys = ["name", "rawValue", "doc", "hasDoc"]
    static let scalarKeys = ["name", "noun", "file"] + Remarks.keys + ["stored", "module"]

    let scope: SchemaScope

    func value(_ value: ValueDeclaration) -> JSONValue {
        object(
            Self.valueKeys, value.header, [fields(value.fields, of: value.header.name.value)])
    }

    func union(_ union: UnionDeclaration) -> JSONValue {
        let name = union.header.name.value
        let cases = union.cases.map { one -> JSONValue in
            .object(
                SetModel.members(
                    keys: Self.unionCaseKeys,
                    [
                        .string(one.name.value), fields(one.fields, of: name),
                        .bool(!one.fields.isEmpty),
                    ]))
        }
        return object(Self.unionKeys, union.header, [.array(cases)])
    }

    func enumeration(_ enumeration: EnumDeclaration) -> JSONValue {
        let cases = enumeration.cases.map { one -> JSONValue in
            .object(
                SetModel.members(
                    keys: Self.enumerationCaseKeys,
                    [
                        .string(one.name.value),
                        .string(one.rawValue?.value ?? one.name.value), .string(one.doc ?? ""),
                        .bool(one.doc != nil),
                    ]))
        }
        return object(
            Self.enumerationKeys, enumeration.header,
            [
                .string(enumeration.rawType.value.rawValue), .array(cases),
                .string(enumeration.unknownCase?.value ?? ""),
            ])
    }

    func scalar(_ scalar: ScalarDeclaration) -> JSONValue {
        object(
            Self.scalarKeys, scalar.header,
            [.string(scalar.stored.value.rawValue), .string(scalar.module?.value ?? "")])
    }

    private func object(
        _ keys: [String], _ header: DeclarationHeader, _ values: [JSONValue]
    ) -> JSONValue {
        let name = header.name.value
        let head: [JSONValue] = [
            .string(name), .string(Prose.noun(name)), .string(header.sourceFile),
        ]
        let remarks = Remarks.values(doc: header.doc, deprecated: header.deprecated)
        return .object(SetModel.members(keys: keys, head + remarks + values))
    }

    private func fields(_ fields: [FieldDeclaration], of owner: String) -> JSONValue {
        .array(
            fields.map {
                FieldModel(TranslatedField($0, of: owner, scope: scope), owner: owner, scope: scope)
                    .json
            })
    }
}
