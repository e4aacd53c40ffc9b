/// Finds the foreign keys that references can describe.
struct ReferenceFinder {
    /// The entities that are described.
    let draft: SchemaDraft
    let refusals: [SchemaPart: String]

    /// A reference of a column.
    struct Found {
        let table: String
        let entity: String
        let options: [(key: String, value: String)]
        let notes: [Note]
    }

    /// Returns the references of an entity by their columns, and remarks about the foreign keys that
    /// are none.
    func references(of entity: EntityDraft) -> (found: [Int: Found], notes: [Note]) {
        var found: [Int: Found] = [:]
        var notes: [Note] = []
        let table = entity.table
        for key in table.shape.foreignKeys {
            let columns = key.columns.map(SQLText.shown).joined(separator: ", ")
            let subject = "foreign key of \(columns) to \(SQLText.shown(key.table))"
            switch reference(key, of: table, found) {
            case .success(let (column, reference)): found[column] = reference
            case .failure(let reason): notes.append(Note(subject: subject, text: reason.text))
            }
        }
        return (found, notes)
    }

    /// Returns the column and the reference of a foreign key, or why it is none.
    private func reference(
        _ key: TableShape.ForeignKey, of table: ReadTable, _ found: [Int: Found]
    ) -> Result<(Int, Found), SchemaBuilder.Reason> {
        func failure(_ text: String) -> Result<(Int, Found), SchemaBuilder.Reason> {
            .failure(SchemaBuilder.Reason(text: text))
        }
        guard
            let target = draft.entities.first(where: { $0.table.shape.name == key.table })
                ?? draft.entities.first(where: {
                    SQLText.isSameName($0.table.shape.name, key.table)
                })
        else { return failure("is a plain field, because that table is not described") }
        guard key.columns.count == 1, let column = table.shape.column(named: key.columns[0]) else {
            return failure("is not described, because it has several columns")
        }
        // An entity whose fields are there already names fields.
        let id = target.fields.isEmpty ? target.id : target.id.map { target.fields[$0].column }
        guard id.count == 1,
            key.targets.isEmpty
                || target.table.shape.column(named: key.targets[0]) == id[0],
            target.isPrimary || !key.targets.isEmpty
        else { return failure("is a plain field, because it does not refer to the id") }
        guard found[column] == nil else {
            return failure("is not described, because the column has another foreign key")
        }
        if let reason = refusals[.reference(table.shape.name, column)] {
            return failure("is a plain field: \(reason)")
        }
        guard fits(column, of: table, id[0], of: target.table) else {
            return failure("is a plain field, because its values are not of the type of the id")
        }
        var (options, notes) = rule(key, isOptional: !table.shape.columns[column].isNotNull)
        if let reason = refusals[.rule(table.shape.name, column)] {
            options = [("onDelete", "none")]
            notes = [Note(subject: "onDelete", text: reason)]
        }
        return .success(
            (
                column,
                Found(
                    table: target.table.shape.name, entity: target.name, options: options,
                    notes: notes)
            ))
    }

    /// Returns whether a column can be read as an id of another table.
    private func fits(
        _ column: Int, of table: ReadTable, _ id: Int, of target: ReadTable
    ) -> Bool {
        guard let type = target.guesses[id].type else { return false }
        if table.isTyped { return table.guesses[column].type == type }
        let facts = table.facts[column]
        let affinity = table.shape.affinity(of: column)
        if facts.count == 0 {
            return affinity == target.shape.affinity(of: id)
                || type == .int && affinity == .numeric
        }
        if type == .string {
            return facts.classes == 1 && facts.texts > 0 && facts.invalidTexts == 0
                && (affinity == .text || affinity == .none)
        }
        if type == .int {
            return facts.classes == 1 && facts.integers > 0
                && affinity != .real && affinity != .text
        }
        return table.guesses[column].type == type
    }

    /// Returns the keys for the action of a foreign key.
    private func rule(
        _ key: TableShape.ForeignKey, isOptional: Bool
    ) -> (options: [(key: String, value: String)], notes: [Note]) {
        switch key.rule.uppercased() {
        case "CASCADE": return ([("onDelete", "cascade")], [])
        case "SET NULL" where isOptional: return ([("onDelete", "setNull")], [])
        case "NO ACTION", "RESTRICT": return ([], [])
        default:
            let note = Note(
                subject: "ON DELETE \(key.rule)",
                text: "the database does it; the schema language has no word for it")
            return ([("onDelete", "none")], [note])
        }
    }
}
