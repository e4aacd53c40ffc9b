internal import RepositorySchema

/// The comparison of entities.
extension SchemaComparer {
    /// Compares an entity with that of the version.
    mutating func compare(_ before: EntityDeclaration, _ after: EntityDeclaration) {
        let problems = diagnostics.count
        let tables = (old.table(of: before).value, new.table(of: after).value)
        var owner = MemberOwner(.entity, before.header, after.header)
        owner.removed = after.removed
        owner.reused = after.reuse
        owner.migrate = migration(of: after, before)
        owner.isManaged = new.isManaged(after)
        if !UTF8Name(tables.0).isEqual(tables.1) {
            renameTable(tables, after, owner)
        } else {
            checkExchange(before, after, owner)
        }
        if old.isManaged(before) != new.isManaged(after) {
            add(
                owner.change(
                    .manageChanged,
                    .text(old: "\(old.isManaged(before))", new: "\(new.isManaged(after))")))
        }
        if before.isReadOnly != after.isReadOnly {
            add(
                owner.change(
                    .readOnlyChanged,
                    .text(old: "\(before.isReadOnly)", new: "\(after.isReadOnly)")))
        }
        if let decision = owner.migrate, decision.entities.isEmpty {
            var change = owner.change(.tableMigrated)
            change.decision = .migrate(decision)
            add(change)
        }
        let count = changes.count
        var fields = FieldPairs(
            old.fields(of: before), new.fields(of: after),
            columns: (
                { [old] in FieldColumn($0, old).name }, { [new] in FieldColumn($0, new).name }
            ))
        if case .single(let id) = before.identity, case .single(let present) = after.identity {
            fields.matchIDs(id, present)
        }
        compareDistribution(before, after, owner, fields)
        let identity = IdentityComparison(before, after, fields, old, new)
        compareIdentity(identity, owner)
        fields.leaveOut(identity.ignored)
        compareMembers(fields, owner, keys: identity.keys)
        compareDeletion(before, after, owner, fields)
        checkExternalData(of: after, before, owner, count)
        compareIndexes(before, after, owner, fields)
        noteSpentMigration(of: after, before, since: problems)
    }

    /// Reports an entity in the table of another one of the version: stores find records by the
    /// table, so that it gets those of the other entity. Only `renamedFrom` says that it shall.
    private mutating func checkExchange(
        _ before: EntityDeclaration, _ after: EntityDeclaration, _ owner: MemberOwner
    ) {
        let names = (before.header.name.value, after.header.name.value)
        guard owner.isManaged, !UTF8Name(names.0).isEqual(names.1) else { return }
        let meant = after.renamedFrom.compactMap { earlierEntity($0.value) }.first
        guard let other = meant ?? earlierEntity(named: names.1),
            !UTF8Name(other.header.name.value).isEqual(names.0)
        else { return }
        let tables = (old.table(of: other).value, new.table(of: after).value)
        // A name that is still declared is no earlier name.
        let renaming =
            new.declarations[names.0] == nil
            ? "write 'renamedFrom: \(names.0)' under \(owner.label) if it is '\(names.0)' under "
                + "another name; " : ""
        addUndecided(
            owner.change(.tableRenamed, .text(old: tables.0, new: tables.1)),
            "the table '\(tables.1)' of \(owner.label) has the records of the entity "
                + "'\(names.0)', not those of '\(other.header.name.value)'",
            help: renaming
                + "a table gets the name of another one after a version in which that one has "
                + "another name or is removed")
    }

    /// Returns the entity of the version that an entry of `renamedFrom` means: by its name or by
    /// its table.
    private func earlierEntity(_ name: String) -> EntityDeclaration? {
        earlierEntity(named: name)
            ?? old.entities.first {
                let table = UTF8Name(old.table(of: $0).value)
                return table.isEqual(name)
                    || table.isEqual(TableTranslator.table(renamedFrom: name))
            }
    }

