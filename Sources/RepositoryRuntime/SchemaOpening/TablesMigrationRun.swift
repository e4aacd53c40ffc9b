package import StoredSchema

/// Carries out the functions that migrate several tables together, one after another.
package struct TablesMigrationRun {
    /// The tables of a store.
    package protocol Storage: AnyObject {
        /// The kind of store, for messages.
        var name: String { get }
        /// Gets the places of records by their values.
        var space: any MigrationSpace { get }
        /// Opens a stored table for reading.
        ///
        /// - Parameters:
        ///   - table: the stored table.
        ///   - names: the names under which documents may contain each field, newest first.
        ///   - missing: the values of stored fields that a document may lack, by index.
        func source(
            _ table: StoredTable, names: [[String]], missing: [Int: StoredValue]
        ) throws -> any MigrationSource
        /// Creates a table that keeps records between two functions.
        func stage(_ table: StoredTable) throws -> any MigrationStage
        /// Returns the closure that writes a record of a declared table.
        ///
        /// The closure throws ``RecordMigrationFailure`` if the record is refused.
        func writer<E: Entity>(_ type: E.Type) throws -> (E) throws -> Void
        /// Writes what the closures have kept back.
        ///
        /// - Parameter failures: gets the records that are refused.
        func finish(_ failures: inout MigrationFailures) throws
    }

    private let schema: StoreSchema
    private let storage: any Storage
    /// The records for later functions: by function and table.
    private var staged: [Int: [String: any MigrationStage]] = [:]

    /// Prepares the functions of a schema.
    package init(_ schema: StoreSchema, _ storage: any Storage) {
        self.schema = schema
        self.storage = storage
    }

    /// Runs the functions.
    ///
    /// - Throws: `schemaMismatch` if a function throws, if records cannot be read, or if records
    ///   are refused; `unsupported` if the schema does not name its entities.
    package mutating func run(_ functions: [TablesMigration]) throws {
        for (index, function) in functions.enumerated() { try run(function, at: index) }
    }

    private mutating func run(_ migration: TablesMigration, at index: Int) throws {
        guard let function = schema.functions.tables[migration.name] else { return }
        let failures = TablesFailures()
        do {
            var targets: [String: (MigrationRow) throws -> Void] = [:]
            for target in migration.targets {
                targets[target.table.name] = try writer(to: target, of: index, failures)
            }
            try MigrationTables(sources: try tables(of: migration), targets: targets)
                .run(function, named: migration.name)
        } catch let failure as MigrationFailure {
            throw CRUDRepositoryError.schemaMismatch(
                store: storage.name, differences: [failure.clause])
        } catch let failure as MigrationFunctionFailure {
            throw CRUDRepositoryError(
                .schemaMismatch,
                "The migration function '\(failure.function)' failed. Nothing was changed.")
        }
        try storage.finish(&failures.list)
        try failures.list.check(store: storage.name)
    }

    /// Returns the old tables by name.
    private func tables(of migration: TablesMigration) throws -> [String: MigrationOldTable] {
        var tables: [String: MigrationOldTable] = [:]
        for source in migration.sources {
            let table = MigrationOldTable(
                source.table, try records(of: source), program: source.program,
                positions: source.positions, storage.space)
            tables[source.table.name] =
                source.callsFunctions
                ? try table.converted(into: storage.stage(source.table)) : table
        }
        return tables
    }

    private func records(of source: TablesMigration.OldTable) throws -> any MigrationSource {
        switch source.origin {
        case .none: return NoMigrationSource()
        case .staged(let function, let table):
            guard let records = staged[function]?[table] else { return NoMigrationSource() }
            return records
        case .stored(let table, let names, let missing):
            return try storage.source(table, names: names, missing: missing)
        }
    }

    /// Returns the closure that takes the records of a new table.
    private mutating func writer(
        to target: TablesMigration.Target, of function: Int, _ failures: TablesFailures
    ) throws -> (MigrationRow) throws -> Void {
        let table = target.table
        switch target.destination {
        case .dropped: return { _ in }
        case .staged:
            let staged = try storage.stage(table)
            self.staged[function, default: [:]][table.name] = staged
            return { row in
                if try !staged.insert(table.fields.map { row[$0.name] }) {
                    failures.list.add("records of '\(table.name)' get the same id", id: nil)
                }
            }
        case .declared(let name, let migration):
            let entity = zip(schema.tables, schema.entities).first { $0.0.name == name }?.1
            guard let entity else {
                throw CRUDRepositoryError.unsupported(
                    "converting the records of '\(name)' for a schema that does not name its entities",
                    by: storage.name)
            }
            return try writer(entity, migration, failures)
        }
    }

    /// Returns the closure that converts the records of a new table and writes them.
    private func writer<E: Entity>(
        _ type: E.Type, _ migration: TableMigration, _ failures: TablesFailures
    ) throws -> (MigrationRow) throws -> Void {
        let records = RecordMigration<E>(migration)
        let fields = migration.stored.fields.map(\.name)
        let write = try storage.writer(type)
        return { row in
            let values = fields.map { row[$0] }
            do {
                let record = MigrationRecord(values, id: migration.id(of: values))
                guard let entity = try records.entity(record, nil) else { return }
                try write(entity)
            } catch let failure as RecordMigrationFailure {
                failures.list.add(failure.reason, id: migration.id(of: values))
            } catch let error as CRUDRepositoryError where error.code == .invalidItem {
                failures.list.add(
                    "a record of '\(E.Mapper.table.name)' is refused: \(error.message)",
                    id: migration.id(of: values))
            }
        }
    }
}

/// The records that a function wrote and that are refused.
private final class TablesFailures {
    var list = MigrationFailures()
}
