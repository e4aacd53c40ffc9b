internal import ConditionLanguage
internal import RepositorySchema

/// Rules for relations.
///
/// A relation is either a reference from the target, or a pair of references from a join entity
/// (`through`). The references are found by type. If there are several candidates, `by` names the
/// one to use.
extension Validator {
    /// Checks the relations of an entity.
    ///
    /// Further checks of a relation are skipped if its target or its join entity does not exist.
    ///
    /// ```yaml
    /// entity: Client
    /// relations:
    ///   loans: { of: Loan }                  # 'Loan' refers to 'Client'
    ///   books: { of: Book, through: Loan }   # 'Loan' refers to both
    /// ```
    mutating func checkRelations(of entity: EntityDeclaration) {
        for relation in entity.relations {
            checkName(of: relation, in: entity)
            guard let target = relatedEntity(relation.target) else { continue }
            if let join = relation.join {
                guard let join = relatedEntity(join) else { continue }
                checkJoin(join, from: entity, to: target, of: relation)
            } else {
                checkReference(from: target, to: entity, of: relation, at: relation.target)
            }
            checkSort(of: relation, target)
        }
    }

    /// Checks that a relation does not have the name of a repository member.
    private mutating func checkName(
        of relation: RelationDeclaration, in entity: EntityDeclaration
    ) {
        let name = relation.name
        if RepositoryMembers.contains(name.value, for: entity) {
            add(
                "a relation cannot be called '\(name.value)': each repository has a member of that name",
                at: name.range, help: "rename it")
        }
    }

    /// Returns the entity that a relation names. Reports an error and returns nil if there is no
    /// such entity.
    private mutating func relatedEntity(_ name: Located<String>) -> EntityDeclaration? {
        if let entity = scope.entity(named: name.value) { return entity }
        if let other = scope.declarations[name.value] {
            add(
                "'\(name.value)' is no entity, but \(other.kindInWords)", at: name.range,
                help: "only entities are related; what a record holds is one of its fields",
                notes: [Diagnostic.Note("it is declared here", at: other.header.name.range)])
        } else if scope.set.isComplete, !scope.refusedNames.contains(name.value) {
            add(
                "there is no entity '\(name.value)'", at: name.range,
                help: NearestName.help(
                    for: name.value, among: scope.entities.map(\.header.name.value),
                    kind: "entities"))
        }
        return nil
    }

    /// Checks that one entity refers to another: by the field that the relation names, or by
    /// exactly one field.
    ///
    /// For the following relation, the field is ambiguous without `by: home` or `by: guest`:
    ///
    /// ```yaml
    /// entity: Team
    /// relations:
    ///   games: { of: Game }
    /// ---
    /// entity: Game
    /// fields:
    ///   home: { type: Team, index: true }
    ///   guest: { type: Team, index: true }
    /// ```
    ///
    /// - Parameter place: The name of the referring entity in the relation.
    /// - Returns: The reference, or nil after an error was reported.
    @discardableResult
    private mutating func checkReference(
        from entity: EntityDeclaration, to target: EntityDeclaration,
        of relation: RelationDeclaration, at place: Located<String>
    ) -> FieldDeclaration? {
        let name = target.header.name.value
        let owner = entity.header.name.value
        let fields = scope.fields(of: entity)
        if let by = relation.field {
            guard let field = fields.first(where: { $0.name.value == by.value }) else {
                unknownField(by, in: entity)
                return nil
            }
            if scope.singleReference(field)?.header.name == target.header.name { return field }
            if case .unknown = scope.kind(of: field.type.value) { return nil }
            add(
                "'\(by.value)' of '\(owner)' is \(field.type.value.description), and no reference to '\(name)'",
                at: by.range, help: help(for: field, of: owner, to: target),
                notes: [Diagnostic.Note("it is declared here", at: field.name.range)])
            return nil
        }
        let references = scope.references(from: entity, to: target)
        if references.count == 1 { return references.first }
        guard entity.header.isComplete else { return nil }
        if references.isEmpty {
            let list = fields.first { scope.refersInside($0, to: target) }
            add(
                "'\(owner)' does not refer to '\(name)'", at: place.range,
                help: list.map { help(for: $0, of: owner, to: target) }
                    ?? missingReference(from: owner, to: target, relation))
        } else {
            add(
                "'\(owner)' refers to '\(name)' by several fields", at: place.range,
                help: "say by which one: 'by: \(references[0].name.value)'",
                notes: notes(references))
        }
        return nil
    }