    private func earlierEntity(named name: String) -> EntityDeclaration? {
        if case .entity(let entity) = old.declarations[name] { return entity }
        return nil
    }

    /// Adds the change of `distribute`. A database distributes a table once, so that another field
    /// is an error.
    private mutating func compareDistribution(
        _ before: EntityDeclaration, _ after: EntityDeclaration, _ owner: MemberOwner,
        _ fields: FieldPairs
    ) {
        var old = before.distribute?.value
        let new = after.distribute?.value
        if case .field(let name)? = old,
            let pair = fields.pairs.first(where: { $0.old?.name.value == name })
        {
            old = .field(pair.new.name.value)
        }
        guard old != new else { return }
        let change = owner.change(.distributionChanged, .text(old: old?.text, new: new?.text))
        guard let old else { return add(change) }
        addUndecided(
            change,
            new == nil
                ? "\(owner.label) is no longer distributed, and stores do not undo it"
                : "'distribute' of \(owner.label) is \(change.detail.newText), was "
                    + "\(change.detail.oldText): stores distribute a table once",
            at: after.distribute?.range, help: "write 'distribute: \(old.text)'")
    }

    /// Adds the changes of the field that marks deleted records.
    private mutating func compareDeletion(
        _ before: EntityDeclaration, _ after: EntityDeclaration, _ owner: MemberOwner,
        _ fields: FieldPairs
    ) {
        let (old, new) = (before.softDelete?.value, after.softDelete?.value)
        let kept = fields.pairs.first { $0.old?.name.value == old && old != nil }
        guard old != nil || new != nil, kept == nil || kept?.new.name.value != new else { return }
        let gone = kept?.old ?? fields.gone.first { $0.name.value == old }
        if let gone { add(owner.change(.softDeleteRemoved, gone, kept?.new)) }
        let present = fields.pairs.first { $0.new.name.value == new }
        if let present { add(owner.change(.softDeleteAdded, present.old, present.new)) }
    }

