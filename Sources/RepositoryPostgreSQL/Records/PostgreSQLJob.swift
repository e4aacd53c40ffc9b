#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime

    /// One write: how its statements are sent, and the changes that it makes.
    ///
    /// A write on a shared connection sends all of its statements at once; each round of statements
    /// takes effect by itself. On a leased connection, it may be a transaction of several rounds.
    final class PostgreSQLJob: PostgreSQLRunner {
        /// The leased connection; `nil` if the write is on a shared one.
        let connection: PostgreSQLConnection?
        private let shared: SharedConnection?
        /// A hash of the record that is written.
        private let place: Int?
        /// The changes for observers; `nil` if there are none.
        var log: ChangeLog?
        /// Whether a transaction is being committed, so that a lost answer leaves the outcome open.
        var isCommitting = false
        /// Why it is not known whether the operation was committed, if the server can be asked.
        private(set) var lost: PostgreSQLError?
        /// The question to ask then, if the operation was on a shared connection.
        private(set) var question: PostgreSQLWriteQuestion?
        /// The source of the changes of which other programs are told, on a shared connection: there
        /// they are sent with the statements that make them, before it is known what these do.
        let source: UUID?
        /// Whether a record that is written in any case is noted before it is sent.
        var notesFirst: Bool { source != nil }
        /// Whether a statement was sent.
        private(set) var hasStarted = false
        /// Whether the statements that begin the operation have succeeded.
        private(set) var hasBegun = false
        /// Whether each statement is a transaction of its own.
        private(set) var isSingle: Bool
        /// The statements that begin the operation.
        private let begin: [String]
        /// Compares the description of the schemas.
        private let watch: PostgreSQLSchemaWatch?
        /// What is written besides the records, at the end; `nil` inside a transaction.
        private let journal: PostgreSQLJournal?

        /// The references to look for before the commit; `nil` if no tables are distributed, and in
        /// a statement that a node commits by itself.
        let references: CitusReferences?

        /// Creates a write on a leased connection.
        ///
        /// - Parameters:
        ///   - references: receives the references that are written to distributed tables.
        ///   - begin: the statements that begin the operation. They are sent with its first
        ///     statement, so that they cost no round trip.
        ///   - journal: what is written besides the records, if the operation commits by itself.
        init(
            _ connection: PostgreSQLConnection, _ log: ChangeLog?, _ watch: PostgreSQLSchemaWatch,
            beginning begin: [String] = [], journal: PostgreSQLJournal? = nil,
            references: CitusReferences? = nil
        ) {
            self.references = references
            self.connection = connection
            (shared, place) = (nil, nil)
            self.log = log
            self.begin = begin
            self.watch = watch
            self.journal = journal?.isOn ?? false ? journal : nil
            isSingle = begin.isEmpty
            source = nil
        }

        /// Creates a write on a shared connection, which compares the description of the schemas once
        /// for each group of writes.
        ///
        /// - Parameter journal: what is written besides the records.
        init(
            _ shared: SharedConnection, _ log: ChangeLog?, place: Int?, _ journal: PostgreSQLJournal
        ) {
            self.shared = shared
            self.place = place
            self.log = log
            source = journal.isObserving ? journal.source.id : nil
            (connection, watch, self.journal, references) = (nil, nil, nil, nil)
            (begin, isSingle) = ([], true)
        }

        /// Sends the statements that begin the operation, if they were not sent. A body that uses
        /// ``connection`` itself calls it first.
        func start() async throws {
            do {
                _ = try await runAll([])
            } catch let error as PostgreSQLStepError {
                throw error.error
            }
        }

        /// Runs a statement.
        ///
        /// - Throws: `PostgreSQLError`; `PostgreSQLSchemaSignal` if the tables were changed since
        ///   the program has opened them.
        @discardableResult
        func run(
            _ text: String, _ parameters: PostgreSQLParameters
        ) async throws -> PostgreSQLResult {
            if hasStarted, let connection { return try await connection.run(text, parameters) }
            do {
                let results = try await runAll([
                    PostgreSQLConnection.Step(text: text, parameters: parameters)
                ])
                guard let result = results.first else {
                    throw PostgreSQLError(client: "the answer is missing", isConnectionLost: true)
                }
                return result
            } catch let error as PostgreSQLStepError {
                throw error.error
            }
        }

        /// Runs several statements in one round trip.
        ///
        /// - Throws: `PostgreSQLStepError`; `PostgreSQLSchemaSignal`; `SharedRefusal`.
        func runAll(_ steps: [PostgreSQLConnection.Step]) async throws -> [PostgreSQLResult] {
            guard let connection else { return try await runShared(steps) }
            if hasStarted { return try await connection.runAll(steps) }
            // The journal is written when it is known what the operation did.
            if isSingle, journal != nil {
                isSingle = false
                return try await sendFirst(steps, after: ["BEGIN"])
            }
            return try await sendFirst(steps, after: begin)
        }

        /// Runs the statement that ends the operation, of which only the success matters. What is
        /// written besides the records goes with it, in one round trip.
        ///
        /// It also returns if the answer was lost and the server can be asked for it.
        func runLast(_ text: String, _ parameters: PostgreSQLParameters) async throws {
            let step = PostgreSQLConnection.Step(text: text, parameters: parameters)
            guard let connection else {
                do {
                    return try await runAllLast([step])
                } catch let error as PostgreSQLStepError {
                    throw error.error
                }
            }
            guard let journal, isSingle, !hasStarted else {
                try await run(text, parameters)
                return
            }
            isCommitting = true
            try await committing {
                _ = try await sendFirst([step] + journal.steps(connection, log), after: [])
            }
        }

        /// Runs the statements of an operation in one round trip. Only their success matters.
        ///
        /// It also returns if the answer was lost on a shared connection and the server can be asked
        /// for it.
        ///
        /// - Throws: `PostgreSQLStepError`; `PostgreSQLSchemaSignal`; `SharedRefusal`.
        func runAllLast(_ steps: [PostgreSQLConnection.Step]) async throws {
            do {
                _ = try await runAll(steps)
            } catch SharedRefusal.outcomeUnknown(let error, let question?) {
                (lost, self.question) = (error, question)
            }
        }

        /// Commits, if a transaction is open.
        ///
        /// - Parameter isTransaction: whether one must be open. If its connection was lost, this
        ///   throws.
        func end(isTransaction: Bool = false) async throws {
            guard lost == nil, let connection else { return }
            if isTransaction || connection.isInTransaction {
                try await references?.check(connection)
                isCommitting = true
                let steps = journal?.steps(connection, log) ?? []
                try await committing {
                    if steps.isEmpty {
                        try await connection.runSimple("COMMIT")
                    } else {
                        _ = try await connection.runAll(
                            steps + [PostgreSQLConnection.Step(text: "COMMIT")])
                    }
                }
            }
            if let warning = connection.notices.takeCommitWarning() {
                isCommitting = true
                try await committing { throw warning }
            }
        }

        /// Notes an error after which the server can be asked, and throws others.
        private func committing(_ body: () async throws -> Void) async throws {
            var failure: PostgreSQLError
            do {
                return try await body()
            } catch let error as PostgreSQLStepError {
                failure = error.error
            } catch let error as PostgreSQLError {
                failure = error
            }
            if references != nil { failure = failure.ofDistributedCommit }
            guard failure.leavesOutcomeOpen, journal?.isExactlyOnce ?? false else { throw failure }
            lost = failure
        }

        /// Sends the statements that begin the operation, and others.
        private func sendFirst(
            _ steps: [PostgreSQLConnection.Step], after begin: [String]
        ) async throws -> [PostgreSQLResult] {
            guard let connection else { return [] }
            hasStarted = true
            var first = begin.map { PostgreSQLConnection.Step(text: $0) }
            let guardPlace = first.count
            if let step = watch?.step { first.append(step) }
            do {
                let results = try await connection.runAll(first + steps)
                hasBegun = true
                return Array(results.dropFirst(first.count))
            } catch let error as PostgreSQLStepError {
                hasBegun = error.step >= begin.count
                if error.step <= guardPlace, first.count > guardPlace {
                    if Self.isOutdated(error.error) { throw PostgreSQLSchemaSignal() }
                    if error.error.isLockTimeout {
                        throw CRUDRepositoryError.migrating(
                            "PostgreSQL", underlyingError: error.error)
                    }
                }
                guard error.step >= first.count else { throw error.error }
                throw PostgreSQLStepError(error: error.error, step: error.step - first.count)
            }
        }

        private func runShared(
            _ steps: [PostgreSQLConnection.Step]
        ) async throws -> [PostgreSQLResult] {
            guard let shared, !steps.isEmpty else { return [] }
            hasStarted = true
            do {
                return try await shared.run(
                    steps, place: place, noting: notesFirst ? log : nil)
            } catch SharedRefusal.leading(let error) {
                if error.isLockTimeout { throw PostgreSQLMigrationSignal(error: error) }
                throw Self.isOutdated(error) ? PostgreSQLSchemaSignal() : error
            }
        }

        /// Returns whether an error of the comparison means that the table of the description is
        /// gone, or has another revision.
        private static func isOutdated(_ error: PostgreSQLError) -> Bool {
            error.state == "22P02" || error.state == "42P01"
        }
    }

    extension PostgreSQLJob {
        private static let savepoint = "repository_copy"

        /// Sends rows of a table by `COPY`.
        ///
        /// - Parameters:
        ///   - copy: the statements.
        ///   - types: the types of the values.
        ///   - count: the number of rows.
        ///   - row: returns the values of a row, by its number.
        /// - Returns: whether they are stored. If not, one of them violates a constraint or is too
        ///   long, the connection is shared, or columns have other types, for which the server does
        ///   not convert the bytes of a `COPY`; statements for single rows tell which one.
        func copyIn(
            _ copy: PostgreSQLTable.Copy, _ types: [UInt32], count: Int,
            _ row: (Int) throws -> PostgreSQLParameters
        ) async throws -> Bool {
            guard let connection else { return false }
            do {
                try await start()
                // The query also locks the table, so that the types stay what they are. A prepared
                // one would fail where they have changed.
                let results = try await connection.runSimple(
                    "SAVEPOINT \(Self.savepoint); \(copy.columns)")
                guard let found = results.last, (0..<found.columns).map(found.type) == types else {
                    try await connection.runSimple("RELEASE \(Self.savepoint)")
                    return false
                }
                try await connection.copyIn(copy.text, count: count, row)
                try await connection.run("RELEASE \(Self.savepoint)")
                return true
            } catch let error as PostgreSQLError where error.isConstraint || error.isTooLong {
                try await connection.runSimple(
                    "ROLLBACK TO \(Self.savepoint); RELEASE \(Self.savepoint)")
                return false
            } catch let error as PostgreSQLStepError {
                throw error.error
            }
        }
    }
#endif
