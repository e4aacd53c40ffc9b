internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// The connections of a store: one that writes, and some that read.
final class Database: Sendable {
    private let driver: any SQLDriver
    /// The dialect of the database.
    let dialect: DriverDialect
    /// Whether the store is open.
    let life = StoreLife()
    /// The turn of writes and transactions.
    let line: WriterLine
    /// The time for which a transaction is run again while others are faster.
    let lockTimeout: Duration
    /// Encrypts fields; nil if the store does not.
    let encryption: (any FieldCipher)?
    private let writer: Lane
    private let readers: [Lane]

    init(
        _ driver: any SQLDriver, readers count: Int, lockTimeout: Duration,
        encryption: (any FieldCipher)?
    ) {
        self.driver = driver
        self.lockTimeout = lockTimeout
        self.encryption = encryption
        let dialect = DriverDialect(syntax: driver.syntax)
        self.dialect = dialect
        line = WriterLine()
        let connect = Self.connecting(driver, dialect, lockTimeout, encryption)
        writer = Lane("repository.sql.writer", connect: connect)
        readers = (0..<max(1, count)).map {
            Lane("repository.sql.reader.\($0)", connect: connect)
        }
    }

    /// The kind of store, for messages.
    var name: String { driver.name }
    var syntax: SQLSyntax { dialect.syntax }

    /// Opens a connection of its own.
    func separateLane() -> Lane {
        Lane(
            "repository.sql.snapshot",
            connect: Self.connecting(driver, dialect, lockTimeout, encryption))
    }

    /// Returns a closure that opens a connection, again while the database is locked.
    private static func connecting(
        _ driver: any SQLDriver, _ dialect: DriverDialect, _ lockTimeout: Duration,
        _ encryption: (any FieldCipher)?
    ) -> @Sendable () throws -> Session {
        {
            var retries = Retries(lockTimeout)
            while true {
                do {
                    return Session(try driver.connect(), dialect, driver.name, encryption)
                } catch let error as SQLDriverError where error.kind == .conflict {
                    try retries.wait(after: error)
                }
            }
        }
    }

    /// Runs queries on the reading connection for which the fewest tasks wait. What conflicts with
    /// another transaction, or loses its connection, runs again.
    func read<R: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> R
    ) async throws -> R {
        try await life.during {
            let lane = readers.min { $0.load < $1.load } ?? writer
            var retries = Retries(lockTimeout)
            while true {
                do {
                    return try await lane.run(isInterruptible: true) { session, _ in
                        try body(session)
                    }
                } catch let error as SQLDriverError {
                    switch error.kind {
                    case .connectionLost where retries.count == 0: retries.count += 1
                    case .conflict: try await retries.pause(after: error)
                    case .interrupted:
                        try Task.checkCancellation()
                        throw error
                    default: throw error
                    }
                }
            }
        }
    }

    /// Runs steps on the writing connection, with the turn of the writers.
    func writing<R: Sendable>(
        _ body: @escaping @Sendable (Session, CancellationFlag) throws -> R
    ) async throws -> R {
        // The closing of the store waits for the turn.
        try life.check()
        try await line.take()
        defer { line.leave() }
        return try await writer.run(body)
    }

    /// The lane of the transaction that has the turn of the writers.
    var writingLane: Lane { writer }

    /// Runs a transaction that writes, again if others are faster.
    ///
    /// - Parameters:
    ///   - body: the statements.
    ///   - diagnose: returns the error for a violated constraint, after the transaction was rolled
    ///     back; nil if it finds none.
    ///   - committed: called after the commit, before the next write begins.
    func transaction<R: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> R,
        diagnose: @escaping @Sendable (Session, SQLDriverError) throws -> CRUDRepositoryError? = {
            _, _ in nil
        },
        committed: @escaping @Sendable (R) -> Void = { _ in }
    ) async throws -> R {
        let limit = lockTimeout
        let begin = syntax.beginWriting
        return try await writing { session, flag in
            var retries = Retries(limit)
            while true {
                do {
                    let result = try Self.transaction(session, begin, body)
                    committed(result)
                    return result
                } catch let error as SQLDriverError where error.kind == .conflict {
                    try retries.wait(after: error, flag)
                } catch let error as SQLDriverError {
                    guard error.isViolation, let found = try diagnose(session, error) else {
                        throw error
                    }
                    throw found
                }
            }
        }
    }

    /// Runs one transaction.
    static func transaction<R>(
        _ session: Session, _ begin: String, _ body: (Session) throws -> R
    ) throws -> R {
        try session.execute(begin)
        do {
            let result = try body(session)
            try commit(session)
            return result
        } catch {
            // After a failed rollback the connection holds no transaction: it was lost.
            if !session.isLost { try rollBack(session) }
            throw error
        }
    }

    /// Rolls back. A connection on which that fails is closed, which rolls back, too.
    static func rollBack(_ session: Session) throws {
        do {
            try session.execute("ROLLBACK")
        } catch is SQLDriverError {
            session.close()
        }
    }

    /// Commits.
    ///
    /// - Throws: `outcomeUnknown` if the answer was lost.
    static func commit(_ session: Session) throws {
        do {
            try session.execute("COMMIT")
        } catch let error as SQLDriverError where error.kind == .connectionLost {
            throw CRUDRepositoryError(
                .outcomeUnknown,
                "The connection failed before the answer: \(error.message). Whether the write happened is not known.",
                underlyingError: error)
        }
    }

    /// Closes all connections after what runs.
    func close(_ refuse: () -> Void) async {
        await life.close(refusing: refuse) {
            await line.close()
            await writer.close()
            for lane in readers { await lane.close() }
        }
    }

    deinit {
        writer.closeLater()
        for lane in readers { lane.closeLater() }
    }
}

