internal import RepositoryGeneratorCore
internal import RepositorySchema

/// Writes entities as schema files.
struct SchemaWriter {
    let draft: SchemaDraft
    /// The name of the database file.
    let source: String
    /// Whether each entity says that its table is not managed, because the settings do not.
    var isUnmanagedAlone = false
    /// Whether tables become those of the store, where nothing of them is lost.
    var takesOver = false

    /// The path of the settings.
    static let settingsPath = "repositories.yaml"

    /// Returns the settings, with remarks about what no schema describes.
    func settings() -> SchemaText {
        var text = SchemaText()
        text.addLine("# Imported by 'repository-generator import' from \(SQLText.shown(source)).")
        text.add("name: ")
        text.add(draft.name, of: .setName)
        text.endLine()
        if draft.keepsNames { text.addLine("columns: as_written") }
        text.addLine("stores: [\(draft.store)]")
        if !takesOver { text.addLine("manage: false") }
        guard !draft.leftOut.isEmpty else { return text }
        text.addLine("# Not described:")
        for note in draft.leftOut { text.addLine("# - \(note.line)") }
        guard !draft.incomplete.isEmpty else { return text }
        text.addLine(
            "# To describe a view, put this into a file of its own, and its id under 'id':")
        for entity in draft.incomplete {
            let lines = file(of: entity).text.split(separator: "\n")
            for line in lines { text.addLine("#     \(line)") }
        }
        return text
    }

    /// Returns the path of the file of an entity.
    static func path(of entity: EntityDraft) -> String { entity.name + ".yaml" }

    /// Returns the file of an entity.
    func file(of entity: EntityDraft) -> SchemaText {
        let table = entity.table.shape.name
        var text = SchemaText()
        text.add("entity: ", of: .table(table))
        text.add(YAMLText.name(entity.name), of: .entityName(table))
        text.endLine()
        if Naming.tableName(for: entity.name) != table {
            text.addLine("table: \(YAMLText.name(table))", of: .table(table))
        }
        if takesOver, let loss = entity.lossOfTakingOver {
            text.addComment(Note(subject: "not taken over", text: loss), indentation: 0)
            if entity.readOnlyReason == nil { text.addLine("manage: false") }
        } else if isUnmanagedAlone {
            text.addLine("manage: false")
        }
        if entity.table.shape.comment.isOneLine {
            text.addLine(
                "doc: \(YAMLText.quoted(entity.table.shape.comment))", of: .table(table))
        }
        for note in entity.notes { text.addComment(note, indentation: 0) }
        addID(of: entity, to: &text)
        let rest = entity.fields.indices.filter { entity.id != [$0] }
        if !rest.isEmpty {
            text.addLine("fields:")
            for index in rest { add(entity.fields[index], of: entity, to: &text, margin: 2) }
        }
        if !entity.indexes.isEmpty { text.addLine("indexes:") }
        for index in entity.indexes { add(index, of: entity, to: &text, margin: 2) }
        if !entity.checks.isEmpty { text.addLine("checks:") }
        for check in entity.checks { add(check, of: entity, to: &text, margin: 2) }
        if !entity.relations.isEmpty { text.addLine("relations:") }
        for relation in entity.relations { add(relation, of: entity, to: &text, margin: 2) }
        return text
    }

    private func addID(of entity: EntityDraft, to text: inout SchemaText) {
        let table = SchemaPart.table(entity.table.shape.name)
        if entity.isRowNumbered {
            text.addLine("id: rowid", of: table)
            return
        }
        if entity.readOnlyReason != nil { text.addLine("readOnly: true", of: table) }
        guard entity.id.count == 1 else {
            let names = entity.id.map { YAMLText.name(entity.fields[$0].name) }
            text.addLine("id: \(YAMLText.list(names))", of: table)
            return
        }
        let field = entity.fields[entity.id[0]]
        for note in field.notes { text.addComment(note, indentation: 0) }
        let part = SchemaPart.column(entity.table.shape.name, field.column)
        text.add("id: { ", of: typePart(field, entity.table.shape.name))
        if field.name != "id" {
            text.add("name: ", of: part)
            text.add(
                YAMLText.name(field.name),
                of: field.reference == nil
                    ? .fieldName(entity.table.shape.name, field.column)
                    : .reference(entity.table.shape.name, field.column))
            text.add(", ", of: part)
        }
        addKeys(of: field, entity, to: &text)
        text.addLine(" }", of: part)
    }

