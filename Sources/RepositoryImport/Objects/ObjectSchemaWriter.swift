internal import RepositoryGeneratorCore
internal import RepositorySchemaParser

/// Writes the types of an object database as schema files.
struct ObjectSchemaWriter {
    let draft: ObjectDraft
    /// The name of the file.
    let source: String

    /// Returns the settings and a file for each type.
    func schemas() -> WrittenSchemas {
        WrittenSchemas(
            settings: WrittenSchemas.File(SchemaWriter.settingsPath, settings()),
            files: draft.types.map { WrittenSchemas.File("\($0.name).yaml", text(of: $0)) })
    }

    private func settings() -> SchemaText {
        var text = SchemaText()
        text.addLine("# Imported by 'repository-generator import' from \(SQLText.shown(source)).")
        text.addLine("name: \(YAMLText.name(draft.name))", of: .setName)
        if !draft.leftOut.isEmpty { text.addLine("# Not described:") }
        for note in draft.leftOut { text.addLine("# - \(note.line)") }
        return text
    }

    private func text(of type: ObjectTypeDraft) -> SchemaText {
        var text = SchemaText()
        text.add("\(type.kind.rawValue): ", of: .table(type.origin))
        text.add(YAMLText.name(type.name), of: .entityName(type.origin))
        text.endLine()
        if let from = type.from {
            let namespace = type.namespace.map { ", namespace: \($0)" } ?? ""
            text.addLine(
                "from: { \(draft.database): \(Self.name(from))\(namespace) }",
                of: .table(type.origin))
        }
        for note in type.notes { text.addComment(note, indentation: 0) }
        if type.kind == .enumeration {
            text.addLine("type: String")
            text.addLine("cases:", of: .table(type.origin))
            for field in type.fields {
                let name = YAMLText.name(field.name)
                text.addLine(
                    "  - \(name): \(YAMLText.quoted(field.type))",
                    of: .column(type.origin, field.column))
            }
            if type.isOpen { text.addLine("unknown: other", of: .table(type.origin)) }
            return text
        }
        var fields = type.fields
        if type.kind == .entity {
            if type.compositeID.isEmpty, !fields.isEmpty {
                addID(fields.removeFirst(), type, to: &text)
            } else {
                text.addLine(
                    "id: \(YAMLText.list(type.compositeID.map(YAMLText.name)))",
                    of: .table(type.origin))
            }
        }
        if !fields.isEmpty {
            text.addLine(type.kind == .union ? "cases:" : "fields:", of: .table(type.origin))
        }
        for field in fields { add(field, type, to: &text) }
        if !(type.indexes + type.uniqueIndexes).isEmpty { text.addLine("indexes:") }
        for (names, unique) in type.indexes.map({ ($0, "") })
            + type.uniqueIndexes.map({ ($0, ", unique: true") })
        {
            text.addLine(
                "  - { fields: \(YAMLText.list(names.map(YAMLText.name)))\(unique) }",
                of: .index(type.origin, names.joined(separator: ",")))
        }
        if !type.relations.isEmpty { text.addLine("relations:") }
        for relation in type.relations {
            let part = SchemaPart.relation(type.origin, relation.origin)
            text.addMargin(2)
            text.add(
                YAMLText.name(relation.name), of: .relationName(type.origin, relation.origin))
            text.addLine(
                ": { of: \(YAMLText.name(relation.target)), by: "
                    + YAMLText.name(relation.by ?? "")
                    + (relation.sort.map { ", sort: [\(YAMLText.name($0))]" } ?? "") + " }",
                of: part)
        }
        return text
    }

    private func addID(
        _ field: ObjectFieldDraft, _ type: ObjectTypeDraft, to text: inout SchemaText
    ) {
        let part = SchemaPart.column(type.origin, field.column)
        text.add("id: { ", of: part)
        if field.name != "id" {
            text.add("name: ", of: part)
            text.add(YAMLText.name(field.name), of: .fieldName(type.origin, field.column))
            text.add(", ", of: part)
        }
        add(keysOf: field, type, part, to: &text)
        text.addLine(" }", of: part)
    }

    /// Adds the keys of a field, each of which can be refused by itself.
    private func add(
        keysOf field: ObjectFieldDraft, _ type: ObjectTypeDraft, _ part: SchemaPart,
        to text: inout SchemaText
    ) {
        text.add("type: \(Self.type(field.type))", of: part)
        for (key, value) in field.options {
            let option =
                key == "onDelete"
                ? part : SchemaPart.option(type.origin, field.column, key)
            text.add(", \(key): \(value)", of: option)
        }
        if let from = field.from {
            text.add(", from: { \(draft.database): \(Self.name(from)) }", of: part)
        }
    }

    private func add(
        _ field: ObjectFieldDraft, _ type: ObjectTypeDraft, to text: inout SchemaText
    ) {
        for note in field.notes { text.addComment(note, indentation: 2) }
        text.addMargin(2)
        let part =
            field.target == nil || !field.options.contains { $0.key == "onDelete" }
            ? SchemaPart.column(type.origin, field.column) : .rule(type.origin, field.column)
        text.add(YAMLText.name(field.name), of: .fieldName(type.origin, field.column))
        if type.kind == .union {
            text.addLine(": { value: \(Self.type(field.type)) }", of: part)
        } else {
            text.add(": { ", of: part)
            add(keysOf: field, type, part, to: &text)
            text.addLine(" }", of: part)
        }
    }

    /// A type, quoted if YAML would take it for a list.
    private static func type(_ text: String) -> String {
        text.hasPrefix("[") ? "\"\(text)\"" : text
    }

    /// A name of the file, quoted unless it consists of plain words.
    private static func name(_ text: String) -> String {
        let isPlain =
            text.unicodeScalars.first.map { $0.isASCII && $0.properties.isAlphabetic } ?? false
            && text.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || "0123456789_.#".unicodeScalars.contains($0))
            }
        // A word alone could be one of YAML's own, such as `on`.
        return isPlain && (text.contains(".") || text.contains("#"))
            ? text : YAMLText.name(text)
    }
}
