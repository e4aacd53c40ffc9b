internal import RepositorySchema

/// The path of references along which a relation leads from its entity to another.
///
/// In the following schema, `books` follows the reference `author` of `Book`. With `through: Loan`,
/// a relation would follow two references of `Loan`.
///
/// ```yaml
/// entity: Author
/// relations:
///   books: { of: Book, by: author }
/// ```
struct RelationPath {
    /// The entity whose records are loaded.
    let target: EntityDeclaration
    /// The references that connect the two entities.
    let link: Link

    /// The references that a relation follows.
    enum Link {
        /// The target refers to the entity with this field.
        case field(FieldDeclaration)
        /// A join entity refers to the entity with the first field, and to the target with the
        /// second.
        case join(EntityDeclaration, from: FieldDeclaration, to: FieldDeclaration)
    }

    /// Resolves a relation. Returns nil if no path exists or the path is ambiguous.
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
    /// Returns whether a field or a reference of an entity has the name of a relation, so that
    /// conditions cannot name the relation.
    func hides(_ relation: String, in entity: EntityDeclaration) -> Bool {
        relation == "id"
            || fields(of: entity).contains {
                property(of: $0) == relation
                    || $0.name.value == relation && singleReference($0) != nil
            }
    }

    /// Returns the entity of a name, or nil if the name is undeclared or another kind of
    /// declaration.
    func entity(named name: String) -> EntityDeclaration? {
        if case .entity(let entity) = declarations[name] { return entity }
        return nil
    }

    /// Returns the fields with which one entity refers to another. Lists and maps of references are
    /// not included.
    ///
    /// - Parameter name: The only field to consider, or nil for all fields.
    func references(
        from entity: EntityDeclaration, to target: EntityDeclaration, named name: String? = nil
    ) -> [FieldDeclaration] {
        fields(of: entity).filter { field in
            (name == nil || field.name.value == name)
                && singleReference(field)?.header.name == target.header.name
        }
    }

    /// Returns whether an index can find records by a field: the field is the first of the id or of
    /// an index without a condition.
    func isIndexed(_ field: FieldDeclaration, of entity: EntityDeclaration) -> Bool {
        identityFields(of: entity).first?.name.value == field.name.value
            || field.index?.value == true || field.unique?.value == true
            || entity.indexes.contains { index in
                index.condition == nil && index.keys.first?.field.value == field.name.value
            }
    }
}
