internal import RepositorySchema

/// Adds the relations of the entities to which foreign keys refer.
struct RelationBuilder {
    let refusals: [SchemaPart: String]
    /// The names of existing schemas.
    let known: KnownNames

    /// Adds a relation for each reference, on the other side, and relations through join tables.
    func addRelations(to draft: inout SchemaDraft) {
        let positions = Dictionary(
            draft.entities.enumerated().map { ($0.element.table.shape.name, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        for owner in draft.entities {
            let references = owner.fields.filter { $0.reference != nil }
            let ends = joined(owner)
            for end in ends {
                guard let position = positions[end.from.reference ?? ""] else { continue }
                addJoin(owner, end, to: &draft.entities[position])
            }
            // The records of a table that only joins are no more than their two ends.
            if !ends.isEmpty, owner.fields.count == 2 { continue }
            for field in references {
                guard let position = positions[field.reference ?? ""] else { continue }
                let siblings = references.count { $0.reference == field.reference }
                let isSelf = field.reference == owner.table.shape.name
                add(
                    owner, field, isOnly: siblings == 1, isSelf: isSelf,
                    to: &draft.entities[position])
            }
        }
    }

    /// A way through a join table.
    private struct End {
        let from: FieldDraft
        let to: FieldDraft
        let target: String
        let isSelf: Bool
    }

    /// Returns the two ways through a table, if its id consists of two references.
    private func joined(_ owner: EntityDraft) -> [End] {
        guard owner.id.count == 2 else { return [] }
        let ends = owner.id.map { owner.fields[$0] }
        let references = owner.fields.compactMap(\.reference)
        guard let first = ends[0].reference, let second = ends[1].reference else { return [] }
        let isSelf = first == second
        let expected = isSelf ? 2 : 1
        guard references.count(where: { $0 == first }) == expected,
            references.count(where: { $0 == second }) == expected
        else { return [] }
        return [
            End(from: ends[0], to: ends[1], target: ends[1].type.name, isSelf: isSelf),
            End(from: ends[1], to: ends[0], target: ends[0].type.name, isSelf: isSelf),
        ]
    }

    private func addJoin(_ join: EntityDraft, _ end: End, to entity: inout EntityDraft) {
        let origin = "through \(join.table.shape.name) \(end.from.column)"
        let name =
            end.isSelf
            ? Naming.plural(end.to.name) : plural(end.to.reference ?? "", end.target)
        add(
            RelationDraft(
                origin: origin, name: name, target: end.target,
                by: end.isSelf ? end.from.name : nil, through: join.name), to: &entity)
    }

    private func add(
        _ owner: EntityDraft, _ field: FieldDraft, isOnly: Bool, isSelf: Bool,
        to entity: inout EntityDraft
    ) {
        var name = plural(owner.table.shape.name, owner.name)
        if !isOnly || isSelf {
            name += "By" + field.name.prefix(1).uppercased() + field.name.dropFirst()
        }
        add(
            RelationDraft(
                origin: "\(owner.table.shape.name) \(field.column)", name: name,
                target: owner.name, by: isOnly ? nil : field.name, through: nil), to: &entity)
    }

    /// Returns the name of several records of a table: that of the table if it is a plural.
    private func plural(_ table: String, _ entity: String) -> String {
        let name = ImportedName.field(table)
        let isPlural = ImportedName.entity(table) == entity && Naming.upperCamelCase(name) != entity
        return isPlural ? name : Naming.repositoryPropertyName(for: entity)
    }

    /// Adds a relation under a name that the entity does not use yet.
    private func add(_ relation: RelationDraft, to entity: inout EntityDraft) {
        let table = entity.table.shape.name
        if let reason = refusals[.relation(table, relation.origin)] {
            entity.notes.append(Note(subject: "relation '\(relation.name)'", text: reason))
            return
        }
        var relation = relation
        if refusals[.relationName(table, relation.origin)] != nil { relation.name += "Records" }
        let taken = Set(
            entity.fields.flatMap { [$0.name, $0.property] } + entity.relations.map(\.name)
        ).union(known.table(table)?.members ?? [])
        if let join = relation.through, taken.contains(relation.name) {
            relation.name += "By" + join
        }
        relation.name = ImportedName.unique(relation.name) { taken.contains($0) }
        entity.relations.append(relation)
    }
}
