#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation
    internal import RepositoryRuntime

    /// A connection to a server, on which one task at a time runs statements.
    ///
    /// The conformance to `Sendable` is unchecked. It is valid because the pool leases a connection
    /// to one task at a time, and a transaction runs its operations one after another. A shared
    /// connection is used under the lock of its ``SharedConnection`` only.
    final class PostgreSQLConnection: PostgreSQLRunner, @unchecked Sendable {
        /// A statement of a pipeline.
        struct Step: Sendable {
            var text: String
            var parameters = PostgreSQLParameters()
        }

        /// What identifies a prepared statement.
        struct Prepared: Hashable {
            let text: String
            let types: [UInt32]
        }

        /// The number of statements that are kept prepared on a connection.
        static let mostPrepared = 400

        let handle: OpaquePointer
        let socket: Int32
        let reactor: SocketReactor
        /// Cancels statements of this connection.
        let canceller: PostgreSQLCanceller
        var prepared: [Prepared: String] = [:] {
            didSet { recent = [] }
        }
        /// Statements that were run lately, in places by the lengths of their texts: most are found
        /// there without hashing their texts.
        private var recent: [(key: Prepared, name: String)?] = []
        /// The number of statements that were prepared, which gives them their names.
        var number = 0
        /// The statements of the current pipeline that are prepared in it.
        var preparing: Set<Prepared> = []
        /// Whether the sessions of the server are those of a connection pooler, which may give each
        /// transaction another one.
        var isPooled = false
        /// The settings of the session, as the rest of a `SET` statement.
        var settings: [String] = []
        /// Identifies the writes that can be asked for; `nil` before the first one.
        var writeSession: PostgreSQLWriteSession?
        /// What the server has told besides its answers.
        let notices = PostgreSQLNotices()
        /// Whether the connection is closed when it is given back, because what belongs to its
        /// session may have been changed.
        var closesAfterwards = false
        /// Whether functions that a statement has called may have changed what belongs to the
        /// session, which is reset before the connection is leased again.
        var resetsSession = false
        /// Whether the connection can be used again.
        private(set) var isUsable = true
        /// Whether it was given up because the server has not answered in time.
        private(set) var isSilent = false
        private(set) var lastUse = ContinuousClock.now
        /// Whether reading has failed. The thread of the reactor writes it while the task waits.
        var hasFailed = false
        /// How long the current lease waits for the next byte from the server; `nil` if its
        /// statements may take any time.
        var answerLimit: AnswerLimit?
        /// Is called with the text of each statement that is sent or prepared.
        var onStatement: (@Sendable (String) -> Void)?

        /// - Parameter socket: a descriptor that belongs to this connection.
        private init(_ handle: OpaquePointer, _ socket: Int32, _ reactor: SocketReactor) {
            self.handle = handle
            self.reactor = reactor
            self.socket = socket
            canceller = PostgreSQLCanceller(handle)
            notices.receive(from: handle)
        }

        deinit {
            reactor.forget(socket)
            PQfinish(handle)
            Foundation.close(socket)
        }

        /// Whether the connection is outside a transaction and has no statement under way.
        var isIdle: Bool {
            PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
        }

        /// Whether a transaction is open, and has failed.
        var isFailed: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

        /// Whether a transaction is open.
        var isInTransaction: Bool {
            let status = PQtransactionStatus(handle)
            return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
        }

        /// The time since the last use of the connection.
        var idleTime: Duration { lastUse.duration(to: .now) }

        /// Begins the idle time.
        func noteUse() { lastUse = .now }

        /// Makes sure that the connection is closed and not used again.
        func discard() { isUsable = false }

        // MARK: Connecting

        /// Connects, on a thread of its own, because the look-up of names blocks.
        ///
        /// - Parameters:
        ///   - address: the connection string or URL.
        ///   - limit: how long the first statements wait for their answers.
        ///   - settings: the settings of the session, as the rest of a `SET` statement.
        ///   - onStatement: is called with the text of each statement that is sent or prepared.
        static func connect(
            _ address: String, timeout seconds: Int, _ limit: AnswerLimit, settings: [String],
            onStatement: (@Sendable (String) -> Void)?, _ reactor: SocketReactor
        ) async throws -> PostgreSQLConnection {
            let connection = try await OwnThread.run("PostgreSQL connect") {
                try open(address, seconds, reactor)
            }
            connection.answerLimit = limit
            connection.onStatement = onStatement
            try await connection.setUp(settings)
            connection.answerLimit = nil
            return connection
        }

        private static func open(
            _ address: String, _ seconds: Int, _ reactor: SocketReactor
        ) throws -> PostgreSQLConnection {
            try PostgreSQLAddress.check(address)
            // What stands before the address, the address overrides. A network that is gone is
            // noticed after some seconds instead of a quarter of an hour.
            let names = [
                "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout",
                "dbname", "client_encoding", "connect_timeout", "fallback_application_name",
            ]
            let values = [
                "30", "5", "3", "20000", address, "UTF8", "\(seconds)", "swift-repository",
            ]
            let keywords = names.map { strdup($0) }
            let texts = values.map { strdup($0) }
            defer { for text in keywords + texts { free(text) } }
            let handle = (keywords.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer {
                keywords in
                (texts.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { texts in
                    // `dbname` may be a whole address; the later values take precedence over it.
                    PQconnectdbParams(keywords.baseAddress, texts.baseAddress, 1)
                }
            }
            guard let handle else { throw PostgreSQLError(client: "there is no memory left") }
            guard PQstatus(handle) == CONNECTION_OK else {
                defer { PQfinish(handle) }
                throw PostgreSQLError(client: Self.message(handle), isConnectionLost: true)
            }
            PQsetnonblocking(handle, 1)
            // The client library closes its descriptor when the server ends the connection. The
            // next one would get the same number, while the reactor still knows this one by it.
            let socket = fcntl(PQsocket(handle), F_DUPFD_CLOEXEC, 0)
            guard socket >= 0 else {
                PQfinish(handle)
                throw PostgreSQLError(client: "no file descriptor is left for a connection")
            }
            return PostgreSQLConnection(handle, socket, reactor)
        }

        /// The message of the client library. It contains the host and the user, never the password:
        /// an address whose parts cannot be told apart was refused before.
        private static func message(_ handle: OpaquePointer) -> String {
            let text = String(cString: PQerrorMessage(handle))
            return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .joined(separator: " ")
        }

        /// The error for a connection that was lost.
        func lost() -> PostgreSQLError {
            isUsable = false
            let message = Self.message(handle)
            return PostgreSQLError(
                client: message.isEmpty ? "the connection was lost" : message,
                isConnectionLost: true)
        }

        /// The error for a server that is there and has sent nothing for too long.
        func unanswered(_ limit: AnswerLimit?) -> PostgreSQLError {
            (isUsable, isSilent) = (false, true)
            let time = limit.map { " for \($0.time)" } ?? ""
            return PostgreSQLError(
                client: "the server has sent nothing\(time)", isConnectionLost: true,
                isUnanswered: true)
        }

        // MARK: Statements

        /// Runs one statement and returns its result. It is prepared once for each connection.
        ///
        /// - Throws: `PostgreSQLError`.
        @discardableResult
        func run(
            _ text: String, _ parameters: PostgreSQLParameters
        ) async throws -> PostgreSQLResult {
            if isPooled { return try await runUnnamed(text, parameters) }
            do {
                return try await runPrepared(text, parameters)
            } catch let error as PostgreSQLError
                where error.isOutdatedStatement && isUsable
            {
                if isInTransaction {
                    // The error has ended the transaction. It runs again on another connection.
                    isUsable = false
                    throw error
                }
                try await forgetPrepared()
                return try await runPrepared(text, parameters)
            }
        }

        /// Returns the lines of the plan of a statement, for any values of its parameters.
        func explain(
            _ text: String, _ parameters: PostgreSQLParameters
        ) async throws -> [String] {
            if isPooled { return try await explainUnnamed(text, parameters.types) }
            let name = try await prepare(text, parameters.types)
            let nulls = parameters.types.map { _ in "NULL" }.joined(separator: ", ")
            let arguments = nulls.isEmpty ? "" : "(\(nulls))"
            // A plan for certain values would contain them. If it fails, the settings are undone
            // with the implicit transaction.
            let results = try await runSimple(
                "SET plan_cache_mode = force_generic_plan; EXPLAIN EXECUTE \(name)\(arguments); RESET plan_cache_mode"
            )
            return results.flatMap { result in
                (0..<result.count).compactMap { result.text($0, 0) }
            }
        }

        /// Returns the name of a prepared statement; `nil` if it is not prepared.
        func name(of key: Prepared) -> String? {
            let place = key.text.utf8.count % 16
            // Texts and types of the same statement have the same storage nearly always, which
            // compares at once.
            if !recent.isEmpty, let found = recent[place], found.key == key { return found.name }
            guard let name = prepared[key] else { return nil }
            if recent.isEmpty { recent = Array(repeating: nil, count: 16) }
            recent[place] = (key, name)
            return name
        }

        /// Returns the name of the prepared statement of a text.
        private func prepare(_ text: String, _ types: [UInt32]) async throws -> String {
            let key = Prepared(text: text, types: types)
            if let known = name(of: key) { return known }
            if prepared.count >= Self.mostPrepared, !isFailed { try await forgetPrepared() }
            number += 1
            let name = "r\(number)"
            onStatement?(text)
            guard PQsendPrepare(handle, name, text, Int32(types.count), types) == 1 else {
                throw lost()
            }
            _ = try await results()
            prepared[key] = name
            return name
        }

        private func runPrepared(
            _ text: String, _ parameters: PostgreSQLParameters
        ) async throws -> PostgreSQLResult {
            let name = try await prepare(text, parameters.types)
            let isSent = parameters.withPointers { values, lengths, formats in
                PQsendQueryPrepared(
                    handle, name, Int32(parameters.count), values, lengths, formats, 1)
            }
            guard isSent == 1 else { throw lost() }
            guard let result = try await results().first else { throw lost() }
            return result
        }

        /// Runs statements in one message without parameters. The values of the results are text.
        @discardableResult
        func runSimple(_ text: String) async throws -> [PostgreSQLResult] {
            let local = localSettings
            let sent = local.isEmpty ? text : Self.adding(local, to: text)
            onStatement?(sent)
            guard PQsendQuery(handle, sent) == 1 else { throw lost() }
            let found = try await results()
            return local.isEmpty || Self.begins(text) ? found : Array(found.dropFirst(local.count))
        }

        /// Runs `body` in a transaction, and rolls back if it throws.
        ///
        /// - Parameter begin: the statements that begin the transaction.
        func transaction<R>(
            _ begin: String = "BEGIN", _ body: () async throws -> R
        ) async throws -> R {
            try await runSimple(begin)
            do {
                let result = try await body()
                try await runSimple("COMMIT")
                return result
            } catch {
                // The rollback of a lost connection fails, too; the first error is the one to
                // report.
                if isInTransaction { _ = try? await runSimple("ROLLBACK") }
                throw error
            }
        }

        /// Discards all prepared statements.
        func forgetPrepared() async throws {
            prepared = [:]
            try await runSimple("DEALLOCATE ALL")
        }

        // MARK: Answers

        /// Sends what was given to the connection.
        func flush() async throws {
            while true {
                let rest = PQflush(handle)
                if rest < 0 { throw lost() }
                if rest == 0 { return }
                if await reactor.wait(socket, .readableOrWritable, answerLimit) {
                    throw unanswered(answerLimit)
                }
                guard PQconsumeInput(handle) == 1 else { throw lost() }
            }
        }

        /// Returns the next answer; `nil` at the end of the answers of a statement.
        func next() async throws -> OpaquePointer? {
            while true {
                try await flush()
                if PQisBusy(handle) == 0 { return PQgetResult(handle) }
                // The task goes on when the result is complete. A large one comes in parts of some
                // kilobytes, and each resumption costs more than reading a part.
                let isLate = await reactor.wait(socket, .readable, answerLimit) { self.receive() }
                if isLate { throw unanswered(answerLimit) }
                if hasFailed { throw lost() }
            }
        }

        /// Reads what has arrived, on the thread of the reactor.
        ///
        /// - Returns: whether the next answer is complete, or will never be.
        private func receive() -> Bool {
            hasFailed = PQconsumeInput(handle) != 1
            return hasFailed || PQisBusy(handle) == 0
        }

        /// Reads all answers of a statement, and throws the first error among them.
        ///
        /// The error of a deferred check, such as a dangling reference,
        /// comes after the success of the statement itself.
        func results() async throws -> [PostgreSQLResult] {
            var found: [PostgreSQLResult] = []
            var failure: PostgreSQLError?
            while let result = try await next() {
                if let error = error(of: result) {
                    PQclear(result)
                    if failure == nil { failure = error }
                } else {
                    found.append(PostgreSQLResult(result))
                }
            }
            if PQstatus(handle) != CONNECTION_OK { isUsable = false }
            if let failure { throw failure }
            return found
        }

        /// Returns the error that a result reports; `nil` if it reports none.
        func error(of result: OpaquePointer) -> PostgreSQLError? {
            let status = PQresultStatus(result)
            guard status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE else { return nil }
            func field(_ code: Character) -> String? {
                PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
            }
            let isLost = PQstatus(handle) != CONNECTION_OK
            guard let state = field("C") else {
                isUsable = false
                return PostgreSQLError(client: Self.message(handle), isConnectionLost: true)
            }
            if isLost { isUsable = false }
            return PostgreSQLError(
                state: state, message: field("M") ?? "", constraint: field("n"), table: field("t"),
                column: field("c"), isConnectionLost: isLost, routine: field("R"))
        }
    }
#endif
