/// Converts the records of a table one after another: reads each of them, converts it, and passes
/// it to the store. Records that cannot be converted are refused.
package struct RecordConversionRun<E: Entity> {
    private let migration: TableMigration
    private let records: RecordMigration<E>
    private let ids: IDMigration?
    private let reporter: MigrationReporter
    /// The records that were refused.
    package let refusals: MigrationRefusals

    /// Prepares the conversion.
    ///
    /// - Parameters:
    ///   - migration: the changes.
    ///   - type: the entity.
    ///   - ids: the new ids of records; nil if no ids change.
    ///   - reporter: counts the records.
    ///   - setsAside: whether records that cannot be converted are set aside.
    package init(
        _ migration: TableMigration, _ type: E.Type, _ ids: IDMigration?,
        _ reporter: MigrationReporter, settingAside setsAside: Bool
    ) throws {
        self.migration = migration
        records = RecordMigration<E>(migration)
        self.ids = ids
        self.reporter = reporter
        refusals = try ids?.refusals ?? MigrationRefusals(setsAside: setsAside, in: nil)
    }

    /// Converts all records.
    ///
    /// - Parameters:
    ///   - reader: reads the stored records.
    ///   - store: the kind of store, for messages.
    ///   - write: stores a converted record. Throws ``RecordMigrationFailure`` if it is refused.
    ///   - finish: stores what `write` has kept back.
    /// - Throws: `schemaMismatch` with the records that cannot be converted, unless they are set
    ///   aside; `CancellationError`.
    package func run(
        _ reader: some StoredRecordReader, store: String,
        _ write: (E, MigrationRecord) throws -> Void, finish: () throws -> Void = {}
    ) throws {
        let table = E.Mapper.table.name
        var count = 0
        func convert(_ record: MigrationRecord, _ refuse: (String) throws -> Void) throws {
            try reporter.next()
            count += 1
            do {
                guard let entity = try records.entity(record, ids?.ids) else { return }
                try write(entity, record)
            } catch let failure as RecordMigrationFailure {
                try refuse(failure.reason)
            } catch let error as CRUDRepositoryError where error.code == .invalidItem {
                try refuse("'\(table)': \(error.message)")
            } catch let error as CRUDRepositoryError
                where error.code == .schemaMismatch && refusals.setsAside
            {
                try refuse(error.message)
            }
        }
        try reporter.begin(table)
        let start = reporter.done
        if let ids {
            try ids.forEach(table, reader, convert)
        } else {
            try refusals.forEach(migration, reader, convert)
        }
        try finish()
        reporter.end(count, since: start)
        try refusals.failures.check(store: store)
    }
}
