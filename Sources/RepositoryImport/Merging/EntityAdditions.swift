internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

/// What a database has beyond the entity that describes one of its tables.
struct EntityAdditions {
    let existing: ExistingEntity
    let entity: EntityDraft
    let fields: [FieldDraft]
    /// Indexes over several fields.
    let indexes: [IndexDraft]
    /// Indexes over one field that is described already: the field, and whether the index is unique.
    let fieldIndexes: [(field: FieldDraft, isUnique: Bool)]
    let checks: [CheckDraft]
    let relations: [RelationDraft]

    /// Compares an entity with the draft of its table.
    init(_ existing: ExistingEntity, _ entity: EntityDraft) {
        self.existing = existing
        self.entity = entity
        let table = entity.table.shape
        let isNew = entity.fields.map { field in
            existing.field(ofColumn: table.columns[field.column].name) == nil
        }
        // An id over other columns than those of the key is the owner's decision.
        fields = entity.fields.indices.filter { isNew[$0] && !entity.id.contains($0) }
            .map { entity.fields[$0] }
        indexes = entity.indexes.filter { !existing.hasIndex(over: $0.keys, $0.isUnique) }
        fieldIndexes = entity.fields.indices.filter { !isNew[$0] }.flatMap { index in
            let field = entity.fields[index]
            return field.options.compactMap { option -> (FieldDraft, Bool)? in
                guard ["index", "unique"].contains(option.key) else { return nil }
                let isUnique = option.key == "unique"
                return existing.hasIndex(over: [field.name], isUnique) ? nil : (field, isUnique)
            }
        }
        checks = entity.checks.filter { check in
            !existing.checks.contains {
                $0.condition.text.hasSameWords(as: check.condition) || $0.name.value == check.name
            }
        }
        relations = entity.relations.filter { !existing.hasRelation($0) }
    }

    /// Whether the entity describes everything.
    var isEmpty: Bool {
        fields.isEmpty && indexes.isEmpty && fieldIndexes.isEmpty && checks.isEmpty
            && relations.isEmpty
    }

    /// A block of the entity with the lines that it gets.
    struct Block {
        let key: String
        let text: SchemaText

        /// The block as an addition to the document of an entity.
        func addition(to entity: ExistingEntity) -> SchemaAddition {
            SchemaAddition(
                place: entity.place.start, key: key, isList: key == "indexes", lines: text.lines)
        }
    }

    /// The blocks that get lines.
    func blocks(_ writer: SchemaWriter) -> [Block] {
        func block<Part>(
            _ key: String, _ parts: [Part], _ add: (Part, inout SchemaText) -> Void
        ) -> Block? {
            guard !parts.isEmpty else { return nil }
            var text = SchemaText()
            for part in parts { add(part, &text) }
            return Block(key: key, text: text)
        }
        var indexText = SchemaText()
        for index in indexes { writer.add(index, of: entity, to: &indexText, margin: 0) }
        for index in fieldIndexes { add(index.field, index.isUnique, to: &indexText) }
        return [
            block("fields", fields) { writer.add($0, of: entity, to: &$1, margin: 0) },
            indexText.lines.isEmpty ? nil : Block(key: "indexes", text: indexText),
            block("checks", checks) { writer.add($0, of: entity, to: &$1, margin: 0) },
            block("relations", relations) { writer.add($0, of: entity, to: &$1, margin: 0) },
        ].compactMap(\.self)
    }

    /// Adds the line of an index over one field.
    private func add(_ field: FieldDraft, _ isUnique: Bool, to text: inout SchemaText) {
        let name = YAMLText.name(field.name)
        text.addLine(
            isUnique ? "- { fields: [\(name)], unique: true }" : "- \(name)",
            of: .option(entity.table.shape.name, field.column, isUnique ? "unique" : "index"))
    }
}

extension ExistingEntity {
    /// Returns whether an index over fields is declared, or another one that serves the same
    /// queries.
    fileprivate func hasIndex(over keys: [String], _ isUnique: Bool) -> Bool {
        let names = keys.map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 }
        if names.count == 1, let field = field(named: names[0])?.declaration,
            field.unique?.value == true || !isUnique && field.index?.value == true
        {
            return true
        }
        if isUnique, Set(names) == Set(id) { return true }
        return indexes.contains { index in
            let declared = index.keys.map(\.field.value)
            return isUnique
                ? index.unique && Set(declared) == Set(names) : declared.starts(with: names)
        }
    }

    /// Returns whether a relation to the same records is declared.
    fileprivate func hasRelation(_ relation: RelationDraft) -> Bool {
        declaration.relations.contains { declared in
            declared.target.value == relation.target && declared.join?.value == relation.through
                && (declared.field == nil || relation.by == nil
                    || declared.field?.value == relation.by)
        }
    }
}

extension String {
    /// Returns whether two conditions differ in spaces at most.
    fileprivate func hasSameWords(as other: String) -> Bool {
        filter { !$0.isWhitespace } == other.filter { !$0.isWhitespace }
    }
}
