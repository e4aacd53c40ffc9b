extension CRUDRepositoryError {
    /// No record with this id is stored.
    public static func recordNotFound(id: String, table: String? = nil) -> Self {
        Self(.recordNotFound, "There is no record '\(id)'\(place(table)).", id: id, table: table)
    }

    /// A record with this id is already stored.
    public static func recordAlreadyExists(id: String, table: String? = nil) -> Self {
        Self(
            .recordAlreadyExists, "There is a record '\(id)' already\(place(table)).", id: id,
            table: table)
    }

    /// The stored record has another version than the one that was read.
    public static func versionConflict(
        id: String, table: String? = nil, expected: Int, stored: Int
    ) -> Self {
        var error = Self(
            .versionConflict,
            """
            The record '\(id)'\(place(table)) was changed since it was read: version \(expected) \
            was read, \(stored) is stored.
            """,
            id: id, table: table)
        error.expectedVersion = expected
        error.storedVersion = stored
        return error
    }

    /// The record stored under this id cannot be decoded.
    public static func invalidRecord(
        id: String, table: String? = nil, field: String? = nil, reason: String,
        underlyingError: (any Error)? = nil
    ) -> Self {
        Self(
            .invalidRecord, "The record '\(id)'\(place(table)) cannot be read: \(reason).", id: id,
            table: table, field: field, underlyingError: underlyingError)
    }

    /// A field of the item violates a rule.
    public static func invalidItem(
        field: String?, reason: String, id: String? = nil, table: String? = nil
    ) -> Self {
        invalidItem(field: field, reason: reason, rule: .storable, id: id, table: table)
    }

    /// A field of the item violates a rule.
    ///
    /// - Parameters:
    ///   - field: the path of the field.
    ///   - reason: the problem, as the predicate of a sentence about the field.
    ///   - rule: the rule.
    ///   - id: the string form of the item's id.
    ///   - table: the name of the table.
    public static func invalidItem(
        field: String?, reason: String, rule: Violation.Rule, id: String? = nil,
        table: String? = nil
    ) -> Self {
        let subject = field.map { "The field '\($0)'" } ?? "The item"
        let message = "\(subject) \(reason)."
        var error = Self(.invalidItem, message, id: id, table: table, field: field)
        error.violations = [Violation(id: id, field: field, rule: rule, message: message)]
        return error
    }

    /// The id is empty or contains U+0000.
    public static func invalidIdentifier(_ id: String, reason: String) -> Self {
        Self(.invalidIdentifier, "The id cannot be used: \(reason).", id: id)
    }

    /// The store does not support an operation.
    public static func unsupported(_ what: String, by store: String) -> Self {
        Self(.unsupported, "\(store) does not support \(what).")
    }

    /// The store was written with a key that the program does not have.
    ///
    /// - Parameter id: The id of the key, which is not secret.
    public static func keyNotFound(_ id: String) -> Self {
        Self(
            .keyNotFound,
            "The store was written with the key '\(id)', which the program does not have: no key has this id, or the key with this id is another one."
        )
    }

    /// The part of a message that names the table.
    private static func place(_ table: String?) -> String {
        table.map { " in '\($0)'" } ?? ""
    }
}

extension CRUDRepositoryError {
    /// Returns the error for a store whose data another program is migrating.
    ///
    /// - Parameters:
    ///   - store: the kind of store.
    ///   - underlyingError: the error of the database.
    package static func migrating(_ store: String, underlyingError: (any Error)? = nil) -> Self {
        Self(
            .migrating,
            "Another program is migrating the data in \(store). Nothing was read or written; try again later.",
            isRetryable: true, underlyingError: underlyingError)
    }

    /// Returns the error for a store whose schema is incompatible with that of the program.
    ///
    /// - Parameters:
    ///   - store: the kind of store.
    ///   - differences: all differences, as messages without a final period.
    public static func schemaMismatch(store: String, differences: [String]) -> Self {
        let list = differences.map { "\n- \($0)" }.joined()
        return Self(
            .schemaMismatch,
            "What is stored in \(store) does not fit the program's schema; nothing was changed:\(list)"
        )
    }
}
