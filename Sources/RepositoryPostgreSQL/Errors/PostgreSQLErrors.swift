#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Translates errors of PostgreSQL into `CRUDRepositoryError`.
    enum PostgreSQLErrors {
        /// Runs `body` and translates the errors that concern no single record.
        static func mapped<R>(
            table: String? = nil, id: String? = nil, _ body: () async throws -> R
        ) async throws -> R {
            do {
                return try await body()
            } catch let error as PostgreSQLError {
                throw databaseError(error, table: table, id: id)
            } catch let error as PostgreSQLStepError {
                throw databaseError(error.error, table: table, id: id)
            }
        }

        /// Returns PostgreSQL's error behind an error; `nil` if there is none.
        static func cause(_ error: any Error) -> PostgreSQLError? {
            switch error {
            case let error as PostgreSQLError: error
            case let error as PostgreSQLStepError: error.error
            case let error as CRUDRepositoryError: error.underlyingError as? PostgreSQLError
            default: nil
            }
        }

        /// Returns the error for a failure that is not a constraint violation.
        static func databaseError(
            _ error: PostgreSQLError, table: String? = nil, id: String? = nil
        ) -> CRUDRepositoryError {
            if error.isConflict {
                return CRUDRepositoryError(
                    .transactionConflict, "Another transaction was faster.", id: id, table: table,
                    isRetryable: true, underlyingError: error)
            }
            if let table, ["42P01", "42703", "42704", "42804"].contains(error.state) {
                return CRUDRepositoryError(
                    .schemaMismatch,
                    changed(table, [error.message]), id: id, table: table, underlyingError: error)
            }
            if error.state == "25006" {
                return CRUDRepositoryError(
                    .databaseError, "PostgreSQL accepts no writes: \(error.message).", id: id,
                    table: table, isRetryable: true, underlyingError: error)
            }
            if error.isServerGone {
                return CRUDRepositoryError(
                    .databaseError, "The connection to PostgreSQL failed: \(error.message).",
                    id: id, table: table, isRetryable: true, underlyingError: error)
            }
            if error.state == "53100" {
                return CRUDRepositoryError(
                    .storageFull, "The disk of the server is full. Nothing was changed.", id: id,
                    table: table, underlyingError: error)
            }
            let isRetryable =
                error.stateClass == "53" || error.state == "55P03" || error.isCancelled
            let words = error.state == nil ? "cannot be used" : "reported an error"
            return CRUDRepositoryError(
                .databaseError, "PostgreSQL \(words): \(error.message).", id: id, table: table,
                isRetryable: isRetryable, underlyingError: error)
        }

        /// The message for a table that another program has changed.
        static func changed(_ table: String, _ differences: [String]) -> String {
            let list = differences.joined(separator: "; ")
            return "The table '\(table)' no longer fits the program's schema: \(list). "
                + "Nothing was changed."
        }

        /// The error for a write whose answer was lost.
        static func outcomeUnknown(
            _ error: PostgreSQLError, table: String? = nil, id: String? = nil
        ) -> CRUDRepositoryError {
            CRUDRepositoryError(
                .outcomeUnknown,
                "The connection to PostgreSQL failed before the answer: \(error.message). Whether the write happened is not known.",
                id: id, table: table, underlyingError: error)
        }
    }

    /// Builds the error for a write that violated a constraint.
    struct PostgreSQLViolation {
        /// The table that was written.
        let table: SQLTable
        /// The id of the record, if the write was for a single one.
        let id: String?

        /// Returns the error for a failed insert or update.
        ///
        /// - Parameter columns: the columns of the violated constraint, if they are known.
        func error(_ error: PostgreSQLError, columns: [String]? = nil) -> CRUDRepositoryError {
            if error.isUnique { return unique(error, columns) }
            if error.isForeignKey {
                let field = table.reference(over: columns)?.field
                return violation(field, "refers to a record that is not there", error)
            }
            if error.isTooLong {
                // The length that an index holds depends on how well the value can be compressed.
                var tooLong = CRUDRepositoryError.invalidItem(
                    field: indexedField(error),
                    reason: "has an id or a value that is too long for an index", id: id,
                    table: table.name)
                tooLong.underlyingError = error
                return tooLong
            }
            guard error.isConstraint else {
                // A value that the column of another program does not hold.
                if !table.entity.isManaged, error.stateClass == "22" {
                    return violation(nil, "has a value that the table does not hold", error)
                }
                return PostgreSQLErrors.databaseError(error, table: table.name, id: id)
            }
            if let reference = table.reference(checkedBy: error.constraint) {
                var refused = CRUDRepositoryError.unsupported(
                    "a reference to a record on another node: '\(table.fieldName(reference.field))'",
                    by: "PostgreSQL with Citus")
                (refused.id, refused.table) = (id, table.name)
                refused.field = table.fieldName(reference.field)
                refused.underlyingError = error
                return refused
            }
            if let name = error.constraint,
                let check = table.entity.checks.first(where: { SQLSchemaText.name(of: $0) == name })
            {
                return table.entity.broken(check, id: id, underlyingError: error)
            }
            let name = error.column ?? (columns?.count == 1 ? columns?.first : error.constraint)
            let field = table.columns.first { $0.name == name }?.field
            return violation(field, "breaks a rule of the table", error)
        }

        /// Returns the error for a failed deletion.
        ///
        /// - Parameter referrer: the field that refers to the record, if it was found.
        func deletion(
            _ error: PostgreSQLError, _ referrer: (table: String, field: String)? = nil
        ) -> CRUDRepositoryError {
            guard error.isConstraint else {
                return PostgreSQLErrors.databaseError(error, table: table.name, id: id)
            }
            let subject =
                id.map { "The record '\($0)' in '\(table.name)'" } ?? "Records of '\(table.name)'"
            let reason =
                referrer.map { "'\($0.field)' of a record in '\($0.table)' refers to it" }
                ?? "other records refer to \(id == nil ? "them" : "it")"
            var violation = CRUDRepositoryError(
                .constraintViolated, "\(subject) cannot be deleted: \(reason).", id: id,
                table: table.name, underlyingError: error)
            // A reference that was set to null may violate a check of the record that contains it.
            let prefix = "check "
            if error.state == "23514", let name = error.constraint, name.hasPrefix(prefix) {
                violation.constraint = String(name.dropFirst(prefix.count))
            }
            return violation
        }

        /// The first field of the index that an error names; `nil` if it names none, or that of the
        /// id.
        private func indexedField(_ error: PostgreSQLError) -> String? {
            table.entity.indexes.first { table.constraintName($0.name) == error.constraint }?
                .keys.first.map { $0.path.text(in: table.entity.layout) }
        }

        private func unique(
            _ error: PostgreSQLError, _ columns: [String]?
        ) -> CRUDRepositoryError {
            guard let index = table.uniqueIndex(of: error, columns) else {
                if !table.entity.isManaged, let columns, Set(columns) != Set(table.keyNames) {
                    return violation(nil, "breaks a unique index", error)
                }
                var exists = CRUDRepositoryError.recordAlreadyExists(
                    id: id ?? "", table: table.name)
                exists.underlyingError = error
                return exists
            }
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

        private func violation(
            _ field: Int?, _ reason: String, _ error: PostgreSQLError
        ) -> CRUDRepositoryError {
            let name = field.map { table.fieldName($0) }
            let record = id.map { "'\($0)'" }
            let subject =
                name.map { "The field '\($0)' of \(record ?? "a record")" }
                ?? record.map { "The record \($0)" } ?? "A record"
            return CRUDRepositoryError(
                .constraintViolated, "\(subject) in '\(table.name)' \(reason).", id: id,
                table: table.name, field: name, underlyingError: error)
        }
    }

    extension SQLTable {
        /// Returns the declared unique index that an error names; `nil` if it names none.
        ///
        /// - Parameter columns: the columns of the violated index, by which that of an unmanaged
        ///   table is found: its owner has named it.
        func uniqueIndex(of error: PostgreSQLError, _ columns: [String]?) -> TableIndex? {
            entity.indexes.first { index in
                guard index.isUnique else { return false }
                if entity.isManaged { return constraintName(index.name) == error.constraint }
                let names = index.keys.flatMap { key in
                    self.columns(ofField: key.field).map { self.columns[$0].name }
                }
                return columns.map(Set.init) == Set(names)
            }
        }
    }
#endif