    /// Adds the change of the name of a table. `renamedFrom` must name the table, or the entity that
    /// has it by default.
    private mutating func renameTable(
        _ tables: (old: String, new: String), _ entity: EntityDeclaration, _ owner: MemberOwner
    ) {
        var change = owner.change(.tableRenamed, .text(old: tables.old, new: tables.new))
        change.decision =
            entity.renamedFrom.first {
                TableTranslator.table(renamedFrom: $0.value) == tables.old
            }.map { .renamed($0) } ?? owner.migrate.map { .migrate($0) }
        guard change.decision == nil, owner.isManaged else { return add(change) }
        let names = entity.renamedFrom.map(\.value) + [tables.old]
        let list = names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]"
        addUndecided(
            change, "the table of \(owner.label) is '\(tables.new)', was '\(tables.old)'",
            help: "write 'renamedFrom: \(list)' under \(owner.label) if it has the records of that "
                + "table")
    }

    /// Adds the change of an id whose fields are others, or in another order.
    private mutating func compareIdentity(_ identity: IdentityComparison, _ owner: MemberOwner) {
        guard identity.isRebuilt else { return }
        var change = owner.change(.idChanged, .identity(old: identity.old, new: identity.new))
        change.decision = owner.migrate.map { .migrate($0) }
        guard change.decision == nil else { return add(change) }
        addUndecided(
            change,
            "the id of \(owner.label) is \(change.detail.newText), was \(change.detail.oldText)",
            help: "write 'migrate: code' under \(owner.label), and convert the records in its "
                + "function")
    }

    /// Returns the decision for an entity that is gone; nil if there is none.
    private func decision(forGone entity: EntityDeclaration) -> SchemaChange.Decision? {
        let name = entity.header.name.value
        // A function gets the records before they are dropped.
        return migrations.decision(for: [name]).map { .migrate($0) }
            ?? new.set.settings.removed.first { $0.value == name }.map { .removed($0) }
    }

    /// Returns the only new entity, if only one is gone without a decision.
    func likelyRename() -> EntityDeclaration? {
        func entity(_ declaration: Declaration) -> EntityDeclaration? {
            if case .entity(let entity) = declaration { return entity }
            return nil
        }
        let gone = declarations.gone.compactMap(entity).filter { decision(forGone: $0) == nil }
        let added = declarations.pairs.compactMap { $0.old == nil ? entity($0.new) : nil }
        return gone.count == 1 && added.count == 1 ? added.first : nil
    }

    /// Adds the removal of an entity, with the decision in the settings.
    ///
    /// - Parameter twin: The new entity that has its records, perhaps.
    mutating func removeEntity(
        _ entity: EntityDeclaration, _ change: SchemaChange, _ twin: EntityDeclaration?
    ) {
        var change = change
        let name = entity.header.name.value
        change.isUnmanaged = !old.isManaged(entity)
        change.decision = decision(forGone: entity)
        // The table of another program stays as it is.
        guard change.decision == nil, !change.isUnmanaged else { return add(change) }
        let list = (new.set.settings.removed.map(\.value) + [name]).joined(separator: ", ")
        let drop = "'removed: [\(list)]' in repositories.yaml"
        guard let twin = twin?.header.name else {
            return addUndecided(
                change, "the entity '\(name)' is no longer declared",
                help: "write \(drop) to drop its records, or 'renamedFrom: \(name)' under the "
                    + "entity that has them now")
        }
        addUndecided(
            change, "the entity '\(name)' is gone and the entity '\(twin.value)' is new",
            at: twin.range,
            help: "write 'renamedFrom: \(name)' under the entity '\(twin.value)' if it has the "
                + "records of '\(name)', or \(drop) to drop them")
    }

    /// Adds the change of a new entity that has the name of a removed one.
    mutating func reuseEntity(_ entity: EntityDeclaration) {
        let name = entity.header.name
        guard let removal = history.removal(ofEntity: name.value) else { return }
        var change = SchemaChange(
            code: .nameReused, kind: .entity, declaration: name.value, range: name.range,
            place: name.range)
        if let entry = new.set.settings.reuse.first(where: { $0.value == name.value }) {
            change.decision = .reused(entry)
            return add(change)
        }
        let list = (new.set.settings.reuse.map(\.value) + [name.value]).joined(separator: ", ")
        addUndecided(
            change, "the entity '\(name.value)' was removed in version \(removal)",
            help: "write 'reuse: [\(list)]' in repositories.yaml to declare the name for other "
                + "records, or choose another name")
    }
}

/// The ids of an entity in a version and now.
struct IdentityComparison {
    /// The names of the fields of the id in the version.
    let old: [String]
    /// The names of the fields of the present id.
    let new: [String]
    /// Whether the id consists of other fields, or of the same in another order.
    let isRebuilt: Bool
    /// The present names of the fields that the ids have in common.
    let keys: Set<String>
    /// The fields that the change of the id explains: those that only it consists of.
    let ignored: (old: Set<String>, new: Set<String>)

    init(
        _ before: EntityDeclaration, _ after: EntityDeclaration, _ fields: FieldPairs,
        _ oldScope: SchemaScope, _ newScope: SchemaScope
    ) {
        let ids = (
            oldScope.identityFields(of: before).map(\.name.value),
            newScope.identityFields(of: after).map(\.name.value)
        )
        (old, new) = ids
        let matched = fields.pairs.compactMap { pair in
            pair.old.map { (pair.new.name.value, $0.name.value) }
        }
        let earlier = Dictionary(matched, uniquingKeysWith: { first, _ in first })
        isRebuilt = ids.1.map { earlier[$0] ?? "" } != ids.0
        guard isRebuilt else {
            keys = Set(ids.1)
            ignored = ([], [])
            return
        }
        keys = []
        let kept = Set(matched.map(\.1))
        ignored = (
            Set(ids.0.filter { !kept.contains($0) }), Set(ids.1.filter { earlier[$0] == nil })
        )
    }
}
