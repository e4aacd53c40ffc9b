internal import RepositoryRuntime
internal import StoredSchema

/// A table of an old version as its program declared it, made from the stored description.
struct OldTable: Sendable {
    /// The description.
    let stored: StoredTable
    /// The table.
    let table: EntityTable
    /// The entity of its records.
    let entity: any PlaceholderNumber.Type

    /// Declares a table.
    ///
    /// - Parameters:
    ///   - stored: the description.
    ///   - tables: all tables of the version, which references refer to.
    ///   - declared: the table whose distribution the table has. Descriptions do not contain it.
    /// - Throws: ``OldTableProblem`` if the table cannot be declared from its description.
    init(
        _ stored: StoredTable, among tables: [StoredTable], distributedAs declared: EntityTable?
    ) throws {
        var table = EntityTable(
            stored.name, entity: "Old \(stored.name)", renamedFrom: stored.renamedFrom.names)
        var forms: [PlaceholderField] = []
        let folded = stored.foldedFields
        for field in stored.fields {
            guard let (type, form) = PlaceholderForm.of(field.type, cases: field.cases) else {
                throw OldTableProblem(
                    table: stored.name, "has a field '\(field.name)' of an unknown type")
            }
            let value = field.defaultValue.map { StoredValue($0) }
            forms.append(
                PlaceholderField(form: form, isOptional: field.isOptional, defaultValue: value))
            table.field(
                field.name, type, column: field.columnPrefix(among: tables),
                storedAs: field.storedAs.flatMap(StoredForm.init), optional: field.isOptional,
                default: value, rules: field.rules.map(FieldRules.init) ?? FieldRules(),
                reference: field.reference.flatMap(TableReference.init),
                key: stored.key.contains(field.name), version: stored.version == field.name,
                ignoringCase: folded.contains(field.name), renamedFrom: field.renamedFrom.names,
                columnsRenamedFrom: field.columnsRenamedFrom.names)
            table.cases(field.cases)
        }
        for index in stored.indexes {
            let condition = try index.condition.map { try Self.condition($0, stored, table) }
            table.index(index.name, index.keys, unique: index.isUnique, where: condition)
        }
        if let deletion = stored.deletion { table.softDelete(deletion) }
        for check in stored.checks ?? [] {
            table.check(
                check.name, try Self.condition(check.condition, stored, table),
                message: "A check of an old version.")
        }
        switch declared?.distribution {
        case .field(let field)?:
            if let name = declared?.layout.fields[field].name { table.distribute(by: name) }
        case .everywhere?: table.distributeEverywhere()
        case nil: break
        }
        self.stored = stored
        self.table = table
        let components = table.key.map { table.layout.fields[$0] }
        let id: PlaceholderForm
        if table.key.count == 1, case .single = forms[table.key[0]].form {
            id = forms[table.key[0]].form
        } else if table.key.count > 1 {
            id = .composite(
                Placeholders.register(
                    .members(FieldLayout(stored.name, components), table.key.map { forms[$0] })))
        } else {
            throw OldTableProblem(table: stored.name, "has an id that refers to a composite id")
        }
        entity = Placeholders.register(.table(table, forms, id: id))
    }

    /// Returns whether the declared table has the stored description. Descriptions of versions do
    /// not contain folded columns, those of a database do.
    func isDeclaredAsStored(in schema: StoreSchema) -> Bool {
        [SchemaComparison.Form.columns, .foldedColumns].contains { form in
            StoredTable(table, in: schema, form) == stored
        }
    }

    private static func condition(
        _ text: String, _ stored: StoredTable, _ table: EntityTable
    ) throws -> Condition {
        guard let tree = ConditionReader.condition(text, table.layout) else {
            throw OldTableProblem(
                table: stored.name, "has the condition '\(text)', which cannot be read")
        }
        return Condition(tree)
    }
}

