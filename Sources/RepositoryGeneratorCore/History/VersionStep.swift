internal import RepositorySchema
internal import StoredSchema

/// Two successive versions of a schema.
///
/// ``changes`` lists what the later one changes in stored data. It contains only what a program
/// cannot tell from the stored and the declared tables: decisions, and names and values that later
/// versions can change again.
struct VersionStep {
    /// The number of the later version.
    let number: Int
    /// The declarations of the earlier version.
    let old: SchemaScope
    /// The declarations of the later version, with its decisions.
    let new: SchemaScope
    /// The entities of the later version with their tables in both.
    let entities: [EntityStep]
    /// The functions that migrate several entities together.
    let together: [TablesStep]
    /// The indices of ``entities`` by the names of the entities.
    private let indices: [UTF8Name: Int]
    /// The comparison of the types of both versions.
    let types: TypeComparison
    /// The entities of the later version whose records a function migrates as a whole.
    private let migratedByCode: Set<UTF8Name>
    /// The raw values of enums that other ones replace.
    let casesOfEnums: RemovedCases
    /// Whether the ids of an entity get other values, of the same stored type or another one.
    private(set) var hasOtherIDs = false
    /// The changes in stored data, in the order of ``DataChange``.
    private(set) var changes: [DataChange] = []
    /// The functions that the changes call, each once.
    private(set) var calls: [MigrationCall] = []
    /// Errors for functions that cannot be declared.
    private(set) var callProblems: [Diagnostic] = []

    /// Compares two versions. The cost is linear in their size.
    ///
    /// - Parameters:
    ///   - oldScope: the declarations of the earlier version.
    ///   - newScope: the declarations of the later version.
    ///   - number: the number of the later version.
    ///   - earlier: the versions before the earlier one, oldest first and without gaps.
    init(
        from oldScope: SchemaScope, to newScope: SchemaScope, number: Int,
        earlier: [SchemaSet] = []
    ) {
        self.number = number
        old = oldScope
        new = newScope
        types = TypeComparison(
            old: oldScope, new: newScope, names: DeclarationPairs(oldScope, newScope).names)
        let history = DecisionHistory(earlier + [oldScope.set], last: number - 1)
        let oldTables = oldScope.entities.map { entity in
            (entity: entity, table: EntityDescriber(entity, scope: oldScope).table)
        }
        let byTable = Dictionary(
            oldTables.map { (UTF8Name($0.table.name), $0) }, uniquingKeysWith: { first, _ in first }
        )
        let newTables = newScope.entities.map { entity in
            (entity: entity, table: EntityDescriber(entity, scope: newScope).table)
        }
        var taken = Set(newTables.map { UTF8Name($0.table.name) }.filter { byTable[$0] != nil })
        entities = newTables.map { entity, table in
            if let before = byTable[UTF8Name(table.name)] {
                return EntityStep(
                    entity: entity, table: table, oldEntity: before.entity, oldTable: before.table)
            }
            let name = table.renamedFrom.names.first {
                byTable[UTF8Name($0)] != nil && taken.insert(UTF8Name($0)).inserted
            }
            let before = name.flatMap { byTable[UTF8Name($0)] }
            return EntityStep(
                entity: entity, table: table, oldEntity: before?.entity, oldTable: before?.table)
        }
        indices = Dictionary(
            entities.enumerated().map { (UTF8Name($1.entity.header.name.value), $0) },
            uniquingKeysWith: { first, _ in first })
        migratedByCode = Set(
            entities.filter { step in
                step.oldEntity.map {
                    history.migration(of: step.entity, $0, next: number) != nil
                } ?? false
            }.map { UTF8Name($0.entity.header.name.value) })
        casesOfEnums = RemovedCases(from: oldScope, to: newScope)
        let gone = oldTables.filter { !taken.contains(UTF8Name($0.table.name)) }
        let steps = entities
        together = SetMigrations(newScope.set.settings, history, next: number).decisions
            .map { TablesStep($0, number: number, steps, gone: gone) }
        let listed = Set(together.flatMap(\.tableNames).map(UTF8Name.init))
        let removed = gone.map(\.table.name).filter { !listed.contains(UTF8Name($0)) }
        let others = entities.filter { !listed.contains(UTF8Name($0.table.name)) }
        let renames = others.compactMap { step -> DataChange? in
            guard let old = step.oldTable, !UTF8Order.areEqual(old.name, step.table.name) else {
                return nil
            }
            return .renameTable(from: old.name, to: step.table.name)
        }
        hasOtherIDs = entities.contains { entity in
            replacesCases(ofIDOf: entity)
                || components(of: entity).contains { conversion(of: $1, $0) != nil }
        }
        let parts = others.map { EntityChanges($0, in: self) }
        changes =
            renames + removed.map(DataChange.removeTable) + parts.flatMap(\.changes)
            + together.map(\.change)
        declare(parts.flatMap(\.calls) + together.map { $0.call(from: oldScope, to: newScope) })
        callProblems += parts.flatMap(\.problems)
    }

    /// Whether a function migrates the records of an entity as a whole.
    func isMigratedByCode(_ entity: EntityStep) -> Bool {
        migratedByCode.contains(UTF8Name(entity.entity.header.name.value))
    }

    /// Returns the decision that converts the values of a field; nil if its type is the same, or if
    /// all of its values are values of the new type.
    func conversion(
        of field: FieldDeclaration?, _ before: FieldDeclaration?
    ) -> ConvertDecision? {
        guard let field, let before, let convert = field.convert, counts(convert.version),
            types.change(before, field) == .converted
        else { return nil }
        return convert
    }

    /// Returns the entity of the later version with a name; nil if there is none.
    func entity(_ name: String) -> EntityStep? {
        indices[UTF8Name(name)].map { entities[$0] }
    }

    /// Collects the functions. An embedded value calls its function at each place where it is
    /// stored; another function of the same name is an error.
    private mutating func declare(_ found: [MigrationCall]) {
        var declared: [String: MigrationCall] = [:]
        for call in found {
            guard let first = declared[call.name] else {
                declared[call.name] = call
                calls.append(call)
                continue
            }
            guard !first.isSame(as: call) else { continue }
            callProblems.append(
                Diagnostic(
                    "two functions of this version have the name '\(call.name)'", at: call.place,
                    help: "write 'migrate: code' under the entities whose records change",
                    notes: [Diagnostic.Note("the first one is for this", at: first.place)],
                    rule: .version))
        }
    }
}

/// An entity of a version with its table in the version before.
struct EntityStep {
    /// The declaration.
    let entity: EntityDeclaration
    /// The table.
    let table: StoredTable
    /// The declaration in the version before; nil if the entity is new.
    let oldEntity: EntityDeclaration?
    /// The table in the version before; nil if the entity is new.
    let oldTable: StoredTable?
}
