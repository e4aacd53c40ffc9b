/// The old tables of several entities, and the new ones that a function of a migration fills.
///
/// The types that the generator writes for such a function create readers and writers from it. A
/// program rarely uses it itself.
public final class MigrationTables {
    /// The old tables, by the names that they have before the version.
    private let sources: [String: MigrationOldTable]
    /// Writes a record to a new table, by the name that the table has in the version.
    private let targets: [String: (MigrationRow) throws -> Void]
    /// The first error of a reader or writer. It ends the migration, even if the function ignores
    /// it.
    package private(set) var problem: (any Error)?
    /// Whether the function is running.
    private var isOpen = true

    /// Collects the tables of a function.
    package init(
        sources: [String: MigrationOldTable], targets: [String: (MigrationRow) throws -> Void]
    ) {
        self.sources = sources
        self.targets = targets
    }

    /// Runs a function with tables.
    ///
    /// - Throws: the first error of a reader or writer; otherwise ``MigrationFunctionFailure`` for
    ///   an error that the function threw.
    package func run(_ function: MigrationTablesFunction, named name: String) throws {
        defer { isOpen = false }
        do {
            try function(self)
        } catch {
            if let problem { throw problem }
            if error is CancellationError { throw error }
            throw MigrationFunctionFailure(function: name, underlyingError: error)
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
    fileprivate func source(_ table: String) throws -> MigrationOldTable {
        if let problem { throw problem }
        guard isOpen, let source = sources[table] else { throw unavailable(table) }
        return source
    }

    /// Writes a record to a new table while the function runs.
    fileprivate func insert(_ row: MigrationRow, into table: String) throws {
        if let problem { throw problem }
        guard isOpen, let target = targets[table] else { throw unavailable(table) }
        try recording { try target(row) }
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

/// A function of a migration that gets the old tables of several entities and fills the new ones.
public typealias MigrationTablesFunction = @Sendable (_ tables: MigrationTables) throws -> Void

/// The records of an old table, in no particular order.
///
/// The records are read while they are iterated over. A record that cannot be read ends the
/// iteration, and the migration fails with it when the function returns.
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
                let source = try tables.source(table)
                return try source.row(id: id.stored).map { try source.record($0) }
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
        private let rows: (() throws -> MigrationRow?)?

        fileprivate init(_ records: MigrationRecords) {
            tables = records.tables
            var found: MigrationOldTable?
            var rows: (() throws -> MigrationRow?)?
            do {
                try tables.recording {
                    let source = try records.tables.source(records.table)
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
                    return try rows().map { try source.record($0) }
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
        try tables.insert(MigrationRow(record), into: table)
    }
}
