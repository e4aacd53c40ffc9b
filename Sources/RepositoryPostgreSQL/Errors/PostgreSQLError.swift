#if PostgreSQL
    /// An error of PostgreSQL, or of the connection to it.
    ///
    /// It is the underlying error of a `CRUDRepositoryError`. It contains no values of records, and
    /// no password.
    public struct PostgreSQLError: Error, Sendable, CustomStringConvertible {
        /// The five characters of the SQLSTATE; `nil` for an error that the client library found.
        public let state: String?
        /// The primary message of the server, or the message of the client library.
        public let message: String
        /// The constraint that was violated.
        public let constraint: String?
        /// The table concerned.
        public let table: String?
        /// The column concerned.
        public let column: String?
        /// Whether the connection was lost.
        public let isConnectionLost: Bool
        /// The routine of the server's source that reported the error.
        let routine: String?
        /// Whether the connection was given up because the server has not answered in time.
        let isUnanswered: Bool

        /// Creates an error that the server reported.
        init(
            state: String, message: String, constraint: String?, table: String?, column: String?,
            isConnectionLost: Bool, routine: String?
        ) {
            self.routine = routine
            self.state = state
            self.message = message
            self.constraint = constraint
            self.table = table
            self.column = column
            self.isConnectionLost = isConnectionLost
            isUnanswered = false
        }

        /// Creates an error that the client found.
        init(client message: String, isConnectionLost: Bool = false, isUnanswered: Bool = false) {
            self.isUnanswered = isUnanswered
            state = nil
            self.message = message
            (constraint, table, column, routine) = (nil, nil, nil, nil)
            self.isConnectionLost = isConnectionLost
        }

        /// Returns the same error with the names of what it concerns.
        func naming(
            constraint: String?, table: String?, column: String? = nil
        ) -> PostgreSQLError {
            PostgreSQLError(
                state: state ?? "", message: message, constraint: constraint, table: table,
                column: column, isConnectionLost: isConnectionLost, routine: routine)
        }

        /// Returns the same error as one of a commit that nodes of a cluster may have made.
        var ofDistributedCommit: PostgreSQLError {
            guard state == "XX000" else { return self }
            return PostgreSQLError(
                state: "40003", message: message, constraint: nil, table: nil, column: nil,
                isConnectionLost: false, routine: routine)
        }

        /// The SQLSTATE and the message.
        public var description: String { state.map { "\($0): \(message)" } ?? message }
    }

    extension PostgreSQLError {
        /// The class of errors to which the SQLSTATE belongs: its first two characters.
        var stateClass: Substring? { state?.prefix(2) }
        /// Whether the whole transaction can succeed if it is run again: a serialization failure or
        /// a deadlock.
        var isConflict: Bool { state == "40001" || state == "40P01" }
        /// Whether the server ended, or is not ready for connections.
        var isServerGone: Bool {
            guard let state else { return isConnectionLost }
            return isConnectionLost || state.hasPrefix("08")
                || ["57P01", "57P02", "57P03", "25006"].contains(state)
        }
        /// Whether a constraint was violated.
        var isConstraint: Bool { stateClass == "23" }
        /// Whether a unique index was violated.
        var isUnique: Bool { state == "23505" || state == "23P01" }
        /// Whether a reference was violated.
        var isForeignKey: Bool { state == "23503" }
        /// Whether a value is too long for an index.
        var isTooLong: Bool { state == "54000" }
        /// Whether a statement was cancelled on request.
        var isCancelled: Bool { state == "57014" }
        /// Whether a statement waited too long for a lock.
        var isLockTimeout: Bool { state == "55P03" }
        /// Whether a statement was prepared for columns that have changed since, or the server has
        /// forgotten it.
        var isOutdatedStatement: Bool {
            // The message is in the language of the server.
            state == "26000" || (state == "0A000" && routine == "RevalidateCachedQuery")
        }
        /// Whether it is not known if the statement, or the commit, took effect: the connection was
        /// lost before the answer, or the server ended it while it waited for a standby.
        var leavesOutcomeOpen: Bool {
            isConnectionLost || ["01000", "40003", "57P01"].contains(state)
        }
    }

    /// The error of one statement of a pipeline.
    struct PostgreSQLStepError: Error {
        let error: PostgreSQLError
        /// The number of the statement, counted from 0.
        let step: Int
    }
#endif
