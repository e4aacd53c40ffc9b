#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import RepositoryTesting
    import Synchronization
    import Testing

    @testable import RepositoryPostgreSQL

    /// The server of the tests: that of `REPOSITORY_POSTGRESQL`, or one that the first test starts and
    /// that ends with the process.
    enum TestServer {
        /// The address, or why there is no server.
        static let address: Result<String, NoServer> = {
            if let given = ProcessInfo.processInfo.environment["REPOSITORY_POSTGRESQL"],
                !given.isEmpty
            {
                return .success(given)
            }
            return start().map { server in
                running.withLock { $0 = server }
                return server.address
            }
        }()
        /// The server that was started. It stops when its input is closed, at the latest with the
        /// process.
        private static let running = Mutex<(Process, Pipe, address: String)?>(nil)

        /// Starts a server, which stops when the pipe is closed.
        static func start() -> Result<(Process, Pipe, address: String), NoServer> {
            run(script: "postgresql-server", [])
        }

        /// Runs a script that starts a server and prints one line.
        static func run(
            script: String, _ arguments: [String]
        ) -> Result<(Process, Pipe, address: String), NoServer> {
            let script = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: ".ci/\(script)")
            let process = Process()
            process.executableURL = script
            process.arguments = arguments
            let (input, output, errors) = (Pipe(), Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = errors
            do {
                try process.run()
            } catch {
                return .failure(NoServer(reason: "\(error)"))
            }
            let text = String(
                decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self
            ).trimmingCharacters(in: .whitespacesAndNewlines)
            if !text.isEmpty { return .success((process, input, text)) }
            let reason = String(
                decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self
            ).trimmingCharacters(in: .whitespacesAndNewlines)
            return .failure(NoServer(reason: reason))
        }

        /// The port of the server.
        static var port: UInt16? {
            guard case .success(let address) = address else { return nil }
            return address.split(separator: "/").dropFirst().first?.split(separator: ":").last
                .flatMap { UInt16($0) }
        }

        /// Whether there is a server. If not, the tests are skipped, and say why.
        static var isAvailable: Bool {
            if case .success = address { true } else { false }
        }
        /// Why there is no server.
        static var reason: Comment {
            if case .failure(let failure) = address {
                return Comment(rawValue: "No PostgreSQL server: \(failure.reason)")
            }
            return "There is a server."
        }

        struct NoServer: Error {
            let reason: String
        }

        /// A store whose tables are in a schema of its own.
        static func store(_ schema: String, connections: Int = 6) throws -> PostgreSQLStore {
            PostgreSQLStore(
                try address.get(), schema: schema, connections: connections,
                waitTimeout: .seconds(600), lockTimeout: .seconds(600))
        }

        /// Runs statements outside a store.
        static func run(_ statements: String) async throws {
            _ = try await admin.get().leasing { try await $0.runSimple(statements) }
        }

        /// Returns the first value of a query outside a store.
        static func value(_ query: String) async throws -> String? {
            try await admin.get().leasing { connection in
                let result = try await connection.run(query)
                return result.count > 0 ? result.text(0, 0) : nil
            }
        }

        /// Runs statements in a transaction, and keeps it open while a body runs.
        static func holding<R>(_ statements: String, _ body: () async throws -> R) async throws -> R
        {
            try await admin.get().leasing { connection in
                try await connection.transaction {
                    try await connection.runSimple(statements)
                    return try await body()
                }
            }
        }

        /// The address with another setting.
        static func address(_ setting: String) throws -> String {
            let address = try address.get()
            return address + (address.contains("?") ? "&" : "?") + setting
        }

        /// Returns the number that a statement returns.
        static func number(_ statement: String) async throws -> Int {
            try await admin.get().leasing { Int(try await $0.run(statement).integer(0, 0) ?? -1) }
        }

        private static let admin = address.map(pool)

        /// Connections of a test.
        static func pool(_ address: String) -> PostgreSQLPoolAccess {
            PostgreSQLPoolAccess(
                ConnectionPool(
                    address, settings: ["client_min_messages = warning"], limit: 4,
                    connectTimeout: .seconds(10), waitTimeout: .seconds(600)), StoreChanges())
        }

        /// Creates a store at a place of the conformance suite.
        static let harness = harness(connections: 6)

        /// Creates a store at a place of the conformance suite.
        static func harness(connections: Int) -> StoreHarness {
            StoreHarness(
                damage: { place, table, id in
                    // No bytes of a column can be unreadable: a required field loses its value.
                    let name = "\"\(place.name)\".\"\(table.name)\""
                    let text = table.layout.fields.indices.first {
                        table.layout.fields[$0].type == .text && !table.key.contains($0)
                            && !table.layout.fields[$0].isOptional
                    }
                    guard let text else { return }
                    let column = table.fields[text].column
                    // One statement a message, which distributed tables need.
                    try await run("ALTER TABLE \(name) ALTER COLUMN \"\(column)\" DROP NOT NULL")
                    try await run(
                        """
                        UPDATE \(name) SET "\(column)" = NULL \
                        WHERE upper("\(table.fields[table.key[0]].column)"::text) = upper('\(id)')
                        """)
                },
                cleanUp: { place in
                    try await run("DROP SCHEMA IF EXISTS \"\(place.name)\" CASCADE")
                }
            ) { place in
                try store(place.name, connections: connections)
            }
        }
    }

    /// Checks behaviours, some at a time, and records those that fail.
    ///
    /// - Returns: the number of those that passed. Some do not apply to the store.
    func checkAll(_ chosen: [StoreBehaviour], _ harness: StoreHarness) async -> Int {
        var passed = 0
        for (behaviour, result) in await StoreBehaviour.checkAll(
            chosen, { try await $0.check(harness) })
        {
            switch result {
            case .success(.passed): passed += 1
            case .success: break
            case .failure(let error): Issue.record("\(behaviour.id): \(error)")
            }
        }
        return passed
    }
#endif
