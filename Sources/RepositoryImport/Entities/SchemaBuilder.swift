internal import RepositorySchema

/// Builds the entities that describe the tables of a database.
///
/// The same tables and refusals always give the same entities. If the schema language does not
/// accept a part, the entities are built again without it.
struct SchemaBuilder {
    /// The tables, ordered by their names.
    let tables: [ReadTable]
    /// The views that cannot be read, and virtual tables.
    let others: [TableShape]
    /// The name of the database file without its extension.
    let fileName: String
    /// The store of the database, as `stores` names it.
    var store = "sqlite"
    /// What the schema language does not accept, with the reasons.
    var refusals: [SchemaPart: String] = [:]
    /// The names of existing schemas.
    var known = KnownNames()

    /// Builds the entities.
    func draft() -> SchemaDraft {
        var draft = SchemaDraft(name: "", entities: [], leftOut: others.map(Self.note))
        var names = known.types
        for table in tables {
            switch entity(of: table, names: &names) {
            case .success(let entity): draft.entities.append(entity)
            case .failure(let reason):
                let kind = table.shape.kind == .view ? "view" : "table"
                draft.leftOut.append(
                    Note(
                        subject: "\(kind) \(SQLText.shown(table.shape.name))", text: reason.text))
                if kind == "view" { addIncomplete(table, to: &draft) }
            }
        }
        for index in draft.entities.indices { addFields(to: index, of: &draft) }
        for index in draft.entities.indices {
            addIndexes(to: &draft.entities[index])
            addRules(to: &draft.entities[index])
            addTriggers(to: &draft.entities[index])
        }
        RelationBuilder(refusals: refusals, known: known).addRelations(to: &draft)
        draft.name = known.setName ?? setName(besides: Set(draft.entities.map(\.name)))
        draft.store = store
        draft.keepsNames = known.keepsNames ?? prefersNamesAsWritten(draft)
        return draft
    }

    /// Why a table is not described.
    struct Reason: Error {
        let text: String
    }

    /// Creates the entity of a table, without fields.
    private func entity(
        of table: ReadTable, names: inout Set<String>
    ) -> Result<EntityDraft, Reason> {
        let shape = table.shape
        if let reason = refusals[.table(shape.name)] { return .failure(Reason(text: reason)) }
        let key: [Int]
        let isPrimary: Bool
        var notes: [Note] = []
        var readOnlyReason: String? = shape.kind == .view ? "is a view" : nil
        switch table.identity {
        case .none(let reason): return .failure(Reason(text: reason))
        case .columns(let columns, let primary): (key, isPrimary) = (columns, primary)
        case .rowNumber(let reason):
            (key, isPrimary) = ([], false)
            readOnlyReason = reason
            notes.append(
                Note(
                    subject: "id",
                    text: "\(reason), so that a row is known by its number; VACUUM may change it"))
        }
        for column in shape.columns.indices {
            guard let reason = reason(against: column, of: table) else { continue }
            let name = "its column \(SQLText.shown(shape.columns[column].name))"
            if key.contains(column) {
                return .failure(
                    Reason(text: "\(name), a part of its key, is not described: \(reason)"))
            }
            if table.isRequired(column), readOnlyReason == nil {
                readOnlyReason = "\(name) is required, and is not described: \(reason)"
            }
        }
        let unread = shape.columns.indices.first {
            table.isRequired($0) && table.guesses[$0].type == .anyText
        }
        if let unread, readOnlyReason == nil {
            let name = SQLText.shown(shape.columns[unread].name)
            readOnlyReason = "its column \(name) is required, and is only read"
        }
        if shape.kind == .view {
            notes.append(
                Note(
                    subject: "id",
                    text: "different in \(Count.text(table.rows, "row")); "
                        + "nothing in the database makes it so"))
        } else if let readOnlyReason, notes.isEmpty {
            notes.append(Note(subject: "read only", text: readOnlyReason))
        }
        var entity = EntityDraft(table: table, name: entityName(of: shape.name, names: &names))
        entity.isPrimary = isPrimary
        entity.isRowNumbered = key.isEmpty
        entity.readOnlyReason = readOnlyReason
        entity.notes = notes
        // The positions of the columns, until the fields are there.
        entity.id = key
        return .success(entity)
    }

    /// Returns the name of the entity of a table.
    private func entityName(of table: String, names: inout Set<String>) -> String {
        if let known = known.table(table) { return known.entity }
        var name = ImportedName.entity(table)
        let isBaseType =
            BaseType(rawValue: name) != nil || ["UInt", "UInt64"].contains(name)
        if isBaseType || refusals[.entityName(table)] != nil { name += "Record" }
        name = ImportedName.unique(name) { names.contains($0.lowercased()) }
        names.insert(name.lowercased())
        return name
    }

    /// Returns why a column is not described; `nil` if it is.
    private func reason(against column: Int, of table: ReadTable) -> String? {
        if table.shape.columns[column].isGenerated, let reason = table.unreadable {
            return "is computed by the database, and \(reason)"
        }
        if let reason = refusals[.column(table.shape.name, column)] { return reason }
        let guess = table.guesses[column]
        return guess.type == nil ? guess.evidence : nil
    }

