/// The report of an import: what each field rests on, and what is not described.
struct ImportReport {
    let draft: SchemaDraft
    /// The name of the database file.
    let source: String
    /// The number of tables.
    let tables: Int

    /// The lines of the report.
    var lines: [String] {
        let rows = draft.entities.reduce(0) { $0 + $1.table.rows }
        var lines = [
            "\(SQLText.shown(source)): \(Count.text(tables, "table"))"
                + (draft.store == "postgresql"
                    ? "" : ", \(Count.text(rows, "row")) in those described")
        ]
        for entity in draft.entities { lines += self.lines(of: entity) }
        if !draft.leftOut.isEmpty { lines.append("Not described:") }
        lines += draft.leftOut.map { "  \($0.line)" }
        return lines
    }

    /// Returns the lines about an entity.
    func lines(of entity: EntityDraft) -> [String] {
        let table = entity.table
        var lines = [
            "\(entity.name): \(table.shape.kind == .view ? "view" : "table") "
                + SQLText.shown(table.shape.name) + table.countedRows
                + (entity.readOnlyReason == nil ? "" : ", only read")
        ]
        for field in entity.fields { lines += self.lines(of: field, in: entity) }
        lines += entity.notes.map { "  \($0.line)" }
        return lines
    }

    /// Returns the lines about a field.
    func lines(of field: FieldDraft, in entity: EntityDraft) -> [String] {
        let table = entity.table
        let column = SQLText.shown(table.shape.columns[field.column].name)
        let mark = field.isOptional ? "?" : ""
        let isKey = entity.id.contains { entity.fields[$0].column == field.column }
        let what: String
        switch field.type {
        case .plain(let type):
            what =
                "\(table.guesses[field.column].evidence) → "
                + type.inWords(mark) + (field.isComputed ? ", computed" : "")
        case .reference(let target, let name):
            what = "foreign key to \(SQLText.shown(target)) → \(name)\(mark)"
        }
        return ["  \(field.name)\(isKey ? " (id)" : ""): column \(column), \(what)"]
            + field.notes.map { "    \($0.line)" }
    }
}
