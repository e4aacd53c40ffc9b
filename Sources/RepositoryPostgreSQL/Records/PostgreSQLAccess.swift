#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import Synchronization

    /// How much of an operation is undone when it fails.
    enum PostgreSQLIsolation: Sendable {
        /// Statements that are sent in rounds, each of which is atomic by itself.
        case statement
        /// All statements, in one transaction. The setting is run at its beginning, the check at
        /// its end.
        case batch(setting: String?, check: String?)
        /// All statements, in one serializable transaction, which may run again.
        case serializable(setting: String?, check: String?)
    }

    /// Whether a write may be on a connection with those of other tasks.
    enum PostgreSQLSharing: Sendable {
        case never
        /// It may. The caller needs the result, which is lost with the answer even if the server can
        /// be asked whether the write happened.
        case ifAnswered
        /// It may. Only the success matters.
        case always
    }

    /// Returns the error to throw for an error of the database, after a write was undone.
    ///
    /// - Parameter step: the number of the statement that failed; `nil` if it is not known.
    typealias PostgreSQLDiagnose =
        @Sendable (PostgreSQLError, _ step: Int?, any PostgreSQLRunner) async throws ->
        CRUDRepositoryError

    /// Decides which connection an operation uses.
    protocol PostgreSQLAccess: Sendable {
        /// Whether tables are distributed over the nodes of a cluster.
        var isSpread: Bool { get }
        /// Runs a read of single rows by their ids, which takes the server little time.
        func look<R: Sendable>(
            _ body: @escaping @Sendable (any PostgreSQLRunner) async throws -> R
        ) async throws -> R
        /// Runs one statement that reads single rows by their ids.
        func look(
            _ text: String, _ parameters: PostgreSQLParameters
        ) async throws -> PostgreSQLResult
        /// Runs a read. It may run again on another connection if the first one was lost.
        func read<R: Sendable>(
            _ body: @escaping @Sendable (PostgreSQLConnection) async throws -> R
        ) async throws -> R
        /// Runs a write, and returns when its changes are as durable as the access makes them.
        ///
        /// - Parameters:
        ///   - sharing: whether the write may be on a shared connection. Then it is one round trip.
        ///   - place: a hash of the record that is written.
        ///   - body: the write. It may run again after it was undone.
        ///   - diagnose: returns the error to throw for an error of the database, after the write
        ///     was undone.
        func write<R: Sendable>(
            _ isolation: PostgreSQLIsolation, sharing: PostgreSQLSharing, place: Int?,
            _ body: @escaping @Sendable (PostgreSQLJob) async throws -> R,
            diagnose: @escaping PostgreSQLDiagnose
        ) async throws -> R
    }

    extension PostgreSQLAccess {
        /// Runs a write on a leased connection.
        func write<R: Sendable>(
            _ isolation: PostgreSQLIsolation,
            _ body: @escaping @Sendable (PostgreSQLJob) async throws -> R,
            diagnose: @escaping PostgreSQLDiagnose
        ) async throws -> R {
            try await write(isolation, sharing: .never, place: nil, body, diagnose: diagnose)
        }
    }
#endif
