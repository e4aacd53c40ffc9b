package import StoredSchema
internal import Synchronization

/// Descriptions of the tables of a program.
///
/// Creating one takes milliseconds in a debug build, and tests often open one store per test case.
/// The most recent ones are therefore cached for the whole process.
extension DeclaredSchema {
    /// A cache entry.
    private struct Kept: Sendable {
        let schema: StoreSchema
        let form: SchemaComparison.Form
        let declared: DeclaredSchema
    }

    /// The maximum number of cache entries. The oldest entry is evicted first.
    private static let limit = 8
    /// The cache, oldest entry first.
    private static let kept = Mutex<[Kept]>([])

    /// Describes a schema without the cache.
    private init(_ schema: StoreSchema, _ form: SchemaComparison.Form) {
        let stored = schema.tables.filter { form == .documents || $0.isManaged }
        self.init(
            name: schema.name, tables: stored.map { StoredTable($0, in: schema, form) },
            unmanaged: schema.tables.map(\.name))
    }

    /// Returns the description of a schema.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - form: how the store stores records. In a store with columns, unmanaged tables are not
    ///     described, because the store neither creates nor migrates them.
    package static func of(
        _ schema: StoreSchema, _ form: SchemaComparison.Form
    ) -> DeclaredSchema {
        let known = kept.withLock { kept in
            kept.first { $0.form == form && $0.schema == schema }?.declared
        }
        if let known { return known }
        let declared = DeclaredSchema(schema, form)
        kept.withLock { kept in
            if kept.count == limit { kept.removeFirst() }
            kept.append(Kept(schema: schema, form: form, declared: declared))
        }
        return declared
    }
}

extension SchemaDescription {
    /// Describes a declared schema.
    ///
    /// - Parameters:
    ///   - schema: the declared schema.
    ///   - previous: the previous description, whose history is continued.
    ///   - form: how the store stores records.
    package init(
        _ schema: StoreSchema, after previous: SchemaDescription? = nil,
        form: SchemaComparison.Form = .documents
    ) {
        self.init(DeclaredSchema.of(schema, form), after: previous)
    }
}

extension SchemaComparison {
    /// Compares a stored description with the schema of a program.
    ///
    /// - Parameters:
    ///   - stored: the description stored with the data.
    ///   - declared: the schema of the program.
    ///   - form: how the store stores records.
    package static func compare(
        stored: SchemaDescription, declared: StoreSchema, form: Form
    ) -> SchemaComparison {
        compare(stored: stored, declared: DeclaredSchema.of(declared, form), form: form)
    }
}

extension StoredTable {
    /// Describes a declared table.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - schema: the schema to which the table belongs, which also contains the targets of its
    ///     references.
    ///   - form: how the store stores records.
    package init(
        _ table: EntityTable, in schema: StoreSchema, _ form: SchemaComparison.Form = .documents
    ) {
        let names = table.layout.fields.map(\.name)
        self.init(
            name: table.name,
            fields: table.fields.indices.map { StoredField(table, $0, in: schema, form) },
            key: table.key.map { names[$0] }, version: table.versionField.map { names[$0] },
            deletion: table.deletionField.map { names[$0] },
            indexes: table.indexes.map { StoredIndex($0, table) },
            checks: table.checks.map {
                StoredCheck(
                    name: $0.name, condition: StoredCondition($0.condition, in: table.layout))
            },
            renamedFrom: EarlierNames(table.renamedFrom))
    }
}

extension StoredField {
    /// Describes the declared field with an index.
    fileprivate init(
        _ table: EntityTable, _ index: Int, in schema: StoreSchema, _ form: SchemaComparison.Form
    ) {
        let (description, field) = (table.layout.fields[index], table.fields[index])
        self.init(
            name: description.name, columns: schema.columns(of: index, in: table),
            type: StoredShape(description.type), isOptional: description.isOptional)
        defaultValue = description.defaultValue.map(StoredConstant.init)
        rules = StoredRules(
            minimum: field.rules.minimum.map(StoredConstant.init),
            maximum: field.rules.maximum.map(StoredConstant.init),
            minLength: field.rules.minLength, maxLength: field.rules.maxLength,
            pattern: field.rules.pattern)
        reference = field.reference.map {
            StoredReference(table: $0.table, onDelete: $0.onDelete.rawValue)
        }
        storedAs = field.storedAs?.rawValue
        if form == .foldedColumns, table.hasFoldedColumn(index) { isFolded = true }
        cases = description.cases?.sorted(by: UTF8Order.precedes)
        renamedFrom = EarlierNames(description.renamedFrom)
        columnsRenamedFrom = EarlierNames(field.columnsRenamedFrom)
    }
}

extension StoredIndex {
    /// Describes a declared index.
    fileprivate init(_ index: TableIndex, _ table: EntityTable) {
        let layout = table.layout
        self.init(
            name: index.name,
            keys: index.keys.map { ($0.descending ? "-" : "") + table.name(of: $0) },
            isUnique: index.isUnique,
            condition: index.condition.map { StoredCondition($0, in: layout) },
            foldedKeys: index.keys.filter(table.ignoresCase).map { layout.fields[$0.field].name })
    }
}

extension StoredShape {
    /// Describes a type.
    package init(_ type: StoredType) {
        switch type.structure {
        case .single(let base, let scale): self.init(base, scale: scale)
        case .composite(let layout): self = .composite(layout.fields.map(StoredMember.init))
        case .object(let layout): self = .object(layout.fields.map(StoredMember.init))
        case .list(let element, let optional):
            self = .list(StoredShape(element), optionalElements: optional)
        case .map(let element, let optional):
            self = .map(StoredShape(element), optionalElements: optional)
        }
    }
}

extension StoredMember {
    /// Describes a declared member.
    fileprivate init(_ field: FieldDescription) {
        self.init(
            name: field.name, type: StoredShape(field.type), isOptional: field.isOptional,
            defaultValue: field.defaultValue.map(StoredConstant.init), cases: field.cases,
            renamedFrom: EarlierNames(field.renamedFrom))
    }
}