/// The repetitions of a transaction that conflicts with others, with growing random pauses.
struct Retries {
    private let end: ContinuousClock.Instant
    /// The number of repetitions so far.
    var count = 0

    init(_ limit: Duration) { end = ContinuousClock.now + limit }

    /// Returns the next pause in milliseconds.
    ///
    /// - Throws: the error, if the time is over.
    private mutating func next(after error: SQLDriverError) throws -> Double {
        if ContinuousClock.now >= end { throw error }
        count += 1
        // Short, because a program that writes all the time leaves short gaps.
        return Double.random(in: 0...Double(1 << min(count, 4)))
    }

    /// Blocks the thread for a pause.
    ///
    /// - Throws: the error, if the time is over; `CancellationError`.
    mutating func wait(after error: SQLDriverError, _ flag: CancellationFlag? = nil) throws {
        let pause = try next(after: error)
        try flag?.check()
        Thread.sleep(forTimeInterval: pause / 1_000)
    }

    /// Suspends the task for a pause.
    ///
    /// - Throws: the error, if the time is over; `CancellationError`.
    mutating func pause(after error: SQLDriverError) async throws {
        try await Task.sleep(for: .milliseconds(try next(after: error)))
    }
}

extension SQLDriverError {
    /// Whether a constraint has refused a record.
    var isViolation: Bool { kind == .uniqueViolation || kind == .constraintViolation }

    /// Returns the error for a failure that is not a constraint violation of a record.
    func error(_ store: String, table: String? = nil, id: String? = nil) -> CRUDRepositoryError {
        switch kind {
        case .conflict:
            CRUDRepositoryError(
                .transactionConflict, "Another transaction was faster.", id: id, table: table,
                isRetryable: true, underlyingError: self)
        case .storageFull:
            CRUDRepositoryError(
                .storageFull, "The disk of the database is full. Nothing was changed.", id: id,
                table: table, underlyingError: self)
        case .connectionLost:
            CRUDRepositoryError(
                .databaseError, "The connection to \(store) failed: \(message).", id: id,
                table: table, isRetryable: true, underlyingError: self)
        case .uniqueViolation, .constraintViolation:
            CRUDRepositoryError(
                .constraintViolated, "A constraint of the table refuses the record: \(message).",
                id: id, table: table, underlyingError: self)
        case .interrupted, .other:
            CRUDRepositoryError(
                .databaseError, "\(store) reported an error: \(message).", id: id, table: table,
                underlyingError: self)
        }
    }

    /// Runs a body and translates the errors of the driver.
    static func mapped<R>(
        _ store: String, table: String? = nil, id: String? = nil, _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch let error as SQLDriverError {
            throw error.error(store, table: table, id: id)
        }
    }
}
