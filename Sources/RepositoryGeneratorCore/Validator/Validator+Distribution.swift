internal import RepositorySchema
internal import StoredSchema

/// Rules for `distribute`.
///
/// A distributed database checks unique values and references on one machine at a time. Everything
/// that has to be unique therefore contains the field by which the records are distributed, and
/// records refer to others on the same machine only.
extension Validator {
    /// Checks the distribution of an entity, and the references of every entity to distributed
    /// ones.
    ///
    /// ```yaml
    /// entity: Loan
    /// id: [tenant, number]
    /// fields: { tenant: String, number: Int, code: { type: String, unique: true } }
    /// distribute: tenant       # reported: two machines may have the same 'code'
    /// ```
    mutating func checkDistribution(of entity: EntityDeclaration) {
        if let distribute = entity.distribute {
            if !scope.isManaged(entity) {
                add(
                    "an unmanaged table cannot be distributed: stores do not create it",
                    at: distribute.range, help: "remove 'distribute'")
            }
            if case .field(let name) = distribute.value {
                guard checkDistributionField(Located(name, at: distribute.range), of: entity)
                else { return }
            }
        }
        for field in scope.fields(of: entity) { checkDistribution(of: field, in: entity) }
    }

    /// Checks that the field exists, and that the id and every unique index contain it.
    ///
    /// - Returns: whether the field exists.
    private mutating func checkDistributionField(
        _ name: Located<String>, of entity: EntityDeclaration
    ) -> Bool {
        let fields = scope.fields(of: entity)
        guard fields.contains(where: { $0.name.value == name.value }) else {
            unknownField(name, in: entity)
            return false
        }
        let note = Diagnostic.Note("the records are distributed here", at: name.range)
        checkID(of: entity, contains: name, note)
        func addUnique(_ what: String, at range: SourceRange, help: String) {
            add(
                "\(what) does not contain '\(name.value)': other machines may have the same values",
                at: range, help: help, notes: [note])
        }
        for field in fields where field.name.value != name.value {
            guard let unique = field.unique, unique.value else { continue }
            addUnique(
                "the unique index of '\(field.name.value)'",
                at: field.origin?.range ?? unique.range,
                help:
                    "write '{ fields: [\(name.value), \(field.name.value)], unique: true }' under "
                    + "'indexes'")
        }
        for index in entity.indexes where index.unique {
            if index.keys.contains(where: { $0.field.value == name.value }) { continue }
            addUnique(
                "the unique index", at: index.origin?.range ?? index.range,
                help: "add '\(name.value)' to its fields")
        }
        return true
    }

    /// Checks that the id contains the field.
    private mutating func checkID(
        of entity: EntityDeclaration, contains name: Located<String>, _ note: Diagnostic.Note
    ) {
        switch entity.identity {
        case .single(let id):
            if id.name.value == name.value { return }
            if let value = id.defaultValue, value.value == .assigned {
                add(
                    "an assigned id cannot be distributed by another field: machines would assign "
                        + "the same numbers",
                    at: value.range,
                    help: "write 'distribute: \(id.name.value)', or give the ids yourself: "
                        + "'id: [\(name.value), \(id.name.value)]'",
                    notes: [note])
                return
            }
            add(
                "the id does not contain '\(name.value)': other machines may have the same id",
                at: id.name.range,
                help: "declare '\(id.name.value)' under 'fields', and write "
                    + "'id: [\(name.value), \(id.name.value)]'",
                notes: [note])
        case .composite(let names):
            if names.contains(where: { $0.value == name.value }) { return }
            let list = ([name.value] + names.map(\.value)).joined(separator: ", ")
            add(
                "the id does not contain '\(name.value)': other machines may have the same id",
                at: names.first?.range ?? entity.header.name.range,
                help: "write 'id: [\(list)]'", notes: [note])
        }
    }

    /// Checks that a reference leads to records of the same machine.
    private mutating func checkDistribution(
        of field: FieldDeclaration, in entity: EntityDeclaration
    ) {
        guard let target = scope.singleReference(field), field.deleteRule != .none else { return }
        let own = entity.distribute?.value
        let other = target.distribute?.value
        let place = field.origin?.range ?? field.type.range
        let name = target.header.name.value
        func refuse(_ message: String, help: String, at range: SourceRange? = nil) {
            let isOwn = entity.header.name.value == target.header.name.value
            let places = [entity.distribute, isOwn ? nil : target.distribute].compactMap(\.self)
            let notes = places.map { Diagnostic.Note("distributed here", at: $0.range) }
            add(message, at: range ?? place, help: help, notes: notes)
        }
        let unchecked = "or write 'onDelete: none'"
        switch (own, other) {
        case (.field(let own)?, .field(let other)?):
            guard scope.carries(field, own, of: entity, to: target, other) else {
                return refuse(
                    "'\(field.name.value)' does not carry '\(own)' to '\(name)': its record may be "
                        + "on another machine",
                    help: "distribute both by the same value, a part of both ids, \(unchecked)")
            }
            if field.deleteRule == .setNull {
                refuse(
                    "'onDelete: setNull' would set '\(own)', too", help: "choose another rule",
                    at: field.origin?.range ?? field.onDelete?.range)
            }
        case (.field?, nil):
            refuse(
                "'\(name)' is not distributed: other machines do not have its records",
                help: "write 'distribute: everywhere' at '\(name)', \(unchecked)")
        case (.everywhere?, .field?), (nil, .field?):
            let subject = entity.header.name.value
            refuse(
                own == nil
                    ? "'\(subject)' is not distributed, and refers to '\(name)', which is"
                    : "every machine has the records of '\(subject)', and only one has each record "
                        + "of '\(name)'",
                help: "write 'distribute: …' with a field of '\(subject)', \(unchecked)")
        case (.everywhere?, nil):
            guard [.cascade, .setNull].contains(field.deleteRule) else { return }
            refuse(
                "every machine has the records of '\(entity.header.name.value)', and only one has "
                    + "those of '\(name)': they cannot be deleted together",
                help: "write 'distribute: everywhere' at '\(name)', or choose 'restrict'")
        case (_, .everywhere?), (nil, nil): break
        }
    }
}

extension SchemaScope {
    /// Whether a reference contains the field of `distribute`, so that both records are on one
    /// machine.
    ///
    /// It is the field itself, if it refers to the id by which the other entity is distributed.
    /// Otherwise the id of the other entity has a component of the same type by which it is
    /// distributed.
    fileprivate func carries(
        _ reference: FieldDeclaration, _ own: String, of entity: EntityDeclaration,
        to target: EntityDeclaration, _ other: String
    ) -> Bool {
        let components = identityFields(of: target)
        guard let component = components.first(where: { $0.name.value == other }) else {
            // Reported at the other entity.
            return true
        }
        if components.count == 1 { return reference.name.value == own }
        guard let field = fields(of: entity).first(where: { $0.name.value == own }) else {
            return true
        }
        return storedType(of: field) == storedType(of: component)
    }

    /// Returns the base type of a field of an id; nil if it has none. References are followed.
    private func storedType(of field: FieldDeclaration) -> StoredBaseType? {
        var (field, visited) = (field, Set<String>())
        while let entity = singleReference(field), case .single(let id) = entity.identity,
            visited.insert(entity.header.name.value).inserted
        {
            field = id
        }
        switch kind(of: field.type.value) {
        case .base(let base): return base.stored
        case .enumeration(let enumeration): return enumeration.rawType.value.stored
        case .scalar(let scalar): return scalar.stored.value.stored
        case .entity, .value, .union, .unknown: return nil
        }
    }
}
