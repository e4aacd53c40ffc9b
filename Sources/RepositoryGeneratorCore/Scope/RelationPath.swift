internal import RepositorySchema

/// How a relation leads from its entity to another, by the references between them.
struct RelationPath {
    /// What is loaded.
    let target: EntityDeclaration
    /// How it is found.
    let link: Link

    /// Which references it follows.
    enum Link {
        /// What is loaded refers to the entity by this field.
        case field(FieldDeclaration)
        /// A third entity refers to the entity by the first of these fields, and to what is loaded by the second.
        case join(EntityDeclaration, from: FieldDeclaration, to: FieldDeclaration)
    }

    /// Finds the way; nil where there is none or more than one.
    init?(_ relation: RelationDeclaration, of entity: EntityDeclaration, _ scope: SchemaScope) {
        guard let target = scope.entity(named: relation.target.value) else { return nil }
        self.target = target
        guard let join = relation.join else {
            let fields = scope.references(from: target, to: entity, named: relation.field?.value)
            guard fields.count == 1 else { return nil }
            link = .field(fields[0])
            return
        }
        guard let join = scope.entity(named: join.value) else { return nil }
        let from = scope.references(from: join, to: entity, named: relation.field?.value)
        guard from.count == 1 else { return nil }
        let to = scope.references(from: join, to: target).filter { $0.name != from[0].name }
        guard to.count == 1 else { return nil }
        link = .join(join, from: from[0], to: to[0])
    }
}

extension SchemaScope {
    /// The entity of a name; nil where it is declared as something else or not at all.
    func entity(named name: String) -> EntityDeclaration? {
        if case .entity(let entity) = declarations[name] { return entity }
        return nil
    }

    /// The fields by which one entity refers to another, lists and maps left out.
    ///
    /// - Parameter name: the only field that is looked at; nil for all.
    func references(
        from entity: EntityDeclaration, to target: EntityDeclaration, named name: String? = nil
    ) -> [FieldDeclaration] {
        fields(of: entity).filter { field in
            (name == nil || field.name.value == name)
                && singleReference(field)?.header.name == target.header.name
        }
    }

    /// Whether an index of an entity leads to records by a field: its id, or an index of all records, that begins with it.
    func isIndexed(_ field: FieldDeclaration, of entity: EntityDeclaration) -> Bool {
        identityFields(of: entity).first?.name.value == field.name.value
            || field.index?.value == true || field.unique?.value == true
            || entity.indexes.contains { index in
                index.condition == nil && index.keys.first?.field.value == field.name.value
            }
    }
}
