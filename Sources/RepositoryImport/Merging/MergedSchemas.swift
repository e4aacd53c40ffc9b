internal import RepositorySchema
internal import RepositorySchemaParser

/// Existing schemas with what they lack of a database.
struct MergedSchemas {
    let existing: ExistingSchemas
    let draft: SchemaDraft
    /// Writes the additions.
    let writer: SchemaWriter
    /// What is added to existing entities.
    let additions: [EntityAdditions]
    /// The entities that no file describes yet.
    let newEntities: [EntityDraft]
    /// The entities whose tables the package itself changes. Nothing is added to them.
    let managed: [ExistingEntity]

    init(_ existing: ExistingSchemas, _ draft: SchemaDraft, source: String) {
        self.existing = existing
        self.draft = draft
        writer = SchemaWriter(
            draft: draft, source: source, isUnmanagedAlone: existing.set.settings.manage)
        var additions: [EntityAdditions] = []
        var newEntities: [EntityDraft] = []
        var managed: [ExistingEntity] = []
        for entity in draft.entities {
            guard let known = existing.entity(ofTable: entity.table.shape.name) else {
                newEntities.append(entity)
                continue
            }
            if known.isManaged {
                managed.append(known)
                continue
            }
            let added = EntityAdditions(known, entity)
            if !added.isEmpty { additions.append(added) }
        }
        self.additions = additions
        self.newEntities = newEntities
        self.managed = managed
    }

    /// The files of the schemas with the additions.
    func schemas() -> WrittenSchemas {
        var schemas = WrittenSchemas(
            settings: existing.settings.map { WrittenSchemas.File(source: $0, texts: []) },
            files: [], optionalParts: optionalParts)
        for source in existing.files {
            do {
                schemas.files.append(try edited(source))
            } catch {
                schemas.problems.append(error)
                schemas.files.append(WrittenSchemas.File(source: source, texts: []))
            }
        }
        schemas.files += newEntities.map { entity in
            WrittenSchemas.File(SchemaWriter.path(of: entity), writer.file(of: entity))
        }
        return schemas
    }

    /// The additions that can be left out: single references, the references to an entity, other
    /// members, and new entities.
    private var optionalParts: [[SchemaPart]] {
        let fields =
            additions.flatMap { added in added.fields.map { (added.entity, $0) } }
            + newEntities.flatMap { entity in entity.fields.map { (entity, $0) } }
        var references: [String: [SchemaPart]] = [:]
        for (entity, field) in fields {
            guard let target = field.reference else { continue }
            let part = SchemaPart.reference(entity.table.shape.name, field.column)
            references[target, default: []].append(part)
        }
        let ofTargets = references.sorted { $0.key < $1.key }.map(\.value)
        let members = additions.flatMap { added -> [SchemaPart] in
            let table = added.entity.table.shape.name
            return added.relations.map { .relation(table, $0.origin) }
                + added.indexes.map { .index(table, $0.name) }
                + added.fieldIndexes.map {
                    .option(table, $0.field.column, $0.isUnique ? "unique" : "index")
                }
                + added.checks.map { .check(table, $0.position) }
                + added.fields.map { .column(table, $0.column) }
        }
        let tables = newEntities.map { SchemaPart.table($0.table.shape.name) }
        return ofTargets.flatMap { $0.map { [$0] } } + ofTargets + (members + tables).map { [$0] }
    }

    /// Returns a file with its additions.
    private func edited(
        _ source: SchemaSource
    ) throws(SchemaEditProblem) -> WrittenSchemas.File {
        let blocks = additions.filter { $0.existing.place.path == source.displayPath }
            .flatMap { added in added.blocks(writer).map { (added.existing, $0) } }
        guard !blocks.isEmpty else { return WrittenSchemas.File(source: source, texts: []) }
        let edited = try SchemaEditor.adding(
            blocks.map { $1.addition(to: $0) }, to: source)
        var result = source
        result.bytes = edited.bytes
        let texts = zip(blocks, edited.places).map { block, place in
            WrittenSchemas.PlacedText(
                text: block.1.text, line: place.line, indentation: place.indentation)
        }
        return WrittenSchemas.File(source: result, texts: texts)
    }

    /// The lines to add by hand: the key of each block below the place of its entity.
    var textToAdd: [String] {
        let added = additions.flatMap { added in
            added.blocks(writer).flatMap { block in
                [
                    "\(added.existing.place.path):\(added.existing.place.start.line): "
                        + "add to '\(added.existing.name)':",
                    "  \(block.key):",
                ] + block.text.lines.map { "    \($0)" }
            }
        }
        let new = newEntities.flatMap { entity in
            ["\(SchemaWriter.path(of: entity)): a new file:"]
                + writer.file(of: entity).lines.map { "  \($0)" }
        }
        return added + new
    }
}
