internal import StoredSchema

/// The records that a migration cannot migrate: they are collected for the error, or set aside.
package final class MigrationRefusals {
    /// The records for the error.
    package var failures = MigrationFailures()
    /// Whether records are set aside instead.
    package let setsAside: Bool
    /// The places of the records that were set aside; nil if records are read only once.
    private let places: (any MigrationSpaceTable)?

    /// Creates an empty collection.
    ///
    /// - Parameters:
    ///   - setsAside: whether records are set aside.
    ///   - space: gets the places of the records, so that those that are read again are left out;
    ///     nil if they are read only once.
    package init(setsAside: Bool, in space: (any MigrationSpace)?) throws {
        self.setsAside = setsAside
        places = setsAside ? try space?.makeTable() : nil
    }

    /// Refuses a record.
    ///
    /// - Parameters:
    ///   - reason: the problem, as a clause.
    ///   - place: where the store has the record.
    ///   - id: the id as text, for messages; nil if it is sensitive.
    ///   - migration: the changes of its table.
    ///   - setAside: writes the stored record to the file.
    package func refuse(
        _ reason: String, _ place: [UInt8], id: String?, of migration: TableMigration,
        _ setAside: (String) throws -> Void
    ) throws {
        guard setsAside else { return failures.add(reason, id: id) }
        try setAside(reason)
        try places?.add([], under: Self.key(place, migration))
    }

    /// Returns whether a record was set aside.
    package func contains(_ place: [UInt8], of migration: TableMigration) throws -> Bool {
        try places?.last(under: Self.key(place, migration)) != nil
    }

    private static func key(_ place: [UInt8], _ migration: TableMigration) -> [UInt8] {
        StoredBytes.bytes(of: .text(migration.stored.name)) + place
    }

    /// Calls a closure with each stored record of a table that was not set aside, and refuses those
    /// that cannot be read.
    ///
    /// - Parameters:
    ///   - migration: the changes of the table.
    ///   - reader: reads stored records.
    ///   - body: the closure. It gets a function that refuses the record for a reason.
    package func forEach(
        _ migration: TableMigration, _ reader: some StoredRecordReader,
        _ body: (MigrationRecord, _ refuse: (String) throws -> Void) throws -> Void
    ) throws {
        try reader.read(migration) { record, setAside in
            switch record {
            case .readable(let record):
                if try contains(record.place, of: migration) { return }
                try body(record) {
                    try refuse($0, record.place, id: record.id, of: migration, setAside)
                }
            case .unreadable(let place, let id, let reason):
                if try contains(place, of: migration) { return }
                try refuse(reason, place, id: id, of: migration, setAside)
            }
        }
    }

    /// Runs the conversion of a record and refuses the record if it fails.
    ///
    /// - Throws: ``CRUDRepositoryError`` if a function throws and records are not set aside;
    ///   `CancellationError`.
    func collect(
        _ record: MigrationRecord, in table: String, _ refuse: (String) throws -> Void,
        _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let failure as MigrationFailure {
            try refuse(failure.clause)
        } catch let failure as MigrationFunctionFailure {
            let error = failure.error(table: table, id: record.id)
            guard setsAside else { throw error }
            try refuse(error.message)
        } catch let error as RecordDecodingError {
            try refuse("a record of '\(table)' cannot be converted (\(error.path))")
        }
    }
}

/// A record as a ``StoredRecordReader`` finds it.
package enum StoredRecord {
    case readable(MigrationRecord)
    /// A record that cannot be read: where the store has it, its id for messages, and the reason as
    /// a clause.
    case unreadable(place: [UInt8], id: String?, reason: String)
}

/// Reads the stored records of tables.
package protocol StoredRecordReader {
    /// Calls a closure with each record of a table.
    ///
    /// - Parameters:
    ///   - migration: the changes of the table.
    ///   - body: the closure. It gets a function that writes the record as it is stored to the file
    ///     of the records set aside, with a reason.
    func read(
        _ migration: TableMigration,
        _ body: (StoredRecord, _ setAside: @escaping (String) throws -> Void) throws -> Void
    ) throws
    /// Writes a record to the file of the records set aside, as it is stored.
    ///
    /// - Parameters:
    ///   - place: where the store has the record.
    ///   - migration: the changes of the table.
    ///   - reason: the problem.
    func setAside(
        _ place: [UInt8], of migration: TableMigration, _ reason: String
    ) throws
}
