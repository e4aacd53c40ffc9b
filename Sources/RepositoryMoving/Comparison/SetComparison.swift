internal import RepositoryRuntime

/// Compares all tables of two sides.
struct SetComparison {
    let schema: StoreSchema
    let source: MoveSide
    let target: MoveSide
    var showsValues = false
    /// The number of records that were read before, for the progress.
    var done = 0
    /// The number of all records, for the progress.
    var total = 0
    let progress: (MoveProgress) -> Void

    /// Compares the tables in the order of the schema. Writes nothing.
    func run() async throws -> [MoveReport.Table] {
        var tables: [MoveReport.Table] = []
        var done = done
        for entity in schema.copiedEntities {
            let table = try await compare(entity, done)
            done += table.sourceCount
            tables.append(table)
        }
        return tables
    }

    private func compare<E: Entity>(_ type: E.Type, _ done: Int) async throws -> MoveReport.Table {
        let name = E.Mapper.table.name
        return try await TableComparison<E>(
            source: source, target: target, fields: ComparedFields(rounding: rounding),
            showsValues: showsValues
        ) { count in
            progress(
                MoveProgress(
                    phase: .comparing, table: name, done: done + count,
                    total: max(total, done + count)))
        }.run()
    }

    /// The store to whose precision both sides are rounded, if they differ.
    var rounding: RepositoryContext? {
        guard let one = source.context, let two = target.context else { return target.context }
        let (first, second) = (
            one.store.capabilities.has(.fractionalSeconds),
            two.store.capabilities.has(.fractionalSeconds)
        )
        return first == second ? nil : first ? two : one
    }
}

extension StoreSchema {
    /// The entities whose records are compared and copied: not those of tables that are only read.
    var copiedEntities: [any Entity.Type] { entities.filter { !$0.table.isReadOnly } }
}

extension Entity {
    /// The table.
    static var table: EntityTable { Mapper.table }
}
