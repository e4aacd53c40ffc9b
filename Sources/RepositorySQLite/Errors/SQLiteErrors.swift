internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Translates errors of SQLite into ``CRUDRepositoryError``.
///
/// Constraint violations need the table's metadata and are translated by ``SQLiteViolation``.
enum SQLiteErrors {
    /// Runs `body` and translates a thrown `SQLiteError` that concerns no single record.
    ///
    /// - Parameter table: the table that the error names, if any.
    static func mapped<R>(
        table: String? = nil, _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch let error as SQLiteError {
            throw databaseError(error, table: table)
        }
    }

    /// Runs `body` and translates a thrown `SQLiteError` that concerns a table and, optionally, one
    /// of its records.
    ///
    /// The table and the id are evaluated only if `body` fails.
    @inline(__always)
    static func mapped<R>(
        _ table: @autoclosure () -> String, id: @autoclosure () -> String? = nil,
        _ body: () throws -> R
    ) throws -> R {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw databaseError(error, table: table(), id: id())
        }
    }

    /// The error of every operation after the database's files were removed, replaced or renamed.
    static func moved(_ error: SQLiteError? = nil) -> CRUDRepositoryError {
        CRUDRepositoryError(
            .storeMoved,
            "The database's file, or its write-ahead log, was removed, replaced or renamed while the store was open. Nothing was written. A new store opens what is there now.",
            underlyingError: error)
    }

    /// The error for a lock that a migration in another process holds.
    static func migrating(_ error: SQLiteError) -> CRUDRepositoryError {
        .migrating("SQLite", underlyingError: error)
    }

    /// Returns the error for a failure of SQLite that is not a constraint violation.
    ///
    /// - Returns: `outcomeUnknown` for a commit that could not be undone, `storeMoved` if the
    ///   database file was moved, `schemaMismatch` if a table or column is missing, and otherwise
    ///   `databaseError`.
    static func databaseError(
        _ error: SQLiteError, table: String? = nil, id: String? = nil
    ) -> CRUDRepositoryError {
        if error.isOutcomeUnknown {
            return CRUDRepositoryError(
                .outcomeUnknown,
                "The database failed: \(error.message). Taking back the write failed too: whether it happened is not known.",
                id: id, table: table, underlyingError: error)
        }
        // `SQLITE_READONLY_DBMOVED`, a macro that Swift does not import.
        if error.code == SQLITE_READONLY | 4 << 8 {
            // Without a write-ahead log, SQLite itself detects that the file was moved.
            return moved(error)
        }
        if let table, let missing = error.missingName {
            return CRUDRepositoryError(
                .schemaMismatch,
                "The table '\(table)' no longer fits the program's schema: SQLite finds no \(missing.kind) '\(missing.name)'. Nothing was changed.",
                id: id, table: table, underlyingError: error)
        }
        return CRUDRepositoryError(
            .databaseError, "The database failed: \(error.message).", id: id, table: table,
            isRetryable: error.isRetryable || error.isOutOfDescriptors, underlyingError: error)
    }
}

extension SQLiteError {
    /// The table or column that a statement names but the database does not have; `nil` for every
    /// other error.
    ///
    /// It is missing because another program changed the database after the store opened it.
    fileprivate var missingName: (kind: String, name: Substring)? {
        guard primaryCode == SQLITE_ERROR else { return nil }
        for kind in ["column", "table"] {
            let prefix = "no such \(kind): "
            guard message.hasPrefix(prefix) else { continue }
            let name = message.dropFirst(prefix.count)
            // Later versions of SQLite quote the name and ask whether a string literal was meant.
            guard name.hasPrefix("\""), let end = name.range(of: "\" - should") else {
                return (kind, name)
            }
            return (kind, name[..<end.lowerBound].dropFirst())
        }
        // The message for a missing column in the column list of an INSERT.
        guard message.hasPrefix("table "), let place = message.range(of: " has no column named ")
        else { return nil }
        return ("column", message[place.upperBound...])
    }
}

/// SQLite's extended result codes for constraints. They are macros that Swift does not import.
private enum Constraint {
    /// `SQLITE_CONSTRAINT_CHECK`.
    static let check: Int32 = SQLITE_CONSTRAINT | 1 << 8
    /// `SQLITE_CONSTRAINT_FOREIGNKEY`.
    static let foreignKey: Int32 = SQLITE_CONSTRAINT | 3 << 8
    /// `SQLITE_CONSTRAINT_NOTNULL`.
    static let notNull: Int32 = SQLITE_CONSTRAINT | 5 << 8
    /// `SQLITE_CONSTRAINT_UNIQUE`.
    static let unique: Int32 = SQLITE_CONSTRAINT | 8 << 8
}

extension SQLiteError {
    /// The error that SQLite reports for a violated foreign key.
    static let foreignKey = SQLiteError(
        code: Constraint.foreignKey, message: "FOREIGN KEY constraint failed")
}

extension SQLiteError {
    /// The start of SQLite's message for a declared check. The generated name of the constraint
    /// begins with `check `.
    private static let checkPrefix = "CHECK constraint failed: check "

    /// The name of the declared check that failed; `nil` for every other error.
    fileprivate var checkName: String? {
        guard code == Constraint.check, message.hasPrefix(Self.checkPrefix) else { return nil }
        return String(message.dropFirst(Self.checkPrefix.count))
    }

    /// Returns whether this error is the failure of `check`. SQL identifiers are compared by their
    /// bytes.
    fileprivate func isOf(_ check: TableCheck) -> Bool {
        checkName.map { String.isSameIdentifier($0, check.name) } ?? false
    }
}

