internal import RepositorySchema

/// What existing schemas say otherwise than a database.
struct SchemaComparison {
    let existing: ExistingSchemas
    /// The entities of the database.
    let draft: SchemaDraft
    /// The entities of the database, as they are when they are written and parsed.
    let found: SchemaSet
    /// The tables and views of the database.
    let shapes: [TableShape]

    /// A warning at its location for each difference, and for what is gone from the database.
    var warnings: [Diagnostic] {
        existing.entities.filter { !$0.isManaged }.flatMap { entity in
            guard let shape = shapes.first(where: { SQLText.isSameName($0.name, entity.table) })
            else {
                return [
                    warning(
                        "the table \(SQLText.shown(entity.table)) is not in the database",
                        at: entity.declaration.table?.range ?? entity.place)
                ]
            }
            guard
                let draft = draft.entities.first(where: { $0.table.shape.name == shape.name })
            else { return [undescribed(entity, shape)] }
            return [writing(of: entity, draft)].compactMap(\.self) + fields(of: entity, draft)
                + indexes(of: entity, draft)
        }
    }

    /// An entity whose records can be read only.
    private func writing(of entity: ExistingEntity, _ draft: EntityDraft) -> Diagnostic? {
        guard let reason = draft.readOnlyReason, !entity.declaration.isReadOnly else { return nil }
        let kind = draft.table.shape.kind == .view ? "view" : "table"
        return warning(
            "'\(entity.name)' is not 'readOnly: true', and an import would only read the \(kind) "
                + "\(SQLText.shown(entity.table)): \(reason)", at: entity.place)
    }

    private func warning(_ message: String, at range: SourceRange) -> Diagnostic {
        Diagnostic(message, at: range, severity: .warning)
    }

    /// An entity whose table an import cannot describe.
    private func undescribed(_ entity: ExistingEntity, _ shape: TableShape) -> Diagnostic {
        let name = SQLText.shown(shape.name)
        let note = draft.leftOut.first { $0.subject.hasSuffix(name) }
        return warning(
            "'\(entity.name)' is not compared with the database: "
                + (note?.line ?? "the table \(name) cannot be described"),
            at: entity.place)
    }

    /// Compares the fields of an entity.
    private func fields(of entity: ExistingEntity, _ draft: EntityDraft) -> [Diagnostic] {
        let table = draft.table
        let declarations = found.declarationsByName
        guard case .entity(let found) = declarations[draft.name] else { return [] }
        var foundFields = found.fields
        if case .single(let id) = found.identity { foundFields.append(id) }
        return entity.fields.filter { !$0.isApart }.flatMap { field -> [Diagnostic] in
            let positions = field.columns.map { table.shape.column(named: $0) }
            let missing = zip(field.columns, positions).filter { $1 == nil }.map(\.0)
            if let column = missing.first {
                return [
                    warning(
                        "the column \(SQLText.shown(column)) of '\(field.declaration.name.value)' "
                            + "is not in the table \(SQLText.shown(table.shape.name))",
                        at: field.declaration.column?.range ?? field.declaration.name.range)
                ]
            }
            guard positions.count == 1, let position = positions[0] else { return [] }
            guard let index = draft.field(ofColumn: position) else {
                return [undescribed(field, position, draft)]
            }
            let fieldDraft = draft.fields[index]
            guard let other = foundFields.first(where: { $0.name.value == fieldDraft.name }) else {
                return []
            }
            return FieldComparison(
                existing: field, found: other, draft: fieldDraft, table: table
            ).warnings
        }
    }

    /// A field whose column an import cannot describe.
    private func undescribed(
        _ field: ExistingField, _ column: Int, _ draft: EntityDraft
    ) -> Diagnostic {
        let subject = "column \(SQLText.shown(draft.table.shape.columns[column].name))"
        let note = draft.notes.first { $0.subject == subject }
        return warning(
            "'\(field.declaration.name.value)' is not compared with its column: "
                + (note?.line ?? subject),
            at: field.declaration.name.range)
    }

    /// Finds the indexes of an entity that the database does not have.
    private func indexes(of entity: ExistingEntity, _ draft: EntityDraft) -> [Diagnostic] {
        // A view has none; the validator knows whether they may be declared.
        guard draft.table.shape.kind == .table else { return [] }
        let ofFields = entity.fields.compactMap { field -> Diagnostic? in
            let isUnique = field.declaration.unique?.value == true
            let mark = isUnique ? field.declaration.unique : field.declaration.index
            guard let mark, mark.value, !hasIndex(over: field.columns, isUnique, draft.table.shape)
            else { return nil }
            return missing(field.columns, isUnique, draft.table.shape, at: mark.range)
        }
        let ofEntity = entity.indexes.compactMap { index -> Diagnostic? in
            let columns = index.keys.map { entity.field(named: $0.field.value)?.columns }
            // A field inside a value is in no column of its own.
            let names = columns.compactMap(\.self).flatMap(\.self)
            guard columns.allSatisfy({ $0 != nil }),
                !hasIndex(over: names, index.unique, draft.table.shape)
            else { return nil }
            return missing(names, index.unique, draft.table.shape, at: index.range)
        }
        return ofFields + ofEntity
    }

    private func missing(
        _ columns: [String], _ isUnique: Bool, _ table: TableShape, at range: SourceRange
    ) -> Diagnostic {
        warning(
            "the table \(SQLText.shown(table.name)) has no \(isUnique ? "unique " : "")index over "
                + Count.list(columns.map(SQLText.shown)), at: range)
    }

    /// Returns whether a table has an index over columns, or a key over them.
    private func hasIndex(over names: [String], _ isUnique: Bool, _ table: TableShape) -> Bool {
        let columns = names.compactMap { table.column(named: $0) }
        // A missing column has a warning of its own.
        guard columns.count == names.count else { return true }
        let others =
            table.indexes.map { ($0.parts.map(\.column), $0.isUnique) }
            + [(table.key.map(Optional.init), true)]
        return others.contains { parts, isOtherUnique in
            isUnique
                ? isOtherUnique && Set(parts) == Set(columns.map(Optional.init))
                : parts.starts(with: columns.map(Optional.init))
        }
    }
}
