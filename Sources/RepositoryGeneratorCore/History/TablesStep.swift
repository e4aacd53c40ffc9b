internal import RepositorySchema
internal import StoredSchema

/// Entities that one function migrates together in a version: `migrate: { code: [Client, Address] }`.
struct TablesStep {
    /// An entity of a version with its table.
    typealias Table = (entity: EntityDeclaration, table: StoredTable)

    /// The decision in the settings.
    let decision: MigrateDecision
    /// The number of the version.
    let number: Int
    /// The entities before the version.
    let old: [Table]
    /// The entities after it.
    let new: [Table]

    /// Finds the entities that a decision lists, under their names before or after the version.
    ///
    /// - Parameters:
    ///   - decision: the decision.
    ///   - number: the number of the version.
    ///   - entities: the entities of the version.
    ///   - gone: those that only the version before has.
    init(
        _ decision: MigrateDecision, number: Int, _ entities: [EntityStep], gone: [Table]
    ) {
        self.decision = decision
        self.number = number
        let names = Set(decision.entities.map { UTF8Name($0.value) })
        func isListed(_ entity: EntityDeclaration?) -> Bool {
            entity.map { names.contains(UTF8Name($0.header.name.value)) } ?? false
        }
        let steps = entities.filter { isListed($0.entity) || isListed($0.oldEntity) }
        new = steps.map { ($0.entity, $0.table) }
        old =
            steps.compactMap { step in
                step.oldEntity.flatMap { entity in step.oldTable.map { (entity, $0) } }
            } + gone.filter { isListed($0.entity) }
    }

    /// Returns the decisions that are for a version. One without `for` is for the version that has
    /// it first.
    static func decisions(
        _ new: SchemaScope, since old: SchemaScope, number: Int
    ) -> [MigrateDecision] {
        func names(_ decision: MigrateDecision) -> Set<UTF8Name> {
            Set(decision.entities.map { UTF8Name($0.value) })
        }
        let earlier = Set(old.set.settings.migrate.map(names))
        return new.set.settings.migrate.filter { decision in
            decision.version.map { $0.value == number } ?? !earlier.contains(names(decision))
        }
    }

    /// The names of the tables in both versions.
    var tableNames: [String] { (old + new).map(\.table.name) }

    private var name: MigrationFunctionName { MigrationFunctionName(number: number) }

    /// The name of the function.
    var function: String { name.tables(of: decision) }

    /// The name of the type with the tables of the function.
    var typeName: String { name.tablesType(of: decision) }

    /// The change in stored data.
    var change: DataChange {
        .tables(old.map(\.table.name), new: new.map(\.table), function: function)
    }

    /// Returns the call of the function.
    func call(from old: SchemaScope, to new: SchemaScope) -> MigrationCall {
        let names = decision.entities.map(\.value).joined()
        return MigrationCall(
            name: function, kind: .tables(self), number: number, oldOwner: names, owner: names,
            old: old, new: new)
    }

    /// Returns errors for entities that a function cannot migrate: those whose tables belong to
    /// other programs.
    func problems(from oldScope: SchemaScope, to newScope: SchemaScope) -> [Diagnostic] {
        let unmanaged =
            old.filter { !oldScope.isManaged($0.entity) }.map(\.entity.header.name.value)
            + new.filter { !newScope.isManaged($0.entity) }.map(\.entity.header.name.value)
        return decision.entities.filter { unmanaged.contains($0.value) }.map { name in
            Diagnostic(
                "the table of '\(name.value)' belongs to another program, so it is never migrated",
                at: name.range, help: "remove the entity from the list", rule: .version)
        }
    }
}
