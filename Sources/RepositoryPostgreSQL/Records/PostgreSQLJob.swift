#if PostgreSQL
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
        /// The statements that are sent with the first one; none once they were sent.
        private var prefix: [PostgreSQLConnection.Step] = []
        /// Whether a statement was sent.
        private(set) var hasStarted = false
        /// The number of the statement among them that compares the description of the schemas.
        private let guardPlace: Int?

        /// Creates a write on a leased connection.
        ///
        /// - Parameter begin: the statements that begin the operation. They are sent with its first
        ///   statement, so that they cost no round trip.
        init(
            _ connection: PostgreSQLConnection, _ log: ChangeLog?, _ watch: PostgreSQLSchemaWatch,
            beginning begin: [String] = []
        ) {
            self.connection = connection
            (shared, place) = (nil, nil)
            self.log = log
            prefix = begin.map { PostgreSQLConnection.Step(text: $0) }
            let step = watch.step
            guardPlace = step == nil ? nil : prefix.count
            if let step { prefix.append(step) }
        }

        /// Creates a write on a shared connection, which compares the description of the schemas once
        /// for each group of writes.
        init(_ shared: SharedConnection, _ log: ChangeLog?, place: Int?) {
            self.shared = shared
            self.place = place
            self.log = log
            (connection, guardPlace) = (nil, nil)
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
            if prefix.isEmpty, let connection {
                hasStarted = true
                return try await connection.run(text, parameters)
            }
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
            let first = prefix
            hasStarted = true
            guard let connection else { return try await runShared(steps) }
            if first.isEmpty { return try await connection.runAll(steps) }
            prefix = []
            do {
                return Array(try await connection.runAll(first + steps).dropFirst(first.count))
            } catch let error as PostgreSQLStepError {
                if error.step == guardPlace, Self.isOutdated(error.error) {
                    throw PostgreSQLSchemaSignal()
                }
                guard error.step >= first.count else { throw error.error }
                throw PostgreSQLStepError(error: error.error, step: error.step - first.count)
            }
        }

        private func runShared(
            _ steps: [PostgreSQLConnection.Step]
        ) async throws -> [PostgreSQLResult] {
            guard let shared, !steps.isEmpty else { return [] }
            do {
                return try await shared.run(steps, place: place)
            } catch SharedRefusal.leading(let error) {
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

        /// Sends rows by `COPY`.
        ///
        /// - Parameters:
        ///   - text: the statement.
        ///   - count: the number of rows.
        ///   - row: returns the values of a row, by its number.
        /// - Returns: whether they are stored. If not, one of them violates a constraint, or the
        ///   connection is shared; statements for single rows tell which one.
        func copyIn(
            _ text: String, count: Int, _ row: (Int) throws -> PostgreSQLParameters
        ) async throws -> Bool {
            guard let connection else { return false }
            do {
                _ = try await runAll([.init(text: "SAVEPOINT \(Self.savepoint)")])
                try await connection.copyIn(text, count: count, row)
                try await connection.run("RELEASE \(Self.savepoint)")
                return true
            } catch let error as PostgreSQLError where error.isConstraint {
                try await connection.runSimple(
                    "ROLLBACK TO \(Self.savepoint); RELEASE \(Self.savepoint)")
                return false
            } catch let error as PostgreSQLStepError {
                throw error.error
            }
        }
    }
#endif
