internal import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// A connection with the statements that its driver understands. One thread at a time uses it.
final class Session: Sendable {
    private let connection: any SQLConnection
    /// The dialect of the database.
    let dialect: DriverDialect
    /// The kind of store, for messages.
    let storeName: String
    /// Encrypts fields; nil if the store does not.
    let encryption: (any FieldCipher)?
    /// Whether the connection was lost, so that nothing else is asked of it.
    private let lost = Atomic(false)

    init(
        _ connection: any SQLConnection, _ dialect: DriverDialect, _ storeName: String,
        _ encryption: (any FieldCipher)?
    ) {
        self.connection = connection
        self.dialect = dialect
        self.storeName = storeName
        self.encryption = encryption
    }

    /// Whether the connection was lost.
    var isLost: Bool { lost.load(ordering: .relaxed) }

    /// Runs a query and returns its rows.
    func query(_ text: String, _ parameters: [SQLValue] = []) throws -> [[SQLValue]] {
        try result(text, parameters).rows
    }

    /// Runs a query and returns its rows with the names of the columns.
    func result(_ text: String, _ parameters: [SQLValue]) throws -> SQLResult {
        try run(text, parameters) { try connection.query($0, $1) }
    }

    /// Lends the connection.
    func lend<R>(_ body: (any SQLConnection) throws -> R) throws -> R {
        try noting { try body(connection) }
    }

    /// Runs a query that the runtime has written.
    func query(_ query: SQLQuery) throws -> [[SQLValue]] {
        try self.query(query.text, try plain(query.parameters))
    }

    /// Runs a statement without rows.
    ///
    /// - Returns: the number of records that it has changed.
    @discardableResult
    func execute(_ text: String, _ parameters: [SQLValue] = []) throws -> Int {
        try run(text, parameters) { try connection.execute($0, $1) }
    }

    /// Returns the lines in which the database explains a query.
    func explain(_ query: SQLQuery) throws -> [String] {
        try run(query.text, plain(query.parameters)) { try connection.explain($0, $1) }
    }

    /// Returns the names of the tables, with those of their columns.
    func tables() throws -> [String: [String]] { try noting { try connection.tables() } }

    /// Returns the number in the first column of the first row; nil if there is none.
    func integer(_ text: String, _ parameters: [SQLValue] = []) throws -> Int64? {
        guard case .integer(let value)? = try query(text, parameters).first?.first else {
            return nil
        }
        return value
    }

    /// Ends the statement that runs. Any thread may call it.
    func interrupt() { connection.interrupt() }

    /// Closes the connection.
    func close() {
        lost.store(true, ordering: .relaxed)
        connection.close()
    }

    private func run<R>(
        _ text: String, _ parameters: [SQLValue], _ body: (String, [SQLValue]) throws -> R
    ) throws -> R {
        try noting {
            guard let (text, order) = dialect.positional(text) else {
                return try body(text, parameters)
            }
            return try body(text, order.map { parameters[$0] })
        }
    }

    /// Notes whether the connection was lost.
    private func noting<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as SQLDriverError {
            if error.kind == .connectionLost { lost.store(true, ordering: .relaxed) }
            throw error
        }
    }

    /// Returns parameters as they are stored.
    ///
    /// - Throws: `unsupported` for a value that no column holds.
    func plain(_ parameters: [SQLParameter]) throws -> [SQLValue] {
        try parameters.map { parameter in
            guard let value = parameter.form.plain(parameter.value) else {
                throw CRUDRepositoryError.unsupported("such a value in a query", by: "The store")
            }
            return value
        }
    }
}

/// A thread with a connection, which is opened when it is first needed and again after it was lost.
final class Lane: Sendable {
    /// The statements of a task that run.
    private struct Running {
        let number: Int
        let session: Session
    }

    private let queue: BlockingQueue
    private let connect: @Sendable () throws -> Session
    private let session = Mutex<Session?>(nil)
    private let running = Mutex<Running?>(nil)
    private let lastNumber = Atomic(0)
    private let waiting = Atomic(0)

    /// Creates a lane whose connection is not open yet.
    ///
    /// - Parameters:
    ///   - label: the label of the thread, for debugging.
    ///   - connect: opens a connection.
    init(_ label: String, connect: @escaping @Sendable () throws -> Session) {
        queue = BlockingQueue(label: label)
        self.connect = connect
    }

    /// The number of tasks that use the lane or wait for it.
    var load: Int { waiting.load(ordering: .relaxed) }

    /// Runs statements, unless the task is cancelled before they begin.
    ///
    /// - Parameters:
    ///   - isInterruptible: whether the cancellation of the task ends a statement that runs. The
    ///     statements must only read.
    ///   - body: runs the statements. Its second argument says whether the task was cancelled.
    func run<R: Sendable>(
        isInterruptible: Bool = false,
        _ body: @escaping @Sendable (Session, CancellationFlag) throws -> R
    ) async throws -> R {
        waiting.add(1, ordering: .relaxed)
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard isInterruptible else {
            return try await queue.runWrite { try body(self.opened(), $0) }
        }
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            try await queue.runWrite { flag in
                let session = try self.opened()
                self.running.withLock { $0 = Running(number: number, session: session) }
                defer { self.running.withLock { $0 = nil } }
                // A cancellation before the line above has interrupted nothing.
                try flag.check()
                return try body(session, flag)
            }
        } onCancel: {
            running.withLock { running in
                // Within the lock, so that no statement of another task is interrupted.
                if let running, running.number == number { running.session.interrupt() }
            }
        }
    }

    /// Runs a last step on the lane, also after its task was cancelled or the store was closed.
    func finish(_ body: @escaping @Sendable (Session) -> Void) async {
        await queue.finish {
            if let session = self.session.withLock({ $0 }), !session.isLost { body(session) }
        }
    }

    /// Closes the connection after everything that runs on it.
    func close() async {
        await queue.finish { self.discard() }
    }

    /// Closes the connection later, without waiting for it.
    func closeLater() { queue.post { self.discard() } }

    /// Closes the connection. Called on the thread of the lane.
    private func discard() {
        session.withLock { session in
            session?.close()
            session = nil
        }
    }

    /// Returns the session, with a new connection if the last one was lost.
    private func opened() throws -> Session {
        try session.withLock { session in
            if let session, !session.isLost { return session }
            session?.close()
            session = nil
            let new = try connect()
            session = new
            return new
        }
    }
}
