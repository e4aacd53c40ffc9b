internal import StoredSchema

/// The old tables of several entities, and the new ones that a function of a migration fills.
///
/// The types that the generator writes for such a function create readers and writers from it. A
/// program rarely uses it itself.
public final class MigrationTables {
    /// The old tables, by the names that they have before the version.
    private let sources: [String: MigrationOldTable]
    /// Writes a record to a new table, by the name that the table has in the version.
    private let targets: [String: Target]
    /// The record that was read last: its table and its place.
    private var lastRead: (table: MigrationOldTable, place: [StoredValue])?
    /// The first error of a reader or writer. It ends the migration, even if the function ignores
    /// it.
    package private(set) var problem: (any Error)?
    /// Whether the function is running.
    private var isOpen = true

    /// Writes a record to a new table.
    ///
    /// - Parameters:
    ///   - row: the record.
    ///   - namesID: whether messages can name the id, unless the declared table says otherwise.
    package typealias Target = (_ row: MigrationRow, _ namesID: Bool) throws -> Void

    /// Collects the tables of a function.
    package init(sources: [String: MigrationOldTable], targets: [String: Target]) {
        self.sources = sources
        self.targets = targets
    }

    /// Runs a function with tables.
    ///
    /// - Throws: the first error of a reader or writer; otherwise ``MigrationTablesFailure`` for an
    ///   error that the function threw.
    package func run(_ function: MigrationTablesFunction, named name: String) throws {
        defer { isOpen = false }
        do {
            try function(self)
        } catch {
            if let problem { throw problem }
            if error is CancellationError { throw error }
            throw MigrationTablesFailure(
                function: MigrationFunctionFailure(function: name, underlyingError: error),
                lastRead: lastRead.map { ($0.table.name, $0.table.id(of: $0.place)) })
        }
        if let problem { throw problem }
    }

    /// Returns the reader of an old table.
    ///
    /// - Parameter table: the name of the table before the version.
    public func reader<Record, ID>(_ table: String) -> MigrationReader<Record, ID> {
        MigrationReader(tables: self, table: table)
    }

    /// Returns the writer of a new table.
    ///
    /// - Parameter table: the name of the table in the version.
    public func writer<Record>(_ table: String) -> MigrationWriter<Record> {
        MigrationWriter(tables: self, table: table)
    }

    /// Returns an old table while the function runs.
    fileprivate func source<Record: FrozenRecord>(
        _ table: String, of type: Record.Type
    ) throws -> MigrationOldTable {
        if let problem { throw problem }
        guard isOpen, let source = sources[table] else { throw unavailable(table) }
        if source.namesIDs == nil { source.namesIDs = type.hasNoSensitiveFields }
        return source
    }

    /// Writes a record to a new table while the function runs.
    fileprivate func insert<Record: FrozenRecord>(_ record: Record, into table: String) throws {
        if let problem { throw problem }
        guard isOpen, let target = targets[table] else { throw unavailable(table) }
        try recording { try target(MigrationRow(record), Record.hasNoSensitiveFields) }
    }

    /// Creates the record of the next row of a table that is not set aside; nil after the last row.
    fileprivate func next<Record: FrozenRecord>(
        of source: MigrationOldTable, _ rows: () throws -> MigrationOldTable.Row?
    ) throws -> Record? {
        while let row = try rows() {
            if let record: Record = try source.record(row) {
                lastRead = (source, row.place)
                return record
            }
        }
        return nil
    }

    /// Runs a body and keeps its error.
    fileprivate func recording<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch {
            if problem == nil { problem = error }
            throw error
        }
    }

    private func unavailable(_ table: String) -> MigrationFailure {
        MigrationFailure(
            table: table, isOpen ? "is no table of the function" : "was used after the function")
    }
}

/// An error that a function over several tables threw.
package struct MigrationTablesFailure: Error {
    /// The function and the error.
    package var function: MigrationFunctionFailure
    /// The record that the function read last: its table, and its id as text unless it must not be
    /// named. Nil if it had not read any.
    package var lastRead: (table: String, id: String?)?

    /// The error for the program, without the text of the function's error.
    var error: CRUDRepositoryError {
        let record =
            switch lastRead {
            case (let table, let id?)?: "after it had read the record '\(id)' of '\(table)'"
            case (let table, nil)?: "after it had read a record of '\(table)'"
            case nil: "before it had read a record"
            }
        return CRUDRepositoryError(
            .schemaMismatch,
            "The migration function '\(function.function)' failed \(record). Nothing was changed.",
            id: lastRead?.id, table: lastRead?.table)
    }
}

