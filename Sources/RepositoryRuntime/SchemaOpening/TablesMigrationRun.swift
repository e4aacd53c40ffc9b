package import StoredSchema

/// Carries out the functions that migrate several tables together, one after another.
///
/// The progress counts the stored records that a function reads one after another.
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
    /// Counts the records that the functions read, and ends the migration if it was cancelled.
    private let reporter: MigrationReporter
    /// Whether stored records that cannot be read are set aside.
    private let setsAside: Bool
    /// The records for later functions: by function and table.
    private var staged: [Int: [String: any MigrationStage]] = [:]

    /// Prepares the functions of a schema.
    ///
    /// - Parameters:
    ///   - schema: the declared schema.
    ///   - storage: the tables of the store.
    ///   - reporter: counts the records that the functions read.
    ///   - setsAside: whether the sources of the storage set records aside.
    package init(
        _ schema: StoreSchema, _ storage: any Storage, _ reporter: MigrationReporter,
        settingAside setsAside: Bool
    ) {
        self.schema = schema
        self.storage = storage
        self.reporter = reporter
        self.setsAside = setsAside
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
            var targets: [String: MigrationTables.Target] = [:]
            for target in migration.targets {
                targets[target.table.name] = try writer(to: target, of: index, failures)
            }
            var counts: [ReadCount] = []
            let sources = try tables(of: migration, &counts)
            try MigrationTables(sources: sources.mapValues(\.read), targets: targets)
                .run(function, named: migration.name)
            if setsAside {
                // What the function did not read may be unreadable, too.
                for (_, source) in sources.sorted(by: { $0.key < $1.key })
                where source.count?.isComplete == false {
                    try source.stored.readRest()
                }
            }
            for count in counts { count.end() }
        } catch let failure as MigrationFailure {
            throw CRUDRepositoryError.schemaMismatch(
                store: storage.name, differences: [failure.clause])
        } catch let failure as MigrationRecordFailure {
            throw CRUDRepositoryError.schemaMismatch(
                store: storage.name, differences: [failure.clause])
        } catch let failure as MigrationTablesFailure {
            throw failure.error
        }
        try storage.finish(&failures.list)
        try failures.list.check(store: storage.name)
    }

    /// An old table of a function.
    private struct OldTableSource {
        /// The table that the function reads.
        let read: MigrationOldTable
        /// The table as it is stored; the same as ``read`` unless functions of earlier versions
        /// convert its records.
        let stored: MigrationOldTable
        /// Counts its stored records; nil if it has none.
        let count: ReadCount?
    }

    /// Returns the old tables by name.
    ///
    /// - Parameter counts: gets the counts of the stored ones.
    private func tables(
        of migration: TablesMigration, _ counts: inout [ReadCount]
    ) throws -> [String: OldTableSource] {
        var tables: [String: OldTableSource] = [:]
        for source in migration.sources {
            let count = source.storedName.map { ReadCount($0, reporter) }
            if let count { counts.append(count) }
            let table = MigrationOldTable(
                source.table, try records(of: source, count), program: source.program,
                positions: source.positions, storage.space)
            table.namesIDs = namesIDs(of: source)
            tables[source.table.name] = OldTableSource(
                read: source.callsFunctions
                    ? try table.converted(into: storage.stage(source.table)) : table,
                stored: table, count: count)
        }
        return tables
    }

    /// Returns whether the declared table of an old one lets messages name ids; nil if there is
    /// none.
    private func namesIDs(of source: TablesMigration.OldTable) -> Bool? {
        let names = [source.storedName, source.table.name].compactMap(\.self)
        let declared = names.lazy.compactMap { schema.table($0) }.first
        return declared.map { table in
            !table.key.contains { table.layout.fields[$0].isSensitive }
        }
    }

    private func records(
        of source: TablesMigration.OldTable, _ count: ReadCount?
    ) throws -> any MigrationSource {
        switch source.origin {
        case .none: return NoMigrationSource()
        case .staged(let function, let table):
            guard let records = staged[function]?[table] else { return NoMigrationSource() }
            return records
        case .stored(let table, let names, let missing):
            let records = try storage.source(table, names: names, missing: missing)
            return count.map { CountedMigrationSource(records, $0) } ?? records
        }
    }

    /// Returns the closure that takes the records of a new table.
    private mutating func writer(
        to target: TablesMigration.Target, of function: Int, _ failures: TablesFailures
    ) throws -> MigrationTables.Target {
        let table = target.table
        switch target.destination {
        case .dropped: return { [reporter] _, _ in try reporter.check() }
        case .staged:
            let staged = try storage.stage(table)
            self.staged[function, default: [:]][table.name] = staged
            let key = table.keyPositions
            return { [reporter] row, namesID in
                try reporter.check()
                let values = table.fields.map { row[$0.name] }
                if try !staged.insert(values) {
                    failures.list.add(
                        "records of '\(table.name)' get the same id",
                        id: namesID ? key.map { values[$0] }.identifierText : nil)
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
    ) throws -> MigrationTables.Target {
        let records = RecordMigration<E>(migration)
        let fields = migration.stored.fields.map(\.name)
        let write = try storage.writer(type)
        return { [reporter] row, _ in
            try reporter.check()
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

extension MigrationRecordFailure {
    /// The problem with the id, as a clause.
    fileprivate var clause: String { MigrationFailures.words(reason, 1, id.map { [$0] } ?? []) }
}
