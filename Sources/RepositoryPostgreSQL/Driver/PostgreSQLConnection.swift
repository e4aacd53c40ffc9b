#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation
    internal import RepositoryRuntime

    /// A connection to a server, on which one task at a time runs statements.
    ///
    /// The conformance to `Sendable` is unchecked. It is valid because the pool leases a connection
    /// to one task at a time, and a transaction runs its operations one after another.
    final class PostgreSQLConnection: @unchecked Sendable {
        /// A statement of a pipeline.
        struct Step {
            var text: String
            var parameters = PostgreSQLParameters()
        }

        /// What identifies a prepared statement.
        private struct Prepared: Hashable {
            let text: String
            let types: [UInt32]
        }

        /// The number of statements that are kept prepared on a connection.
        private static let mostPrepared = 400

        private let handle: OpaquePointer
        private let socket: Int32
        private let reactor: SocketReactor
        private var prepared: [Prepared: String] = [:]
        /// The number of statements that were prepared, which gives them their names.
        private var number = 0
        /// Whether the connection can be used again.
        private(set) var isUsable = true

        private init(_ handle: OpaquePointer, _ reactor: SocketReactor) {
            self.handle = handle
            self.reactor = reactor
            socket = PQsocket(handle)
        }

        deinit {
            reactor.forget(socket)
            PQfinish(handle)
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

        /// Makes sure that the connection is closed and not used again.
        func discard() { isUsable = false }

        /// Returns whether the server has closed an idle connection.
        var isClosedByServer: Bool {
            var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard Foundation.poll(&poll, 1, 0) > 0 else { return false }
            return PQconsumeInput(handle) == 0 || PQstatus(handle) != CONNECTION_OK
        }

        // MARK: Connecting

        /// Connects, on a thread of its own, because the look-up of names blocks.
        ///
        /// - Parameters:
        ///   - address: the connection string or URL.
        ///   - setup: statements that are run first.
        static func connect(
            _ address: String, timeout seconds: Int, setup: String, _ reactor: SocketReactor
        ) async throws -> PostgreSQLConnection {
            let connection: PostgreSQLConnection = try await withCheckedThrowingContinuation {
                continuation in
                let thread = Thread {
                    continuation.resume(with: Result { try open(address, seconds, reactor) })
                }
                thread.name = "PostgreSQL connect"
                thread.start()
            }
            try await connection.runSimple(setup)
            try await connection.requireOwnSession()
            return connection
        }

        /// Checks that the server's session belongs to this connection. A pooler that shares
        /// sessions would run the prepared statements of other clients under the same names.
        private func requireOwnSession() async throws {
            let number = try await run("SELECT pg_backend_pid()").integer(0, 0)
            guard number == Int64(PQbackendPID(handle)) else {
                isUsable = false
                throw PostgreSQLError(
                    client:
                        "the address is that of a connection pooler, which is not supported; connect to the server itself"
                )
            }
        }

        private static func open(
            _ address: String, _ seconds: Int, _ reactor: SocketReactor
        ) throws -> PostgreSQLConnection {
            let names = [
                "dbname", "client_encoding", "connect_timeout", "fallback_application_name",
            ]
            let values = [address, "UTF8", "\(seconds)", "swift-repository"]
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
            PQsetNoticeProcessor(handle, { _, _ in }, nil)
            return PostgreSQLConnection(handle, reactor)
        }

        /// The message of the client library: its first line is about the address, and none of them
        /// contains the password.
        private static func message(_ handle: OpaquePointer) -> String {
            let text = String(cString: PQerrorMessage(handle))
            return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .joined(separator: " ")
        }

        /// The error for a connection that was lost.
        private func lost() -> PostgreSQLError {
            isUsable = false
            let message = Self.message(handle)
            return PostgreSQLError(
                client: message.isEmpty ? "the connection was lost" : message,
                isConnectionLost: true)
        }

        // MARK: Statements

        /// Runs one statement and returns its result. It is prepared once for each connection.
        ///
        /// - Throws: `PostgreSQLError`.
        @discardableResult
        func run(
            _ text: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()
        ) async throws -> PostgreSQLResult {
            do {
                return try await runPrepared(text, parameters)
            } catch let error as PostgreSQLError
                where error.isOutdatedStatement && !isInTransaction && isUsable
            {
                try await forgetPrepared()
                return try await runPrepared(text, parameters)
            }
        }

        /// Returns the lines of the plan of a statement, for any values of its parameters.
        func explain(
            _ text: String, _ parameters: PostgreSQLParameters
        ) async throws -> [String] {
            let name = try await prepare(text, parameters.types)
            // A plan for certain values would contain them.
            try await runSimple("SET plan_cache_mode = force_generic_plan")
            let nulls = parameters.types.map { _ in "NULL" }.joined(separator: ", ")
            let arguments = nulls.isEmpty ? "" : "(\(nulls))"
            let lines = await Result.catching {
                let result = try await self.run("EXPLAIN EXECUTE \(name)\(arguments)")
                return (0..<result.count).compactMap { result.text($0, 0) }
            }
            if !isFailed { try await runSimple("RESET plan_cache_mode") }
            return try lines.get()
        }

        /// Returns the name of the prepared statement of a text.
        private func prepare(_ text: String, _ types: [UInt32]) async throws -> String {
            let key = Prepared(text: text, types: types)
            if let known = prepared[key] { return known }
            if prepared.count >= Self.mostPrepared, !isFailed { try await forgetPrepared() }
            number += 1
            let name = "r\(number)"
            guard PQsendPrepare(handle, name, text, Int32(types.count), types) == 1 else {
                throw lost()
            }
            _ = try await results(1)
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
            guard let result = try await results(1).first else { throw lost() }
            return result
        }

        /// Runs statements in one message without parameters, and returns nothing.
        func runSimple(_ text: String) async throws {
            guard PQsendQuery(handle, text) == 1 else { throw lost() }
            _ = try await results(nil)
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
                if isInTransaction { try? await runSimple("ROLLBACK") }
                throw error
            }
        }

        /// Sends several statements before it reads the first answer, so that they cost one round
        /// trip.
        ///
        /// After a statement that fails, the server ignores the others.
        ///
        /// - Returns: the results, one for each step.
        /// - Throws: `PostgreSQLStepError` with the number of the step that failed.
        func runAll(_ steps: [Step]) async throws -> [PostgreSQLResult] {
            guard !steps.isEmpty else { return [] }
            if prepared.count >= Self.mostPrepared, !isFailed { try await forgetPrepared() }
            guard PQenterPipelineMode(handle) == 1 else { throw lost() }
            var found: [PostgreSQLResult] = []
            found.reserveCapacity(steps.count)
            var failure: PostgreSQLStepError?
            // The answers of a chunk are read before the next one is sent, so that the memory is
            // bounded. A failure in one chunk fails the following ones, too.
            var start = 0
            while start < steps.count, failure == nil {
                let chunk = steps[start..<min(start + 256, steps.count)]
                for step in chunk { try send(step) }
                guard PQpipelineSync(handle) == 1 else { throw lost() }
                failure = try await collect(chunk, &found)
                start = chunk.endIndex
            }
            guard PQexitPipelineMode(handle) == 1 else { throw lost() }
            if let failure { throw failure }
            return found
        }

        /// Sends a statement of a pipeline.
        private func send(_ step: Step) throws {
            let key = Prepared(text: step.text, types: step.parameters.types)
            let name: String
            if let known = prepared[key] {
                name = known
            } else {
                number += 1
                name = "r\(number)"
                guard PQsendPrepare(handle, name, step.text, Int32(key.types.count), key.types) == 1
                else { throw lost() }
                prepared[key] = name
                preparing.insert(step.text)
            }
            let isSent = step.parameters.withPointers { values, lengths, formats in
                PQsendQueryPrepared(
                    handle, name, Int32(step.parameters.count), values, lengths, formats, 1)
            }
            guard isSent == 1 else { throw lost() }
        }

        /// The texts of the statements of the current pipeline that are prepared in it.
        private var preparing: Set<String> = []

        /// Reads the answers of a chunk of a pipeline, up to its end.
        private func collect(
            _ chunk: ArraySlice<Step>, _ found: inout [PostgreSQLResult]
        ) async throws -> PostgreSQLStepError? {
            var failure: PostgreSQLStepError?
            for (place, step) in zip(chunk.indices, chunk) {
                // The answer to the preparation comes first.
                if preparing.remove(step.text) != nil,
                    try await answer(to: place, &failure) == nil
                {
                    prepared[Prepared(text: step.text, types: step.parameters.types)] = nil
                }
                if let result = try await answer(to: place, &failure) { found.append(result) }
            }
            // The end of the pipeline. An error that was put off to its end comes before it.
            while true {
                guard let result = try await next() else { continue }
                let status = PQresultStatus(result)
                if status == PGRES_PIPELINE_SYNC {
                    PQclear(result)
                    break
                }
                if let error = error(of: result), failure == nil {
                    failure = PostgreSQLStepError(error: error, step: chunk.endIndex - 1)
                }
                PQclear(result)
            }
            return failure
        }

        /// Reads the answer to one message of a pipeline; `nil` if it failed or was ignored.
        private func answer(
            to step: Int, _ failure: inout PostgreSQLStepError?
        ) async throws -> PostgreSQLResult? {
            guard let first = try await next() else { throw lost() }
            var found: PostgreSQLResult?
            if let error = error(of: first) {
                PQclear(first)
                if failure == nil { failure = PostgreSQLStepError(error: error, step: step) }
            } else if PQresultStatus(first) == PGRES_PIPELINE_ABORTED {
                PQclear(first)
            } else {
                found = PostgreSQLResult(first)
            }
            // A null result ends the answers to each message.
            while let more = try await next() {
                if let error = error(of: more), failure == nil {
                    failure = PostgreSQLStepError(error: error, step: step)
                }
                PQclear(more)
            }
            return found
        }

        /// Discards all prepared statements.
        private func forgetPrepared() async throws {
            prepared = [:]
            try await runSimple("DEALLOCATE ALL")
        }

        // MARK: Answers

        /// Returns the next answer; `nil` at the end of the answers of a statement.
        private func next() async throws -> OpaquePointer? {
            while true {
                let rest = PQflush(handle)
                if rest < 0 { throw lost() }
                if rest == 0, PQisBusy(handle) == 0 { return PQgetResult(handle) }
                await reactor.wait(socket, rest == 0 ? .readable : .readableOrWritable)
                guard PQconsumeInput(handle) == 1 else { throw lost() }
            }
        }

        /// Reads all answers of a statement, and throws the first error among them.
        ///
        /// An error that was put off to the end of the statement, such as a dangling reference,
        /// comes after the success of the statement itself.
        private func results(_ expected: Int?) async throws -> [PostgreSQLResult] {
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
        private func error(of result: OpaquePointer) -> PostgreSQLError? {
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
                column: field("c"), isConnectionLost: isLost)
        }

        // MARK: Cancelling

        /// Waits until no cancellation can hit the next statement: the server may act on a request
        /// after it has answered it. A statement that succeeds shows that it has.
        private func settle() async {
            for _ in 1...10 where isUsable && isIdle {
                do {
                    return try await runSimple("SELECT 1")
                } catch let error as PostgreSQLError where error.isCancelled {
                    // It was hit.
                } catch {
                    break
                }
            }
            discard()
        }

        /// Runs a read whose statement is cancelled on the server when the task is cancelled.
        func cancellable<R>(_ body: () async throws -> R) async throws -> R {
            let cancel = PostgreSQLCancel(handle)
            do {
                let result = try await withTaskCancellationHandler {
                    try await body()
                } onCancel: {
                    cancel.send()
                }
                if await cancel.finish() { await settle() }
                return result
            } catch {
                if await cancel.finish() { await settle() }
                if (error as? PostgreSQLError)?.isCancelled ?? false, Task.isCancelled {
                    throw CancellationError()
                }
                throw error
            }
        }
    }

    extension Result {
        /// Runs a body and keeps its error.
        fileprivate static func catching(
            _ body: () async throws -> Success
        ) async -> Self where Failure == any Error {
            do { return .success(try await body()) } catch { return .failure(error) }
        }
    }
#endif