extension FrozenRecord {
    /// Whether the type has no sensitive field: the generator gives those that have one a mirror
    /// without it.
    fileprivate static var hasNoSensitiveFields: Bool { !(self is any CustomReflectable.Type) }
}

/// A function of a migration that gets the old tables of several entities and fills the new ones.
public typealias MigrationTablesFunction = @Sendable (_ tables: MigrationTables) throws -> Void

/// The records of an old table, in no particular order.
///
/// The records are read while they are iterated over. A record that cannot be read ends the
/// iteration, and the migration fails with it when the function returns. If the program asked for
/// ``UnreadableRecords/setAside(_:)``, the record is set aside and skipped instead.
///
/// ```swift
/// for client in old.clients { … }
/// let client = try old.clients[membership.clientID]
/// ```
public struct MigrationReader<Record: FrozenRecord, ID: FrozenValue>: Sequence {
    fileprivate let tables: MigrationTables
    fileprivate let table: String

    /// Starts reading all records.
    public func makeIterator() -> MigrationRecords<Record>.Iterator {
        MigrationRecords(tables: tables, table: table, conditions: []).makeIterator()
    }

    /// The record with an id; nil if there is none.
    ///
    /// - Throws: an error if the record cannot be read.
    public subscript(id: ID) -> Record? {
        get throws {
            try tables.recording {
                let source = try tables.source(table, of: Record.self)
                return try tables.next(of: source, try source.rows(id: id.stored))
            }
        }
    }

    /// Returns the records with certain values, such as those that refer to a record. Stores find
    /// them with the indexes that the old data has.
    ///
    /// The types that the generator writes have such methods for every reference and index.
    ///
    /// - Parameter values: the values by field. Null equals null.
    public func records(
        where values: KeyValuePairs<String, any FrozenValue>
    ) -> MigrationRecords<Record> {
        MigrationRecords(
            tables: tables, table: table, conditions: values.map { ($0.key, $0.value.stored) })
    }
}

/// Some records of an old table, in no particular order. See ``MigrationReader``.
public struct MigrationRecords<Record: FrozenRecord>: Sequence {
    fileprivate let tables: MigrationTables
    fileprivate let table: String
    fileprivate let conditions: [(field: String, value: StoredValue)]

    /// Reads one record after another.
    public struct Iterator: IteratorProtocol {
        private let tables: MigrationTables
        private let source: MigrationOldTable?
        private let rows: (() throws -> MigrationOldTable.Row?)?

        fileprivate init(_ records: MigrationRecords) {
            tables = records.tables
            var found: MigrationOldTable?
            var rows: (() throws -> MigrationOldTable.Row?)?
            do {
                try tables.recording {
                    let source = try records.tables.source(records.table, of: Record.self)
                    rows = try source.rows(where: records.conditions)
                    found = source
                }
            } catch {
                // The tables keep the error, which the migration fails with.
                found = nil
            }
            source = found
            self.rows = rows
        }

        /// Reads the next record; nil after the last one, and if one cannot be read.
        public mutating func next() -> Record? {
            guard let source, let rows else { return nil }
            do {
                return try tables.recording {
                    if let problem = tables.problem { throw problem }
                    try Task.checkCancellation()
                    return try tables.next(of: source, rows)
                }
            } catch {
                // The tables keep the error, which the migration fails with.
                return nil
            }
        }
    }

    /// Starts reading.
    public func makeIterator() -> Iterator { Iterator(self) }
}

/// Fills a new table.
public struct MigrationWriter<Record: FrozenRecord> {
    fileprivate let tables: MigrationTables
    fileprivate let table: String

    /// Adds a record.
    ///
    /// A record that breaks a rule of the new version, or that has the id of another one, makes the
    /// migration fail when the function returns. The error names all such records.
    ///
    /// - Throws: an error of the store.
    public func insert(_ record: Record) throws {
        try tables.insert(record, into: table)
    }
}
