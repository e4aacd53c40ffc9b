package import RepositorySchema
package import StoredSchema

/// Describes the tables of a schema set exactly as the runtime describes the generated code, so that
/// both compute the same fingerprints.
package enum StoredTables {
    /// Describes the tables of a set.
    ///
    /// - Parameters:
    ///   - set: a set that the validator accepted.
    ///   - form: how the store stores records. In a store with columns, unmanaged tables are not
    ///     described, because the store neither creates nor migrates them.
    package static func of(_ set: SchemaSet, _ form: SchemaComparison.Form) -> DeclaredSchema {
        let scope = SchemaScope(set)
        let entities = TableOrder(scope).names.compactMap { name -> EntityDeclaration? in
            guard case .entity(let entity) = scope.declarations[name] else { return nil }
            return entity
        }
        let stored = entities.filter { form == .documents || scope.isManaged($0) }
        let unmanaged = entities.filter { form.hasColumns && !scope.isManaged($0) }
        return DeclaredSchema(
            name: scope.set.settings.name,
            tables: stored.map { EntityDescriber($0, scope: scope, form).table },
            unmanaged: unmanaged.map { scope.table(of: $0).value })
    }
}

/// Describes the table of an entity.
struct EntityDescriber {
    private let entity: EntityDeclaration
    private let scope: SchemaScope
    /// How the store stores records.
    private let form: SchemaComparison.Form
    /// The fields in the order of the mapper.
    private let fields: [TranslatedField]

    init(
        _ entity: EntityDeclaration, scope: SchemaScope, _ form: SchemaComparison.Form = .documents
    ) {
        self.form = form
        self.entity = entity
        self.scope = scope
        fields = EntityTranslator.fields(of: entity, scope)
    }

    /// The description of the table.
    var table: StoredTable {
        let name = scope.table(of: entity).value
        let conditions = ConditionDescriber(entity, scope: scope)
        return StoredTable(
            name: name, fields: fields.map(field), key: fields.filter(\.isKey).map(\.name),
            version: fields.last { $0.declaration.version?.value == true }?.name,
            deletion: fields.first {
                $0.declaration.name.value == entity.softDelete?.value
            }?.name,
            indexes: EntityIndexes(entity, fields: fields, scope: scope).all.map { index in
                self.index(index, index.condition.flatMap(conditions.condition))
            },
            checks: entity.checks.compactMap { check in
                conditions.condition(check.condition).map {
                    StoredCheck(name: check.name.value, condition: $0)
                }
            },
            renamedFrom: EarlierNames(TableTranslator.renames(of: entity, scope)))
    }

    /// Describes a field.
    private func field(_ field: TranslatedField) -> StoredField {
        let declared = field.declaration
        let shapes = ShapeDescriber(scope: scope)
        let renames = FieldRenames(field, scope)
        var stored = StoredField(
            name: field.name, columns: columns(of: declared),
            type: shapes.shape(of: declared.type.value, scale: declared.scale?.value),
            isOptional: declared.type.value.isOptional)
        stored.defaultValue = shapes.constantDefault(of: declared)
        stored.rules = rules(declared)
        stored.reference = scope.singleReference(declared).map { target in
            StoredReference(
                table: scope.table(of: target).value,
                onDelete: declared.deleteRule.rawValue)
        }
        stored.storedAs =
            declared.isEncrypted ? StoredField.encrypted : scope.sqliteForm(of: declared)
        if form == .foldedColumns, declared.ignoringCase?.value == true, !declared.isEncrypted {
            stored.isFolded = true
        }
        stored.cases = shapes.cases(of: declared.type.value)
        stored.renamedFrom = EarlierNames(renames.names)
        stored.columnsRenamedFrom = EarlierNames(renames.columns)
        return stored
    }

    /// Returns the columns of a field: one, or one for each component of a reference to a composite
    /// id.
    private func columns(of field: FieldDeclaration) -> [String] {
        let column = FieldColumn(field, scope).name
        guard let target = scope.singleReference(field) else { return [column] }
        switch target.identity {
        case .composite:
            return scope.identityFields(of: target).map {
                "\(column)_\(FieldColumn($0, scope).name)"
            }
        case .single:
            // The id of the target may itself refer to a composite id.
            let shape = ShapeDescriber(scope: scope).shape(of: field.type.value)
            guard case .composite(let members) = shape else { return [column] }
            guard members.count == 1 else { return members.map { "\(column)_\($0.name)" } }
            return scope.identityFields(of: target).map {
                "\(column)_\(FieldColumn($0, scope).name)"
            }
        }
    }

    /// Describes the rules of a field; nil if there are none.
    private func rules(_ field: FieldDeclaration) -> StoredRules? {
        let constants = ConstantDescriber(scope: scope)
        let type = field.type.value
        return StoredRules(
            minimum: field.minimum.map { constants.constant($0.value, as: type) },
            maximum: field.maximum.map { constants.constant($0.value, as: type) },
            minLength: field.minLength?.value, maxLength: field.maxLength?.value,
            pattern: field.pattern?.value)
    }

    /// Describes an index.
    private func index(_ index: TranslatedIndex, _ condition: StoredCondition?) -> StoredIndex {
        StoredIndex(
            name: index.name,
            keys: index.keys.map { ($0.descending ? "-" : "") + $0.name },
            isUnique: index.isUnique, condition: condition,
            foldedKeys: index.keys.filter { !$0.isInsideValue }.map(\.field)
                .filter { $0.declaration.ignoringCase?.value == true }.map(\.name))
    }
}