    /// The suggestion for a missing reference.
    private func missingReference(
        from owner: String, to target: EntityDeclaration, _ relation: RelationDeclaration
    ) -> String {
        let name = target.header.name.value
        let field = "'\(Naming.lowerCamelCase(name)): { type: \(name), index: true }'"
        return relation.join == nil
            ? "give '\(owner)' a field \(field), or name the entity that refers to both with 'through: …'"
            : "give '\(owner)' a field \(field)"
    }

    /// The suggestion for a field that is not a single reference.
    private func help(
        for field: FieldDeclaration, of owner: String, to target: EntityDeclaration
    ) -> String {
        guard scope.refersInside(field, to: target) else {
            return "name a field of the type '\(target.header.name.value)'"
        }
        return "no index leads into '\(field.name.value)', which holds several references: "
            + "declare an entity that refers to both, and name it with 'through: …'"
    }

    /// Checks a many-to-many relation: the join entity must refer to the entity, and by exactly one
    /// other field to the target.
    ///
    /// If the entity and the target are the same, the join entity needs two references to it.
    private mutating func checkJoin(
        _ join: EntityDeclaration, from entity: EntityDeclaration, to target: EntityDeclaration,
        of relation: RelationDeclaration
    ) {
        guard let place = relation.join,
            let from = checkReference(from: join, to: entity, of: relation, at: place)
        else { return }
        let others = scope.references(from: join, to: target).filter { $0.name != from.name }
        guard others.count != 1, join.header.isComplete else { return }
        let (owner, name) = (join.header.name.value, target.header.name.value)
        guard others.isEmpty else {
            add(
                "'\(owner)' refers to '\(name)' by several fields", at: place.range,
                help: "a relation cannot say which: load '\(owner)' by "
                    + "'of: \(owner), by: \(from.name.value)', and what it refers to by 'fetch(ids:)'",
                notes: notes(others))
            return
        }
        let another = entity.header.name == target.header.name ? " by another field" : ""
        add(
            "'\(owner)' does not refer to '\(name)'\(another)", at: place.range,
            help: another.isEmpty
                ? missingReference(from: owner, to: target, relation)
                : "an entity that joins two of a kind has a field for each")
    }

    /// Notes that point to the candidates of an ambiguous reference.
    private func notes(_ fields: [FieldDeclaration]) -> [Diagnostic.Note] {
        fields.map { Diagnostic.Note("by '\($0.name.value)'", at: $0.name.range) }
    }

    /// Checks the sort order of a relation. Only fields of the target can be used.
    private mutating func checkSort(of relation: RelationDeclaration, _ target: EntityDeclaration) {
        let fields = SchemaScope.byName(scope.fields(of: target))
        checkSort(relation.sort, of: target, fields) { validator, key in
            validator.checkSortOfJoin(key, relation, target)
        }
    }

    /// Returns whether a sort key is a field of the join entity, and reports it if so.
    ///
    /// The suggestion is to load the join entity in that order instead.
    private mutating func checkSortOfJoin(
        _ key: Located<String>, _ relation: RelationDeclaration, _ target: EntityDeclaration
    ) -> Bool {
        guard let join = relation.join.flatMap({ scope.entity(named: $0.value) }),
            let field = scope.fields(of: join).first(where: { $0.name.value == key.value })
        else { return false }
        let (owner, name) = (join.header.name.value, target.header.name.value)
        add(
            "'\(key.value)' is a field of '\(owner)', and the order is by fields of '\(name)'",
            at: key.range,
            help: "load '\(owner)' in that order by 'of: \(owner)', "
                + "and what it refers to by 'fetch(ids:)'",
            notes: [Diagnostic.Note("it is declared here", at: field.name.range)])
        return true
    }
}

extension SchemaScope {
    /// Returns whether a field is a list or a map of references to an entity.
    fileprivate func refersInside(_ field: FieldDeclaration, to target: EntityDeclaration) -> Bool {
        guard singleReference(field) == nil, case .entity(let other) = kind(of: field.type.value)
        else { return false }
        return other.header.name == target.header.name
    }
}
