#if PostgreSQL
    internal import Foundation
    public import RepositoryRuntime
    internal import RepositorySQLCore

    extension PostgreSQLStore {
        /// Runs an SQL statement and returns its rows.
        ///
        /// ```swift
        /// let rows = try await store.sql("SELECT title FROM books WHERE pages > \(minimum)")
        /// let titles = try rows.map { try $0.value(String.self, named: "title") }
        /// ```
        ///
        /// Interpolated values are bound as parameters; see `SQL`. Text has the type of the place
        /// where it stands, like a literal: in `concat(\(a), \(b))`, where no type is known, write
        /// `CAST(\(a) AS text)`. A statement that only reads runs in a read-only transaction.
        /// Afterwards observers of the store are notified that anything may have changed. Inside the
        /// body of a transaction, the statement is part of the transaction.
        ///
        /// The text must be a single statement that does not begin or end a transaction. If it may
        /// have changed its session, for example by `SET`, the connection is closed afterwards.
        ///
        /// - Throws: `databaseError` with ``PostgreSQLError`` as the underlying error; `unsupported`.
        @discardableResult
        public func sql(_ statement: SQL) async throws -> [SQLRow] {
            try await run(statement) { try $0.rows() }
        }

        /// Runs an SQL statement and returns its rows as entities.
        ///
        /// The result must have a column with the name of each column of the entity's table. The
        /// columns may be in any order, and there may be others.
        ///
        /// - Throws: `invalidRecord` if a column is missing or a row cannot be decoded as an entity.
        public func sql<E: Entity>(_ statement: SQL, as type: E.Type) async throws -> [E] {
            let table = try tables.table(E.Mapper.table.name).table
            return try await run(statement) { try $0.entities(type, table) }
        }

        /// Runs an SQL statement.
        ///
        /// - Returns: the number of rows that it inserted, updated or deleted, without those that
        ///   foreign key actions changed.
        /// - Throws: `databaseError` with ``PostgreSQLError`` as the underlying error; `unsupported`.
        public func execute(_ statement: SQL) async throws -> Int {
            try await run(statement) { $0.result.written }
        }

        /// Runs a statement in the current transaction, in a read-only one, or in one of its own.
        private func run<R: Sendable>(
            _ sql: SQL, _ body: @escaping @Sendable (PostgreSQLOwnResult) throws -> R
        ) async throws -> R {
            let statement = try PostgreSQLOwnStatement(sql.query(PostgreSQLDialect()))
            return try await PostgreSQLErrors.mapped {
                do {
                    if let transaction = running(PostgreSQLTransaction.self)?.access {
                        return try await run(statement, in: transaction, body)
                    }
                    if statement.mayOnlyRead, let result = try await read(statement, body) {
                        return result
                    }
                    return try await write(statement, body)
                } catch let error as PostgreSQLError where error.isSeveralStatements {
                    throw CRUDRepositoryError(
                        .unsupported, "One statement is expected where there are several.",
                        underlyingError: error)
                }
            }
        }

        /// Runs a statement that may only read. The transaction is rolled back, and settings of the
        /// session with it.
        ///
        /// - Returns: `nil` if the statement writes, in which case it did nothing.
        private func read<R: Sendable>(
            _ statement: PostgreSQLOwnStatement,
            _ body: @escaping @Sendable (PostgreSQLOwnResult) throws -> R
        ) async throws -> R? {
            do {
                return try await access.read { connection in
                    connection.answerLimit = nil
                    if statement.mayChangeSession { try connection.closeAfterwards() }
                    let steps = [
                        PostgreSQLConnection.Step(text: "BEGIN READ ONLY"),
                        PostgreSQLConnection.Step(
                            text: statement.text, parameters: statement.parameters),
                        PostgreSQLConnection.Step(text: "ROLLBACK"),
                    ]
                    // A function may have taken locks that a transaction does not release.
                    let release = PostgreSQLConnection.Step(text: "SELECT pg_advisory_unlock_all()")
                    do {
                        let results = try await connection.runAll(
                            connection.isPooled ? steps : steps + [release])
                        return try body(try await PostgreSQLOwnResult(results[1], connection))
                    } catch let error as PostgreSQLStepError {
                        connection.resetsSession = true
                        if connection.isInTransaction { try await connection.runSimple("ROLLBACK") }
                        throw error.error
                    }
                }
            } catch let error as PostgreSQLError where error.state == "25006" {
                return nil
            }
        }

        /// Runs a statement in a transaction of its own.
        private func write<R: Sendable>(
            _ statement: PostgreSQLOwnStatement,
            _ body: @escaping @Sendable (PostgreSQLOwnResult) throws -> R
        ) async throws -> R {
            do {
                return try await access.write(
                    .batch(setting: nil, check: nil), sharing: .never, place: nil
                ) { job in
                    try await Self.run(statement, job, body)
                } diagnose: { error, _, _ in
                    if error.state == "25001" { throw error }
                    if error.isSeveralStatements { throw error }
                    return PostgreSQLErrors.databaseError(error)
                }
            } catch let error as PostgreSQLError where error.state == "25001" {
                // Some statements cannot be in a transaction, such as `VACUUM`.
                return try await access.life.during {
                    let result = try await access.leasing { connection in
                        connection.resetsSession = true
                        if statement.mayChangeSession { try connection.closeAfterwards() }
                        let result = try await connection.run(
                            statement.text, statement.parameters)
                        return try body(try await PostgreSQLOwnResult(result, connection))
                    }
                    try await noteAnything()
                    return result
                }
            }
        }

        /// Tells observers that anything may have changed. The closing of the store waits for the
        /// caller.
        private func noteAnything() async throws {
            changes.send(.anything)
            guard access.journal.isObserving else { return }
            // The task may be cancelled, but what it has changed must be known.
            try await Task { [pool = access.pool] in
                let connection = try await pool.lease(pool.answerLimit)
                defer { pool.giveBack(connection) }
                try await PostgreSQLChangeTable.noteAnything(connection)
            }.value
            access.feed.wakeOthers(access, of: .anything)
        }

        private static func run<R>(
            _ statement: PostgreSQLOwnStatement, _ job: PostgreSQLJob,
            _ body: (PostgreSQLOwnResult) throws -> R
        ) async throws -> R {
            let connection = try leased(job)
            connection.answerLimit = nil
            connection.resetsSession = true
            if statement.mayChangeSession { try connection.closeAfterwards() }
            let result = try await job.run(statement.text, statement.parameters)
            let answer = try body(try await PostgreSQLOwnResult(result, connection))
            if job.log != nil {
                // A transaction without a number has written nothing.
                let number = try await connection.run(
                    "SELECT pg_current_xact_id_if_assigned() IS NOT NULL")
                if number.isTrue(0, 0) { job.log?.addAnything() }
            }
            return answer
        }

        /// Returns the leased connection of a write.
        private static func leased(_ job: PostgreSQLJob) throws -> PostgreSQLConnection {
            guard let connection = job.connection else {
                throw CRUDRepositoryError.unsupported(
                    "own SQL on a shared connection", by: "PostgreSQL")
            }
            return connection
        }

        /// Runs a statement as a part of a transaction, or of a snapshot.
        private func run<R: Sendable>(
            _ statement: PostgreSQLOwnStatement, in transaction: PostgreSQLTransactionAccess,
            _ body: @escaping @Sendable (PostgreSQLOwnResult) throws -> R
        ) async throws -> R {
            if transaction.isReadOnly {
                return try await transaction.read { connection in
                    connection.answerLimit = nil
                    connection.resetsSession = true
                    if statement.mayChangeSession { try connection.closeAfterwards() }
                    let result = try await connection.run(statement.text, statement.parameters)
                    return try body(try await PostgreSQLOwnResult(result, connection))
                }
            }
            return try await transaction.write(
                .batch(setting: nil, check: nil), sharing: .never, place: nil
            ) { job in
                try await Self.run(statement, job, body)
            } diagnose: { error, _, _ in
                if error.isSeveralStatements { throw error }
                return PostgreSQLErrors.databaseError(error)
            }
        }

        /// Runs a closure with a leased connection, for use with libpq, on a thread that may block.
        ///
        /// Inside the body of a transaction, the connection is that of the transaction. If the closure
        /// throws, its changes are rolled back and the transaction continues. It must not end the
        /// transaction.
        ///
        /// Outside a transaction, no transaction is open. If the closure begins one, it must also end
        /// it; otherwise the transaction is rolled back.
        ///
        /// The connection blocks, is in no pipeline, and has read all answers, and the closure must
        /// leave it so. It is closed afterwards, so that nothing that the closure changes reaches other
        /// operations. Observers are notified that anything may have changed.
        ///
        /// - Parameter body: receives the connection, which is valid until the closure returns.
        /// - Throws: the errors of `body`; `unsupported` if it leaves a transaction open, ends one that
        ///   it did not begin, or leaves a statement running.
        public func withConnection<R: Sendable>(
            _ body: @escaping @Sendable (borrowing PostgreSQLHandle) throws -> R
        ) async throws -> R {
            try await PostgreSQLErrors.mapped {
                if let transaction = running(PostgreSQLTransaction.self)?.access {
                    if transaction.isReadOnly {
                        return try await transaction.read { try await Self.lend($0, body) }
                    }
                    return try await transaction.write(
                        .batch(setting: nil, check: nil), sharing: .never, place: nil
                    ) { job in
                        try await job.start()
                        job.log?.addAnything()
                        return try await Self.lend(Self.leased(job), body)
                    } diagnose: { error, _, _ in
                        PostgreSQLErrors.databaseError(error)
                    }
                }
                return try await access.life.during { try await withLeased(body) }
            }
        }

        /// Lends a connection outside a transaction, and tells observers.
        private func withLeased<R: Sendable>(
            _ body: @escaping @Sendable (borrowing PostgreSQLHandle) throws -> R
        ) async throws -> R {
            let result: Result<R, any Error>
            do {
                result = .success(
                    try await access.leasing { try await Self.lendOutside($0, body) })
            } catch {
                result = .failure(error)
            }
            do {
                // A closure that has failed may have committed something before.
                try await noteAnything()
            } catch {
                _ = try result.get()
                throw error
            }
            return try result.get()
        }

        /// Lends a connection outside a transaction.
        private static func lendOutside<R: Sendable>(
            _ connection: PostgreSQLConnection,
            _ body: @escaping @Sendable (borrowing PostgreSQLHandle) throws -> R
        ) async throws -> R {
            try connection.closeAfterwards()
            let result = await connection.lend(body)
            if connection.isInTransaction {
                try await connection.runSimple("ROLLBACK")
                _ = try result.get()
                throw CRUDRepositoryError.unsupported(
                    "a transaction that is left open", by: "PostgreSQL")
            }
            let value = try result.get()
            guard connection.isIdle else {
                throw CRUDRepositoryError.unsupported(
                    "a statement that is left running", by: "PostgreSQL")
            }
            return value
        }

        /// Lends the connection of a transaction, in which a savepoint was set.
        private static func lend<R: Sendable>(
            _ connection: PostgreSQLConnection,
            _ body: @escaping @Sendable (borrowing PostgreSQLHandle) throws -> R
        ) async throws -> R {
            try connection.closeAfterwards()
            let result = await connection.lend(body)
            do {
                guard connection.isInTransaction else {
                    throw PostgreSQLOwnStatement.transactionControl
                }
                if case .success = result, connection.isFailed {
                    throw CRUDRepositoryError(
                        .databaseError, "A statement of 'withConnection' had failed.")
                }
                return try result.get()
            } catch {
                // A transaction that the closure has ended must not seem to go on.
                if !connection.isInTransaction {
                    connection.interrupt()
                    connection.discard()
                }
                throw error
            }
        }
    }

    /// A connection of libpq. It is valid only during the call that provides it.
    public struct PostgreSQLHandle: ~Copyable {
        /// The `PGconn *`.
        public let pointer: OpaquePointer
    }

    extension PostgreSQLError {
        /// Whether a text has more than one statement. The message is in the language of the server.
        fileprivate var isSeveralStatements: Bool {
            state == "42601" && routine == "exec_parse_message"
        }
    }
#endif
