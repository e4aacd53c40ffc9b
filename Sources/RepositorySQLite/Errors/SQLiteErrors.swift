internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

/// SQLite's errors in the words of ``CRUDRepositoryError``.
enum SQLiteErrors {
    /// Runs a body that concerns no record, and perhaps a table.
    static func mapped<R>(
        table: String? = nil, _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch let error as SQLiteError {
            throw databaseError(error, table: table)
        }
    }

    /// Runs a body that concerns a table, and perhaps one record of it.
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

    /// The error of every operation after the database's files have been removed, replaced or
    /// renamed.
    static func moved(_ error: SQLiteError? = nil) -> CRUDRepositoryError {
        CRUDRepositoryError(
            .storeMoved,
            "The database's file, or its write-ahead log, was removed, replaced or renamed while the store was open. Nothing was written. A new store opens what is there now.",
            underlyingError: error)
    }

    /// The database failed.
    static func databaseError(
        _ error: SQLiteError, table: String? = nil, id: String? = nil
    ) -> CRUDRepositoryError {
        if error.isOutcomeUnknown {
            return CRUDRepositoryError(
                .outcomeUnknown,
                "The database failed: \(error.message). Taking back the write failed too: whether it happened is not known.",
                id: id, table: table, underlyingError: error)
        }
        if error.code == SQLITE_READONLY | 4 << 8 {
            // Without a write-ahead log SQLite notices it, too.
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
            isRetryable: error.isRetryable, underlyingError: error)
    }
}

extension SQLiteError {
    /// What a statement names that the database does not have, because another program changed the
    /// database after it was opened; nil for every other error.
    fileprivate var missingName: (kind: String, name: Substring)? {
        guard primaryCode == SQLITE_ERROR else { return nil }
        for kind in ["column", "table"] {
            let prefix = "no such \(kind): "
            guard message.hasPrefix(prefix) else { continue }
            let name = message.dropFirst(prefix.count)
            // Later versions quote the name, and ask whether text was meant.
            guard name.hasPrefix("\""), let end = name.range(of: "\" - should") else {
                return (kind, name)
            }
            return (kind, name[..<end.lowerBound].dropFirst())
        }
        // Of the columns that an INSERT lists.
        guard message.hasPrefix("table "), let place = message.range(of: " has no column named ")
        else { return nil }
        return ("column", message[place.upperBound...])
    }
}

/// SQLite's extended codes of constraints, which are macros that Swift does not import.
private enum Constraint {
    static let check: Int32 = SQLITE_CONSTRAINT | 1 << 8
    static let foreignKey: Int32 = SQLITE_CONSTRAINT | 3 << 8
    static let notNull: Int32 = SQLITE_CONSTRAINT | 5 << 8
    static let unique: Int32 = SQLITE_CONSTRAINT | 8 << 8
}

extension SQLiteError {
    /// What SQLite says where a reference is to nothing.
    static let foreignKey = SQLiteError(
        code: Constraint.foreignKey, message: "FOREIGN KEY constraint failed")
}

extension SQLiteError {
    private static let checkPrefix = "CHECK constraint failed: check "

    /// The name of the declared check that failed.
    fileprivate var checkName: String? {
        guard code == Constraint.check, message.hasPrefix(Self.checkPrefix) else { return nil }
        return String(message.dropFirst(Self.checkPrefix.count))
    }

    /// Whether a check failed.
    fileprivate func isOf(_ check: TableCheck) -> Bool {
        checkName.map { String.isSameIdentifier($0, check.name) } ?? false
    }
}

/// The error of a write that broke a constraint, which names the field or index.
struct SQLiteViolation {
    let table: SQLTable
    /// The text form of the record's id; nil where all records were written.
    let id: String?

    /// The error of a failed write.
    ///
    /// - Parameters:
    ///   - row: the fields of the record, by index.
    ///   - missing: the field whose reference is to nothing, asked only where that is what
    ///     failed.
    func error(
        _ error: SQLiteError, row: [StoredValue]? = nil, missing: () throws -> Int? = { nil }
    ) -> CRUDRepositoryError {
        switch error.code {
        case Constraint.unique:
            return unique(error, row)
        case Constraint.foreignKey:
            // A search that fails leaves the field unnamed; the violation is what matters.
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

    /// The error of a failed deletion.
    ///
    /// - Parameter referrer: the field that refers to the record, where it was found.
    func deletion(
        _ error: SQLiteError, _ referrer: (table: String, field: String)? = nil
    ) -> CRUDRepositoryError {
        guard error.primaryCode == SQLITE_CONSTRAINT else {
            return SQLiteErrors.databaseError(error, table: table.name, id: id)
        }
        // A reference that became null may break a check of the record that has it.
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

    /// SQLite names the columns of the index.
    private func unique(_ error: SQLiteError, _ row: [StoredValue]?) -> CRUDRepositoryError {
        for index in table.entity.indexes where index.isUnique {
            // Several may have the same columns and cover different records.
            if let row, !index.covers(row) { continue }
            let columns = index.keys.flatMap { table.columns(ofField: $0.field) }
            let columnNames = columns.map { position in
                let column = table.columns[position]
                return "\(table.name).\(column.foldedName ?? column.name)"
            }
            // Of an index over what is made of a column it names the index.
            guard
                error.message == "UNIQUE constraint failed: \(columnNames.joined(separator: ", "))"
                    || error.message == "UNIQUE constraint failed: index '\(index.name)'"
            else { continue }
            let names = index.keys.map { "'\(table.fieldName($0.field))'" }
                .joined(separator: ", ")
            var violation = CRUDRepositoryError(
                .constraintViolated,
                (id.map { "Another record of '\(table.name)' has the same \(names) as '\($0)'" }
                    ?? "Records of '\(table.name)' have the same \(names)")
                    + " (unique index '\(index.name)').",
                id: id, table: table.name, underlyingError: error)
            violation.field = index.keys.first.map { table.fieldName($0.field) }
            violation.constraint = index.name
            return violation
        }
        return violation(nil, "breaks a unique index", error)
    }

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