/// Builds the error for a write that violated a constraint.
///
/// The error names the field, the index or the check, as far as SQLite's message identifies it.
struct SQLiteViolation {
    /// The table that was written.
    let table: SQLTable
    /// The string representation of the record's id; `nil` if the write was not for a single
    /// record.
    let id: String?

    /// Returns the error for a failed insert or update.
    ///
    /// - Parameters:
    ///   - error: the error that SQLite reported.
    ///   - row: the fields of the record, by index. They exclude partial unique indexes that do not
    ///     cover the record.
    ///   - missing: returns the field whose reference has no target. It is called only for a
    ///     foreign key violation.
    func error(
        _ error: SQLiteError, row: [StoredValue]? = nil, missing: () throws -> Int? = { nil }
    ) -> CRUDRepositoryError {
        switch error.code {
        case Constraint.unique:
            return unique(error, row)
        case Constraint.foreignKey:
            // If the search fails, the error does not name the field; the violation itself is still
            // reported.
            let field = (try? missing()) ?? nil
            return violation(field, "refers to a record that is not there", error)
        case Constraint.notNull, Constraint.check:
            if let check = table.entity.checks.first(where: { error.isOf($0) }) {
                return table.entity.broken(check, id: id, underlyingError: error)
            }
            let field = table.columns.first { column in
                error.message == "NOT NULL constraint failed: \(table.name).\(column.name)"
                    || error.message == "CHECK constraint failed: \(column.name)"
            }?.field
            return violation(field, "breaks a rule of the table", error)
        case let code where code & 0xFF == SQLITE_CONSTRAINT:
            return violation(nil, "breaks a rule of the table", error)
        default:
            return SQLiteErrors.databaseError(error, table: table.name, id: id)
        }
    }

    /// Returns the error for a failed deletion.
    ///
    /// - Parameters:
    ///   - error: the error that SQLite reported.
    ///   - referrer: the field that refers to the record, if it was found.
    func deletion(
        _ error: SQLiteError, _ referrer: (table: String, field: String)? = nil
    ) -> CRUDRepositoryError {
        guard error.primaryCode == SQLITE_CONSTRAINT else {
            return SQLiteErrors.databaseError(error, table: table.name, id: id)
        }
        // A reference that was set to null may violate a check of the record that contains it.
        let constraint = error.checkName
        let subject =
            id.map { "The record '\($0)' in '\(table.name)'" } ?? "Records of '\(table.name)'"
        let reason =
            referrer.map { "'\($0.field)' of a record in '\($0.table)' refers to it" }
            ?? "other records refer to \(id == nil ? "them" : "it")"
        var violation = CRUDRepositoryError(
            .constraintViolated, "\(subject) cannot be deleted: \(reason).", id: id,
            table: table.name, underlyingError: error)
        violation.constraint = constraint
        return violation
    }

    /// Returns the error for a violated unique index.
    ///
    /// SQLite's message lists the columns of the index, or names the index if it is over
    /// expressions. The first declared unique index that matches the message and covers the record
    /// is reported. In an unmanaged table, an index over expressions has a name that is not known,
    /// so any declared index that ignores case matches it.
    private func unique(_ error: SQLiteError, _ row: [StoredValue]?) -> CRUDRepositoryError {
        for index in table.entity.indexes where index.isUnique {
            // Several indexes may have the same columns and cover different records.
            if let row, !index.covers(row) { continue }
            // A key inside an embedded value is an expression, and no column.
            let columns = index.keys.filter(\.path.names.isEmpty)
                .flatMap { table.columns(ofField: $0.field) }
            let columnNames = columns.map { position in
                let column = table.columns[position]
                return "\(table.name).\(column.foldedName ?? column.name)"
            }
            // For an index over expressions, SQLite reports the name of the index.
            let isUnnamed =
                !table.entity.isManaged
                && (columns.contains { table.columns[$0].ignoresCase }
                    || index.keys.contains { !$0.path.names.isEmpty })
                && error.message.hasPrefix("UNIQUE constraint failed: index '")
            guard
                error.message == "UNIQUE constraint failed: \(columnNames.joined(separator: ", "))"
                    || error.message == "UNIQUE constraint failed: index '\(index.name)'"
                    || isUnnamed
            else { continue }
            let names = index.keys.map { "'\($0.path.text(in: table.entity.layout))'" }
                .joined(separator: ", ")
            var violation = CRUDRepositoryError(
                .constraintViolated,
                (id.map { "Another record of '\(table.name)' has the same \(names) as '\($0)'" }
                    ?? "Records of '\(table.name)' have the same \(names)")
                    + " (unique index '\(index.name)').",
                id: id, table: table.name, underlyingError: error)
            violation.field = index.keys.first.map { $0.path.text(in: table.entity.layout) }
            violation.constraint = index.name
            return violation
        }
        return violation(nil, "breaks a unique index", error)
    }

    /// Returns a `constraintViolated` error with a message about a field, or about the whole record
    /// if `field` is `nil`.
    private func violation(
        _ field: Int?, _ reason: String, _ error: SQLiteError
    ) -> CRUDRepositoryError {
        let name = field.map { table.fieldName($0) }
        let record = id ?? ""
        let subject = name.map { "The field '\($0)' of '\(record)'" } ?? "The record '\(record)'"
        return CRUDRepositoryError(
            .constraintViolated, "\(subject) in '\(table.name)' \(reason).", id: id,
            table: table.name, field: name, underlyingError: error)
    }
}