    /// Adds the line of a field, and before it a comment for each of its remarks.
    ///
    /// - Parameters:
    ///   - field: the field.
    ///   - entity: its entity.
    ///   - text: the text.
    ///   - margin: the number of spaces before each line.
    func add(
        _ field: FieldDraft, of entity: EntityDraft, to text: inout SchemaText, margin: Int
    ) {
        for note in field.notes { text.addComment(note, indentation: margin) }
        let table = entity.table.shape.name
        text.addMargin(margin)
        text.add(
            YAMLText.name(field.name),
            of: field.reference == nil
                ? .fieldName(table, field.column) : .rule(table, field.column))
        text.add(": ", of: .column(table, field.column))
        if keys(of: field, entity).count == 1 {
            text.add(typeText(field), of: typePart(field, table))
        } else {
            text.add("{ ", of: .column(table, field.column))
            addKeys(of: field, entity, to: &text)
            text.add(" }", of: .column(table, field.column))
        }
        text.endLine()
    }

    /// Adds the keys of a field, with commas between them.
    private func addKeys(
        of field: FieldDraft, _ entity: EntityDraft, to text: inout SchemaText
    ) {
        for (index, key) in keys(of: field, entity).enumerated() {
            if index > 0 { text.add(", ") }
            text.add("\(key.key): \(key.value)", of: key.part)
        }
    }

    /// Returns the keys of a field in the order in which they are written.
    private func keys(
        of field: FieldDraft, _ entity: EntityDraft
    ) -> [(key: String, value: String, part: SchemaPart)] {
        let table = entity.table.shape
        let column = table.columns[field.column].name
        let part = SchemaPart.column(table.name, field.column)
        var keys = [("type", typeText(field), typePart(field, table.name))]
        let derived = draft.keepsNames ? field.property : Naming.snakeCase(field.property)
        if case .plain(let type) = field.type, let scale = type.scale {
            keys.append(("scale", "\(scale)", part))
        }
        if column != derived { keys.append(("column", YAMLText.name(column), part)) }
        if case .plain(let type) = field.type, let form = type.form {
            keys.append(("storedAs", "{ \(draft.store): \(form) }", part))
        }
        if case .plain(.anyText) = field.type {
            keys.append(("readAs", "text", part))
        } else if field.isComputed {
            keys.append(("computed", "true", part))
        }
        for (key, value) in field.options {
            let isReference = key == "onDelete"
            keys.append(
                (
                    key, value,
                    isReference
                        ? .reference(table.name, field.column)
                        : .option(table.name, field.column, key)
                ))
        }
        return keys
    }

    private func typeText(_ field: FieldDraft) -> String {
        YAMLText.name(field.type.name) + (field.isOptional ? "?" : "")
    }

    private func typePart(_ field: FieldDraft, _ table: String) -> SchemaPart {
        field.reference == nil
            ? .column(table, field.column) : .reference(table, field.column)
    }

    /// Adds the line of an index. The parameters are those of a field.
    func add(
        _ index: IndexDraft, of entity: EntityDraft, to text: inout SchemaText, margin: Int
    ) {
        let keys = index.keys.map { key in
            key.hasPrefix("-")
                ? "-" + YAMLText.name(String(key.dropFirst())) : YAMLText.name(key)
        }
        let unique = index.isUnique ? ", unique: true" : ""
        text.addMargin(margin)
        text.addLine(
            "- { fields: \(YAMLText.list(keys))\(unique) }",
            of: .index(entity.table.shape.name, index.name))
    }

    /// Adds the line of a check. The parameters are those of a field.
    func add(
        _ check: CheckDraft, of entity: EntityDraft, to text: inout SchemaText, margin: Int
    ) {
        text.addMargin(margin)
        text.addLine(
            "\(YAMLText.name(check.name)): { where: \(check.condition) }",
            of: .check(entity.table.shape.name, check.position))
    }

    /// Adds the line of a relation. The parameters are those of a field.
    func add(
        _ relation: RelationDraft, of entity: EntityDraft, to text: inout SchemaText, margin: Int
    ) {
        let table = entity.table.shape.name
        var keys = [("of", YAMLText.name(relation.target))]
        if let by = relation.by { keys.append(("by", YAMLText.name(by))) }
        if let through = relation.through { keys.append(("through", YAMLText.name(through))) }
        text.addMargin(margin)
        text.add(YAMLText.name(relation.name), of: .relationName(table, relation.origin))
        text.addLine(
            ": \(YAMLText.mapping(keys))", of: .relation(table, relation.origin))
    }
}
