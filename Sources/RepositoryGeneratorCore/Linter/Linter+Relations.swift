internal import RepositorySchema

/// Warnings about relations.
extension Linter {
    /// Warns about relations that read every record because no index starts with the reference.
    ///
    /// ```yaml
    /// entity: Book
    /// relations:
    ///   loans: { of: Loan }   # warning: no index of 'Loan' starts with 'book'
    /// ---
    /// entity: Loan
    /// fields: { book: Book }
    /// ```
    mutating func lookForUnindexedRelations(of entity: EntityDeclaration) {
        for relation in entity.relations {
            guard let path = RelationPath(relation, of: entity, scope) else { continue }
            let (owner, field, place) =
                switch path.link {
                case .field(let field): (path.target, field, relation.field ?? relation.target)
                case .join(let join, let from, _): (join, from, relation.join ?? relation.target)
                }
            guard !scope.isIndexed(field, of: owner) else { continue }
            let name = field.name.value
            warn(
                "no index of '\(owner.header.name.value)' leads to its records by '\(name)', "
                    + "so that the relation reads all of them",
                at: place.range,
                help: "write 'index: true' at '\(name)', or declare an index that begins with it",
                .unindexedRelation,
                notes: [Diagnostic.Note("the reference is declared here", at: field.name.range)])
        }
    }

    /// Warns about relations that no condition can name, because a field or a reference has the
    /// same name.
    mutating func lookForHiddenRelations(of entity: EntityDeclaration) {
        for relation in entity.relations
        where scope.hides(relation.name.value, in: entity) {
            warn(
                "the relation '\(relation.name.value)' has the name of a field, so that no query "
                    + "can ask for its records",
                at: relation.name.range, help: "give the relation another name", .hiddenRelation)
        }
    }
}
