package import RepositoryRuntime
package import StoredSchema

/// A connection in the transaction of a migration.
///
/// What runs for each record is behind ``reader(of:withKeys:)`` and ``writer(of:)``: a store reads
/// and writes its rows itself.
package protocol SQLMigrationSession: EncryptionSession {
    /// Returns whether an error says that a constraint was violated.
    func isViolation(_ error: any Error) -> Bool
    /// Returns whether a column with a representation can have a value, which is not null.
    func holds(_ value: StoredValue, _ form: SQLColumnForm) -> Bool

    /// Returns a name of a table or an index that the database accepts.
    func short(_ name: String) -> String
    /// Returns a stored table, whose encrypted fields can be read.
    ///
    /// - Throws: `keyNotFound` if it has encrypted fields and the store has no encryption.
    func storedTable(_ entity: EntityTable, in schema: StoreSchema) throws -> SQLTable
    /// Returns the statement that creates a table without indexes and references.
    ///
    /// - Parameter hasRules: whether the rules are part of the table, if the database tests them.
    func createStatement(of table: SQLTable, hasRules: Bool) -> String
    /// Returns the statement that drops a table with what depends on it.
    ///
    /// - Parameter name: the quoted name.
    func dropStatement(of name: String) -> String

    /// Ends the conversion of a table: drops the old table, whose name is that of ``aside(_:)``, or
    /// moves the converted records into it if other programs made something on it.
    ///
    /// - Parameters:
    ///   - migration: the changes of the table.
    ///   - table: the declared table, which has the converted records.
    func endConversion(_ migration: TableMigration, of table: SQLTable) throws
    /// Checks that replacing a table loses nothing that other programs made on it.
    ///
    /// - Throws: `schemaMismatch` that names it.
    func requireReplaceable(_ table: StoredTable) throws

    /// Returns what reads the records of a stored table, in constant memory.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - withKeys: whether readable records have their ``SQLStoredRecord/key``.
    func reader(of table: SQLStoredTable, withKeys: Bool) -> SQLStoredTable.Reader
    /// Returns what writes converted records to a table.
    func writer(of table: SQLTable) -> any SQLConvertedRecordWriter

    /// Reads records for the file of the records that are set aside.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - names: the names of its columns in the database.
    ///   - source: the table, named `t`, and a condition.
    ///   - parameters: the parameters of the condition.
    ///   - body: gets the id and the columns of each record.
    /// - Returns: the number of records.
    func readRows(
        of table: SQLTable, named names: [String], from source: String,
        _ parameters: [SQLParameter],
        _ body: (_ id: String, _ columns: [String: SetAsideValue]) throws -> Void
    ) throws -> Int
    /// Reads records of a migrated table for the file of the records that are set aside, and
    /// deletes them.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - condition: over the table, which is named `t`.
    ///   - body: gets the id and the columns of each record.
    /// - Returns: the number of records.
    func moveRows(
        of table: SQLTable, where condition: String,
        _ body: (_ id: String, _ columns: [String: SetAsideValue]) throws -> Void
    ) throws -> Int
    /// Sets a reference to null where a condition holds. A record of which a check or a unique index
    /// forbids the null keeps its value.
    ///
    /// - Parameters:
    ///   - reference: the reference.
    ///   - table: its table.
    ///   - condition: over the table, which is named `t`.
    func clear(_ reference: SQLReference, of table: SQLTable, where condition: String) throws
}

extension SQLMigrationSession {
    /// Returns the name that a table has while a migration replaces it.
    package func aside(_ table: String) -> String { short("repository_old_\(table)") }

    /// Drops the old table: what the database has beside tables is not known.
    package func endConversion(_ migration: TableMigration, of table: SQLTable) throws {
        try change(dropStatement(of: dialect.quoted(aside(table.name))))
    }

    package func requireReplaceable(_ table: StoredTable) throws {}

    /// Runs statements, and undoes them if they violate a constraint.
    ///
    /// - Parameters:
    ///   - savepoint: the name of the savepoint.
    ///   - body: runs the statements.
    /// - Returns: what `body` returns; nil if the statements are undone.
    package func unlessViolated<R>(_ savepoint: String, _ body: () throws -> R) throws -> R? {
        try runControl("SAVEPOINT \(savepoint)")
        do {
            let result = try body()
            try runControl("RELEASE SAVEPOINT \(savepoint)")
            return result
        } catch let error where isViolation(error) {
            try runControl("ROLLBACK TO SAVEPOINT \(savepoint)")
            try runControl("RELEASE SAVEPOINT \(savepoint)")
            return nil
        }
    }
}

/// Writes the converted records of a table.
package protocol SQLConvertedRecordWriter: AnyObject {
    /// Adds a record.
    ///
    /// - Parameters:
    ///   - entity: the record.
    ///   - refuse: receives the reason if the database refuses the record and it was kept back.
    /// - Throws: `RecordMigrationFailure` if the database refuses the record at once.
    func add<E: Entity>(
        _ entity: E, refuse: @escaping (_ reason: String) throws -> Void
    ) throws
    /// Writes the records that were kept back.
    func flush() throws
}

extension SQLMigratedRecords {
    /// Finds records on a connection.
    package init(_ table: SQLTable, _ session: any SQLMigrationSession) {
        self.init(table, session.dialect) { try session.texts($0) }
    }
}
