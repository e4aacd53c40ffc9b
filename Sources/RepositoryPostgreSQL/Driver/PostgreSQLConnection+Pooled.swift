#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation
    internal import RepositoryRuntime

    /// Connections through a pooler, such as PgBouncer, that gives each transaction any session of the
    /// server.
    ///
    /// A statement that one client prepares in such a session would be run by another client under the
    /// same name, and a setting would be that of other clients. Therefore statements have no name, and
    /// the settings are sent with each transaction.
    extension PostgreSQLConnection {
        /// Finds out whether the server's session belongs to this connection, and if so sets it up.
        ///
        /// - Throws: `PostgreSQLError`, also if the server would not check what is written.
        func setUp(_ settings: [String]) async throws {
            let answer = try await runSimple(
                "SELECT pg_backend_pid()::text, current_setting('session_replication_role', true)")
            guard answer.first?.text(0, 1) != "replica" else {
                throw PostgreSQLError(
                    client: "'session_replication_role' is 'replica' for this role or database, "
                        + "so that references and unique values would not be checked")
            }
            // A pooler gives its clients numbers of its own.
            isPooled = answer.first?.text(0, 0) != "\(PQbackendPID(handle))"
            self.settings = settings
            if isPooled { return }
            try await runSimple(settings.map { "SET \($0)" }.joined(separator: "; "))
        }

        /// The statements that make the settings for one transaction, if one is about to begin.
        var localSettings: [String] {
            guard isPooled, !isInTransaction else { return [] }
            return settings.map { "SET LOCAL \($0)" }
        }

        /// Whether the server has `LOCK TABLE`. CockroachDB has not; there, a serializable
        /// transaction that has read an old row conflicts with whoever has changed it.
        var locksTables: Bool { PQparameterStatus(handle, "crdb_version") == nil }

        /// Returns whether a text begins a transaction.
        static func begins(_ text: String) -> Bool { text.hasPrefix("BEGIN") }

        /// Returns statements with the settings, in one transaction. `BEGIN` must come first.
        static func adding(_ settings: [String], to text: String) -> String {
            let settings = settings.joined(separator: "; ")
            guard begins(text) else { return "\(settings); \(text)" }
            let begin = text.prefix { $0 != ";" }
            return "\(begin); \(settings)\(text.dropFirst(begin.count))"
        }

        /// Runs one statement.
        func runUnnamed(
            _ text: String, _ parameters: PostgreSQLParameters
        ) async throws -> PostgreSQLResult {
            do {
                let results = try await runAllUnnamed([Step(text: text, parameters: parameters)])
                guard let result = results.first else { throw lost() }
                return result
            } catch let error as PostgreSQLStepError {
                throw error.error
            }
        }

        /// Runs several statements in one round trip, and in one transaction.
        func runAllUnnamed(_ steps: [Step]) async throws -> [PostgreSQLResult] {
            guard !steps.isEmpty else { return [] }
            let settings = localSettings.map { Step(text: $0) }
            let place = Self.begins(steps[0].text) ? 1 : 0
            do {
                var results = try await runPipeline(
                    Array(steps[..<place]) + settings + Array(steps[place...]))
                results.removeSubrange(place..<(place + settings.count))
                return results
            } catch let error as PostgreSQLStepError {
                guard error.step >= place else { throw error }
                guard error.step >= place + settings.count else { throw error.error }
                throw PostgreSQLStepError(error: error.error, step: error.step - settings.count)
            }
        }

        /// Sends a statement of a pipeline.
        func sendUnnamed(_ step: Step) -> Bool {
            let types = step.parameters.types
            return step.parameters.withPointers { values, lengths, formats in
                PQsendQueryParams(
                    handle, step.text, Int32(types.count), types, values, lengths, formats, 1) == 1
            }
        }

        /// Returns the lines of the plan of a statement. Its name is gone before the session can be
        /// that of another client.
        func explainUnnamed(_ text: String, _ types: [UInt32]) async throws -> [String] {
            if isInTransaction { return try await explainInside(text, types) }
            return try await transaction { try await explainInside(text, types) }
        }

        private func explainInside(_ text: String, _ types: [UInt32]) async throws -> [String] {
            let name = "\"\(UUID().uuidString)\""
            let given =
                types.isEmpty ? "" : "(\(types.map { _ in "NULL" }.joined(separator: ", ")))"
            try await runSimple("SET LOCAL plan_cache_mode = force_generic_plan")
            guard
                PQsendPrepare(
                    handle, String(name.dropFirst().dropLast()), text, Int32(types.count), types)
                    == 1
            else { throw lost() }
            _ = try await results()
            let found = try await runSimple("EXPLAIN EXECUTE \(name)\(given)")
            try await runSimple("DEALLOCATE \(name); RESET plan_cache_mode")
            return found.flatMap { result in
                (0..<result.count).compactMap { result.text($0, 0) }
            }
        }

        /// Resets what functions of the database may have changed in the session: its role,
        /// settings, locks and temporary tables. The session of a pooler is not this connection's
        /// own.
        func resetSession() async throws {
            guard resetsSession, !isPooled else { return }
            resetsSession = false
            let texts =
                ["RESET SESSION AUTHORIZATION", "RESET ALL"] + settings.map { "SET \($0)" }
                + ["SELECT pg_advisory_unlock_all()", "DISCARD TEMP"]
            try await runSimple(texts.joined(separator: "; "))
        }

        /// Closes the connection when it is given back, because what belongs to its session may be
        /// changed.
        ///
        /// - Throws: `unsupported` behind a pooler, whose session others would get.
        func closeAfterwards() throws {
            guard !isPooled else {
                throw CRUDRepositoryError.unsupported(
                    "what may change the session of a connection pooler", by: "PostgreSQL")
            }
            closesAfterwards = true
        }
    }
#endif
