internal import CSQLite
internal import RepositoryRuntime

/// Finds the references that made SQLite refuse a commit or a deletion, of which it names none.
enum SQLiteBrokenReference {
    /// The error of a commit that failed.
    static func error(
        of error: SQLiteError, _ connection: SQLiteConnection, _ plans: EntityPlans
    ) throws -> any Error {
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

    /// The error of the first reference that is to nothing.
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

    /// The field that refers to a record which cannot be deleted for that, and its table.
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
