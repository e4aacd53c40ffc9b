internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Finds the references because of which SQLite rejected a commit or a deletion. SQLite's error
/// does not name them.
///
/// The searches run only after a failure, and read tables as far as no index helps.
enum SQLiteBrokenReference {
    /// Returns the error for a failed commit.
    ///
    /// - Returns: `transactionConflict` if another connection committed first, `constraintViolated`
    ///   for a dangling reference, and otherwise `error`.
    static func error(
        of error: SQLiteError, _ connection: SQLiteConnection, _ plans: EntityPlans
    ) throws -> any Error {
        // `SQLITE_BUSY_SNAPSHOT`, a macro that Swift does not import.
        if error.code == SQLITE_BUSY | 2 << 8 {
            return CRUDRepositoryError(
                .transactionConflict, "Another transaction was faster.", isRetryable: true,
                underlyingError: error)
        }
        guard error.primaryCode == SQLITE_CONSTRAINT, connection.isInTransaction else {
            return error
        }
        return try dangling(error, connection, plans)
    }

    /// Returns an error that names the first dangling reference.
    ///
    /// It scans the tables of all open schemas that have references. If none of them has a dangling
    /// reference, the error names no field.
    static func dangling(
        _ error: SQLiteError, _ connection: SQLiteConnection, _ plans: EntityPlans
    ) throws -> CRUDRepositoryError {
        for plan in plans.all {
            for reference in plan.table.references {
                let text = plan.texts.dangling(reference)
                let statement = try connection.statement(text)
                defer { statement.reset() }
                guard try statement.step() else { continue }
                let field = plan.table.fieldName(reference.field)
                let id = plan.table.key.indices.map { statement.text(at: $0) ?? "" }
                    .joined(separator: ",")
                return CRUDRepositoryError(
                    .constraintViolated,
                    "The field '\(field)' of '\(id)' in '\(plan.table.name)' refers to a record that is not there.",
                    id: id, table: plan.table.name, field: field, underlyingError: error)
            }
        }
        return CRUDRepositoryError(
            .constraintViolated, "A record refers to one that is not there.",
            underlyingError: error)
    }

    /// Returns a field with a `restrict` reference to a record that could not be deleted, and its
    /// table.
    ///
    /// - Parameter bind: binds the id of the record.
    static func referrer(
        to table: SQLTable, _ connection: SQLiteConnection, _ plans: EntityPlans,
        _ bind: (SQLiteStatement) throws -> Void
    ) throws -> (table: String, field: String)? {
        for plan in plans.all {
            for reference in plan.table.references
            where reference.table == table.name && reference.onDelete == .restrict {
                let statement = try connection.statement(plan.texts.referrer(reference))
                defer { statement.reset() }
                try bind(statement)
                guard try statement.step() else { continue }
                return (plan.table.name, plan.table.fieldName(reference.field))
            }
        }
        return nil
    }
}
