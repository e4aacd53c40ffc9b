import Foundation
import RepositoryRuntime

#if POSTGRES_NIO
    import PostgresNIO
#endif

/// PostgresNIO, if the environment names a folder with a copy of it in `POSTGRES_NIO`.
struct PostgresNIOClient: Sendable {
    static let name = "PostgresNIO"

    #if POSTGRES_NIO
        private let client: PostgresClient

        /// Connects to the server of an address, with at most eight connections.
        init?(_ address: String) {
            guard let parts = URLComponents(string: address), let host = parts.host else {
                return nil
            }
            var configuration = PostgresClient.Configuration(
                host: host, port: parts.port ?? 5432, username: parts.user ?? "postgres",
                password: parts.password,
                database: parts.path.isEmpty ? nil : String(parts.path.dropFirst()), tls: .disable)
            configuration.options.maximumConnections = 8
            let client = PostgresClient(configuration: configuration)
            self.client = client
            Task { await client.run() }
        }

        /// Reads the record with an id.
        func read(_ id: String) async throws -> Reading? {
            let rows = try await client.query(
                "SELECT \(unescaped: RawPostgreSQL.columns) FROM benchmarks.readings WHERE id = \(id)"
            )
            for try await reading in decoded(rows) { return reading }
            return nil
        }

        /// Calls a closure with each record, in id order.
        func forEach(_ body: (Reading) -> Void) async throws {
            let rows = try await client.query(
                "SELECT \(unescaped: RawPostgreSQL.columns) FROM benchmarks.readings ORDER BY id")
            for try await reading in decoded(rows) { body(reading) }
        }

        /// Stores a record.
        func create(_ reading: Reading) async throws {
            try await client.query(
                """
                INSERT INTO benchmarks.readings (\(unescaped: RawPostgreSQL.columns)) VALUES (
                    \(reading.id.rawValue), \(reading.station), \(reading.quantity), \(reading.note),
                    \(reading.count), \(reading.value), \(reading.isValid), \(reading.takenAt))
                """)
        }

        private func decoded(
            _ rows: PostgresRowSequence
        ) -> AsyncThrowingMapSequence<
            AsyncThrowingMapSequence<
                PostgresRowSequence,
                (String, String, String, String, Int, Double, Bool, Date)
            >, Reading
        > {
            rows.decode((String, String, String, String, Int, Double, Bool, Date).self).map {
                Reading(
                    id: Reading.ID($0.0), station: $0.1, quantity: $0.2, note: $0.3, count: $0.4,
                    value: $0.5, isValid: $0.6, takenAt: $0.7)
            }
        }
    #else
        /// Returns nil: there is no copy, so that nothing calls the other methods.
        init?(_ address: String) { nil }

        func read(_ id: String) async throws -> Reading? { nil }

        func forEach(_ body: (Reading) -> Void) async throws {}

        func create(_ reading: Reading) async throws {}
    #endif
}