    /// Adds the fields of an entity. Its id then names fields.
    private func addFields(to index: Int, of draft: inout SchemaDraft) {
        var entity = draft.entities[index]
        let table = entity.table
        let key = entity.id
        let references = ReferenceFinder(draft: draft, refusals: refusals).references(of: entity)
        entity.notes += references.notes
        var taken = known.table(table.shape.name)?.members ?? []
        if entity.isRowNumbered { taken.formUnion(["rowid", "id"]) }
        // The id has the first choice of a name.
        let order = key + table.shape.columns.indices.filter { !key.contains($0) }
        var fields: [Int: FieldDraft] = [:]
        for column in order {
            let shape = table.shape.columns[column]
            if let reason = reason(against: column, of: table) {
                entity.notes.append(
                    Note(subject: "column \(SQLText.shown(shape.name))", text: reason))
                continue
            }
            guard let guess = table.guesses[column].type else { continue }
            var field = FieldDraft(
                column: column, name: "", type: .plain(guess),
                isOptional: isOptional(column, of: entity))
            field.isComputed = shape.isGenerated && entity.readOnlyReason == nil
            if let reference = references.found[column] {
                field.type = .reference(table: reference.table, entity: reference.entity)
                field.options = reference.options
                field.notes = reference.notes
            }
            field.name = name(of: field, shape.name, table, isWholeKey: key == [column], taken)
            taken.formUnion([field.name, field.property])
            if key == [column] { taken.insert("id") }
            fields[column] = field
        }
        entity.fields = table.shape.columns.indices.compactMap { fields[$0] }
        entity.id = key.compactMap { entity.field(ofColumn: $0) }
        if table.shape.isAutoincrement, key.count == 1, entity.readOnlyReason == nil {
            entity.fields[entity.id[0]].options.append(("default", "assigned"))
        }
        draft.entities[index] = entity
    }

    /// Returns whether a field may be null: as the column is declared, and where nothing is declared
    /// or the database makes the value, always.
    private func isOptional(_ column: Int, of entity: EntityDraft) -> Bool {
        let shape = entity.table.shape
        if entity.id.contains(column) { return false }
        if shape.kind == .view { return true }
        let isMade =
            shape.columns[column].isGenerated || entity.table.guesses[column].type == .anyText
        return !shape.columns[column].isNotNull || isMade && entity.readOnlyReason == nil
    }

    /// Adds a view for a person to complete: nothing in it was seen to be unique.
    private func addIncomplete(_ view: ReadTable, to draft: inout SchemaDraft) {
        guard refusals[.table(view.shape.name)] == nil else { return }
        var single = SchemaDraft(name: "", entities: [], leftOut: [])
        var entity = EntityDraft(table: view, name: ImportedName.entity(view.shape.name))
        entity.readOnlyReason = "is a view"
        single.entities.append(entity)
        addFields(to: 0, of: &single)
        draft.incomplete.append(single.entities[0])
    }

    /// Returns the name of a field.
    private func name(
        of field: FieldDraft, _ column: String, _ table: ReadTable, isWholeKey: Bool,
        _ taken: Set<String>
    ) -> String {
        if let known = known.field(table.shape.name, column) { return known }
        let isRenamed = refusals[.fieldName(table.shape.name, field.column)] != nil
        var name =
            field.reference == nil
            ? ImportedName.field(column) : ImportedName.reference(column)
        if isWholeKey, field.reference == nil, ImportedName.isID(column, of: table.shape.name) {
            name = "id"
        } else if name == "id", case .reference(_, let entity) = field.type {
            name = Naming.lowerCamelCase(entity)
        } else if !isWholeKey, name == "id" {
            name = "idValue"
        }
        if isRenamed { name += "Column" }
        return ImportedName.unique(name) { candidate in
            taken.contains(candidate)
                || taken.contains(field.reference == nil ? candidate : candidate + "ID")
        }
    }

    private func addTriggers(to entity: inout EntityDraft) {
        for trigger in entity.table.shape.triggers {
            entity.notes.append(
                Note(
                    subject: "trigger \(SQLText.shown(trigger))",
                    text: "runs at writes; what it changes is seen by the next read"))
        }
    }

    private func setName(besides names: Set<String>) -> String {
        var name = ImportedName.set(fileName)
        let made = names.union(names.flatMap { ["\($0)Repository", "\($0)Mapper"] })
        if made.contains(name) || BaseType(rawValue: name) != nil { name += "Database" }
        if refusals[.setName] != nil { name = "ImportedRepositories" }
        return ImportedName.unique(name) { made.contains($0) }
    }

    /// Returns whether fewer columns differ from their fields' names than from these in snake case.
    private func prefersNamesAsWritten(_ draft: SchemaDraft) -> Bool {
        var (written, snake) = (0, 0)
        for entity in draft.entities {
            for field in entity.fields {
                let column = entity.table.shape.columns[field.column].name
                if field.property != column { written += 1 }
                if Naming.snakeCase(field.property) != column { snake += 1 }
            }
        }
        return written < snake
    }

    private static func note(_ other: TableShape) -> Note {
        let name = SQLText.shown(other.name)
        switch other.kind {
        case .view:
            return Note(subject: "view \(name)", text: other.problem ?? "cannot be read")
        case .virtual, .table:
            return Note(
                subject: "virtual table \(name)", text: "virtual tables cannot be described")
        case .shadow:
            return Note(subject: "table \(name)", text: "belongs to a virtual table")
        case .other(let reason): return Note(subject: "table \(name)", text: reason)
        }
    }
}
