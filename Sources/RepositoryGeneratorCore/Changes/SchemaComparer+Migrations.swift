internal import RepositorySchema

/// Records that are migrated by functions: `migrate`.
extension SchemaComparer {
    /// Returns the decision that migrates the records of an entity: its own or that of the settings.
    func migration(
        of entity: EntityDeclaration, _ before: EntityDeclaration
    ) -> MigrateDecision? {
        let names = [entity.header.name.value, before.header.name.value]
        if let decision = migrations.decision(for: names) { return decision }
        return history.migration(of: entity, before, next: number + 1)
    }

    /// Adds a note on `migrate` of an entity that belongs to another version to the errors of the
    /// entity: it may stay, but decides nothing this time.
    ///
    /// - Parameter count: The number of diagnostics before those of the entity.
    mutating func noteSpentMigration(
        of entity: EntityDeclaration, _ before: EntityDeclaration, since count: Int
    ) {
        guard let decision = entity.migrate, migration(of: entity, before) == nil else { return }
        let name = entity.header.name.value
        let owner =
            decision.version.map { "is for version \($0.value)" }
            ?? history.usedMigration(of: before.header.name.value)
            .map { "belongs to version \($0)" } ?? "belongs to another version"
        let note = Diagnostic.Note(
            "'migrate' of '\(name)' \(owner); write 'migrate: { code, for: \(number + 1) }' if a "
                + "function migrates the records this time, too",
            at: decision.range)
        for index in diagnostics.indices.dropFirst(count)
        where diagnostics[index].rule == .undecided { diagnostics[index].notes.append(note) }
    }

    /// Adds the migrations of several entities together.
    mutating func compareMigrations() {
        for decision in migrations.decisions {
            var change = SchemaChange(
                code: .tableMigrated, kind: .settings, declaration: "", range: decision.range,
                place: decision.range)
            change.detail = .entities(decision.entities.map(\.value))
            change.decision = .migrate(decision)
            add(change)
            let names = decision.entities.map(\.value)
            let entity = (old.entities + new.entities).first {
                names.contains($0.header.name.value) && $0.hasExternalData
            }
            guard let entity else { continue }
            diagnostics.append(
                Diagnostic(
                    "a function migrates the records of '\(entity.header.name.value)', and no "
                        + "migration moves external data",
                    at: decision.range,
                    help: "leave '\(entity.header.name.value)' out, and change its records in the "
                        + "program",
                    rule: .undecided))
        }
    }

    /// Reports a change of the id of an entity with external data, which belongs to the ids of the
    /// records.
    ///
    /// - Parameter count: The number of changes before those of the entity's fields.
    mutating func checkExternalData(
        of entity: EntityDeclaration, _ before: EntityDeclaration, _ owner: MemberOwner,
        _ count: Int
    ) {
        guard entity.hasExternalData, before.hasExternalData, owner.isManaged else { return }
        for change in changes[count...] where change.code == .idChanged {
            diagnostics.append(
                Diagnostic(
                    "the id of \(owner.label) changes, and no migration moves external data",
                    at: change.place,
                    help: "add another entity, copy the records in the program, and remove "
                        + "'\(before.header.name.value)' in a later version",
                    rule: .undecided))
        }
    }
}

/// The decisions in the settings that count for the next version: `migrate: { code: … }`.
struct SetMigrations {
    /// The decisions in their order.
    let decisions: [MigrateDecision]
    private let byEntity: [String: MigrateDecision]

    /// Finds the decisions that no version has used.
    init(_ settings: SchemaSettings, _ history: DecisionHistory, next: Int) {
        decisions = settings.migrate.filter { decision in
            if let version = decision.version { return version.value == next }
            return history.newest { $0.migrate.contains { $0.hasSameEntities(as: decision) } }
                == nil
        }
        byEntity = Dictionary(
            decisions.flatMap { decision in decision.entities.map { ($0.value, decision) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the decision for an entity of one of the names.
    func decision(for names: [String]) -> MigrateDecision? {
        names.lazy.compactMap { byEntity[$0] }.first
    }
}

extension MigrateDecision {
    /// Whether two decisions migrate the same entities together.
    fileprivate func hasSameEntities(as other: MigrateDecision) -> Bool {
        Set(entities.map(\.value)) == Set(other.entities.map(\.value))
    }
}

extension EntityDeclaration {
    /// Whether a field of the entity has external data.
    fileprivate var hasExternalData: Bool { fields.contains(where: \.isExternal) }
}