/// A table that cannot be declared from its description.
struct OldTableProblem: Error {
    let table: String
    let reason: String

    init(table: String, _ reason: String) {
        self.table = table
        self.reason = reason
    }
}

extension StoredTable {
    /// The names of the fields that ignore case, as far as the description shows them: in indexes,
    /// conditions and folded columns.
    fileprivate var foldedFields: Set<String> {
        var names = Set(indexes.flatMap { $0.foldedKeys ?? [] })
        names.formUnion(fields.filter { $0.isFolded == true }.map(\.name))
        let conditions = indexes.compactMap(\.condition) + (checks ?? []).map(\.condition)
        for field in fields
        where conditions.contains(where: { $0.contains("folded(\(field.name)") }) {
            names.insert(field.name)
        }
        return names
    }
}

extension StoredField {
    /// The column; for a reference to a composite id, what the names of its columns begin with.
    fileprivate func columnPrefix(among tables: [StoredTable]) -> String? {
        guard case .composite = type, let first = columns.first else { return columns.first }
        let target = tables.first { $0.name == reference?.table }
        let suffix = target.flatMap { table in
            table.key.first.flatMap { table.field($0)?.columns.first }
        }
        guard let suffix, first.hasSuffix("_" + suffix) else { return name }
        return String(first.dropLast(suffix.count + 1))
    }
}

extension FieldRules {
    fileprivate init(_ stored: StoredRules) {
        self.init(
            minimum: stored.minimum.map { StoredValue($0) },
            maximum: stored.maximum.map { StoredValue($0) }, minLength: stored.minLength,
            maxLength: stored.maxLength, pattern: stored.pattern)
    }
}

extension TableReference {
    fileprivate init?(_ stored: StoredReference) {
        guard let rule = DeleteRule(rawValue: stored.onDelete) else { return nil }
        self.init(stored.table, onDelete: rule)
    }
}

extension PlaceholderForm {
    /// Returns the type and the form of a shape, and registers the placeholders for its parts; nil
    /// if a type is unknown.
    fileprivate static func of(
        _ shape: StoredShape, cases: [String]? = nil
    ) -> (StoredType, PlaceholderForm)? {
        switch shape {
        case .single(let name):
            guard let (base, scale) = StoredBaseType.parsed(name) else { return nil }
            let type = StoredType(base, scale: scale)
            return (type, .single(type))
        case .composite(let members):
            return part(members).map { (.composite($0), .composite($1)) }
        case .object(let members): return part(members).map { (.object($0), .object($1)) }
        case .list(let element, let isOptional):
            return elements(element, isOptional).map {
                (.list($0, optionalElements: isOptional), .list($1))
            }
        case .map(let element, let isOptional):
            return elements(element, isOptional).map {
                (.map($0, optionalElements: isOptional), .map($1))
            }
        }
    }

    private static func elements(
        _ shape: StoredShape, _ isOptional: Bool
    ) -> (StoredType, any PlaceholderNumber.Type)? {
        of(shape).map { type, form in
            let field = PlaceholderField(form: form, isOptional: isOptional, defaultValue: nil)
            return (type, Placeholders.register(.element(field)))
        }
    }

    private static func part(
        _ members: [StoredMember]
    ) -> (FieldLayout, any PlaceholderNumber.Type)? {
        var fields: [FieldDescription] = []
        var forms: [PlaceholderField] = []
        for member in members {
            guard let (type, form) = of(member.type) else { return nil }
            let value = member.defaultValue.map { StoredValue($0) }
            fields.append(
                FieldDescription(
                    member.name, type, optional: member.isOptional, default: value,
                    renamedFrom: member.renamedFrom.names, cases: member.cases))
            forms.append(
                PlaceholderField(form: form, isOptional: member.isOptional, defaultValue: value))
        }
        let layout = FieldLayout("a value of an old version", fields)
        return (layout, Placeholders.register(.members(layout, forms)))
    }
}
