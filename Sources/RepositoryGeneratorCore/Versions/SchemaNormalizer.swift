internal import RepositorySchema

/// Converts declarations to their normal form.
///
/// ``NormalizedSchema`` describes the form.
struct SchemaNormalizer {
    /// The declarations, with mixins expanded.
    let scope: SchemaScope
    private let fields: FieldNormalizer

    /// Creates a normaliser for the declarations of a scope.
    init(_ scope: SchemaScope) {
        self.scope = scope
        fields = FieldNormalizer(scope: scope)
    }

    /// Returns the normal form of a declaration; nil for a mixin, which its entities contain.
    func declaration(_ declaration: Declaration) -> NormalizedDeclaration? {
        switch declaration {
        case .entity(let entity): self.entity(entity)
        case .value(let value): self.value(value)
        case .union(let union): self.union(union)
        case .enumeration(let enumeration): self.enumeration(enumeration)
        case .scalar(let scalar): self.scalar(scalar)
        case .mixin: nil
        }
    }

    private func start(_ kind: String, _ header: DeclarationHeader) -> NormalizedDeclaration {
        NormalizedDeclaration(kind: kind, name: header.name.value, range: header.name.range)
    }

    private func entity(_ entity: EntityDeclaration) -> NormalizedDeclaration {
        var result = start("entity", entity.header)
        result.keys.append(
            NormalizedKey(name: "table", value: YAMLText.name(scope.table(of: entity).value)))
        if entity.isReadOnly {
            result.keys.append(NormalizedKey(name: "readOnly", value: "true"))
        } else if !scope.isManaged(entity) {
            result.keys.append(NormalizedKey(name: "manage", value: "false"))
        }
        if let deletion = entity.softDelete {
            result.keys.append(
                NormalizedKey(name: "softDelete", value: YAMLText.name(deletion.value)))
        }
        if let distribution = entity.distribute {
            result.keys.append(
                NormalizedKey(
                    name: "distribute", value: YAMLText.name(distribution.value.text)))
        }
        result.decisions = NormalizedDecisions(entity)
        switch entity.identity {
        case .single(let id) where id.isRowNumber:
            result.keys.append(NormalizedKey(name: "id", value: "rowid"))
        case .single(let id): result.parts.append(fields.identity(id))
        case .composite(let names):
            result.keys.append(
                NormalizedKey(
                    name: "id", value: YAMLText.list(names.map { YAMLText.name($0.value) })))
        }
        result.parts += entity.fields.map { fields.column($0) }
        result.parts += indexes(of: entity) + checks(of: entity)
        return result
    }

    private func value(_ value: ValueDeclaration) -> NormalizedDeclaration {
        var result = start("value", value.header)
        result.decisions = NormalizedDecisions(
            value.renamedFrom, removed: value.removed, reuse: value.reuse)
        result.parts = value.fields.map { fields.member($0, .fields) }
        return result
    }

    private func union(_ union: UnionDeclaration) -> NormalizedDeclaration {
        var result = start("union", union.header)
        result.decisions = NormalizedDecisions(
            union.renamedFrom, removed: union.removed, reuse: union.reuse)
        for item in union.cases {
            result.parts.append(
                NormalizedPart(
                    section: .unionCases, name: item.name.value, keys: [], range: item.name.range))
            result.parts += item.fields.map { field in
                var part = fields.member(field, .caseFields)
                part.owner = item.name.value
                return part
            }
        }
        return result
    }

    private func enumeration(_ enumeration: EnumDeclaration) -> NormalizedDeclaration {
        let rawType = enumeration.rawType.value
        var result = start("enum", enumeration.header)
        result.keys.append(NormalizedKey(name: "type", value: rawType.rawValue))
        if let unknown = enumeration.unknownCase {
            result.keys.append(
                NormalizedKey(name: "unknown", value: YAMLText.name(unknown.value)))
        }
        result.decisions = NormalizedDecisions(enumeration)
        result.parts = enumeration.cases.map { item in
            let raw = CanonicalLiteral.text(item.rawValue?.value ?? item.name.value, as: rawType)
            let value = rawType.isQuotedInVersions ? YAMLText.quoted(raw) : raw
            return NormalizedPart(
                section: .enumCases, name: item.name.value,
                keys: [NormalizedKey(name: "raw value", value: value)], range: item.name.range,
                decisions: NormalizedDecisions(item.renamedFrom))
        }
        return result
    }

    private func scalar(_ scalar: ScalarDeclaration) -> NormalizedDeclaration {
        var result = start("scalar", scalar.header)
        result.keys.append(NormalizedKey(name: "stored", value: scalar.stored.value.rawValue))
        return result
    }

    /// Returns the indexes of single fields and those of `indexes`, which differ in notation only.
    private func indexes(of entity: EntityDeclaration) -> [NormalizedPart] {
        let table = scope.table(of: entity).value
        let conditions = CanonicalCondition(entity, scope: scope)
        var parts: [NormalizedPart] = []
        func add(
            _ name: String?, _ keys: [(name: String, descending: Bool)], unique: Bool,
            _ condition: ConditionText?, _ range: SourceRange
        ) {
            let name = name ?? Naming.indexName(table: table, fields: keys.map(\.name))
            let list = keys.map { YAMLText.name(($0.descending ? "-" : "") + $0.name) }
            var values = [NormalizedKey(name: "fields", value: YAMLText.list(list))]
            if unique { values.append(NormalizedKey(name: "unique", value: "true")) }
            if let condition {
                values.append(
                    NormalizedKey(
                        name: "where", value: YAMLText.quoted(conditions.text(condition))))
            }
            parts.append(
                NormalizedPart(section: .indexes, name: name, keys: values, range: range))
        }
        for field in scope.fields(of: entity) {
            let isUnique = field.unique?.value == true
            guard isUnique || field.index?.value == true else { continue }
            add(nil, [(field.name.value, false)], unique: isUnique, nil, field.name.range)
        }
        for index in entity.indexes {
            let keys = index.keys.map { (name: $0.field.value, descending: $0.descending) }
            add(index.name?.value, keys, unique: index.unique, index.condition, index.range)
        }
        return Self.sorted(parts)
    }

    private func checks(of entity: EntityDeclaration) -> [NormalizedPart] {
        let conditions = CanonicalCondition(entity, scope: scope)
        return Self.sorted(
            entity.checks.map { check in
                let text = YAMLText.quoted(conditions.text(check.condition))
                return NormalizedPart(
                    section: .checks, name: check.name.value,
                    keys: [NormalizedKey(name: "where", value: text)], range: check.name.range)
            })
    }

    private static func sorted(_ parts: [NormalizedPart]) -> [NormalizedPart] {
        parts.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
