internal import RepositorySchema
internal import StoredSchema

/// Entities that one function migrates together in a version: `migrate: { code: [Client, Address]
/// }`.
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
        let places = Dictionary(
            decision.entities.enumerated().map { (UTF8Name($1.value), $0) },
            uniquingKeysWith: { first, _ in first })
        func place(_ entity: EntityDeclaration?) -> Int? {
            entity.flatMap { places[UTF8Name($0.header.name.value)] }
        }
        // The order of the list is the same in the version file.
        let steps = entities.compactMap { step in
            (place(step.entity) ?? place(step.oldEntity)).map { (place: $0, step: step) }
        }.sorted { $0.place < $1.place }
        new = steps.map { ($0.step.entity, $0.step.table) }
        let kept = steps.compactMap { item -> (place: Int, table: Table)? in
            guard let entity = item.step.oldEntity, let table = item.step.oldTable else {
                return nil
            }
            return (item.place, (entity, table))
        }
        let lost = gone.compactMap { table in place(table.entity).map { (place: $0, table: table) }
        }
        old = (kept + lost).sorted { $0.place < $1.place }.map(\.table)
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
