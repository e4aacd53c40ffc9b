#if PostgreSQL
    import Foundation
    import RepositoryPostgreSQL
    import RepositoryRuntime
    import Testing

    /// The server of the tests: that of `REPOSITORY_POSTGRESQL`, or one that the first test starts
    /// and that ends with the process. The databases are made by `psql`, as another program would.
    enum ShopServer {
        static let tests = URL(filePath: #filePath).deletingLastPathComponent()

        /// The address of a database for administration, or why there is no server.
        static let address: Result<String, NoServer> = {
            let given = ProcessInfo.processInfo.environment["REPOSITORY_POSTGRESQL"] ?? ""
            if !given.isEmpty { return .success(given) }
            let process = Process()
            process.executableURL = tests.appending(path: "../../.ci/postgresql-server")
            let (output, errors) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = errors
            do {
                try process.run()
                let text = try output.fileHandleForReading.readToEnd() ?? Data()
                let found = String(decoding: text, as: UTF8.self)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                if found.hasPrefix("postgresql://") { return .success(found) }
                let reason = try errors.fileHandleForReading.readToEnd() ?? Data()
                return .failure(NoServer(reason: String(decoding: reason, as: UTF8.self)))
            } catch {
                return .failure(NoServer(reason: "\(error)"))
            }
        }()
        private static let input = Pipe()

        struct NoServer: Error {
            let reason: String
        }

        /// Whether there are a server and `psql`. If not, the tests are skipped, and say why.
        static var isAvailable: Bool {
            do {
                return try !rows("SELECT 1", in: address.get()).isEmpty
            } catch {
                return false
            }
        }
        static var reason: Comment {
            if case .failure(let failure) = address {
                return Comment(rawValue: "No PostgreSQL server: \(failure.reason)")
            }
            return "The client 'psql' is needed."
        }

        /// Runs statements with `psql` and returns the lines that it writes, with `|` between values.
        @discardableResult
        static func rows(_ statements: String, in address: String) throws -> [String] {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                "psql", "-X", "-q", "-A", "-t", "-w", "-v", "ON_ERROR_STOP=1", "-P",
                "null=NULL", "-d", address, "-c", "SET TIME ZONE 'UTC'", "-c", statements,
            ]
            let (output, errors) = (Pipe(), Pipe())
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw NoServer(reason: String(decoding: complaint, as: UTF8.self))
            }
            return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        }

        /// The database that all others are copies of.
        private static let template = Result {
            let name = "shop_\(UInt32.random(in: 0 ... .max))"
            try rows("CREATE DATABASE \(name)", in: address.get())
            let sql = try String(
                contentsOf: tests.appending(path: "database.sql"), encoding: .utf8)
            try rows(sql, in: place(name))
            return name
        }

        private static func place(_ name: String) throws -> String {
            let given = try address.get()
            guard let end = given.lastIndex(of: "/") else { return given }
            return "\(given[...end])\(name)"
        }

        /// Calls `body` with a new database.
        static func withShop(
            _ changes: String = "", _ body: (ShopDatabase) async throws -> Void
        ) async throws {
            let name = "shop_\(UInt64.random(in: 0 ... .max))"
            try await turn.take {
                // A database that somebody is connected to cannot be copied.
                try rows("CREATE DATABASE \(name) TEMPLATE \(template.get())", in: address.get())
            }
            let database = ShopDatabase(address: try place(name))
            if !changes.isEmpty { try database.run(changes) }
            try await body(database)
            try await drop(name)
        }

        /// Drops a database from a thread of its own. The server waits until every connection has noticed, also one in the
        /// middle of a `COPY`, which would never end if the threads of all tasks waited for the drops of two databases.
        private static func drop(_ name: String) async throws {
            let address = try address.get()
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result {
                            _ = try rows("DROP DATABASE \(name) WITH (FORCE)", in: address)
                        })
                }
            }
        }

        private static let turn = Turn()

        /// Lets one task at a time copy the template.
        private actor Turn {
            func take(_ body: @Sendable () throws -> Void) throws { try body() }
        }
    }

    /// A database that is made of `database.sql`.
    struct ShopDatabase {
        let address: String

        /// Runs statements as another program.
        func run(_ statements: String) throws { try ShopServer.rows(statements, in: address) }

        /// Returns the rows of a query, with `|` between values.
        func rows(_ query: String) throws -> [String] {
            try ShopServer.rows(query, in: address)
        }

        /// Opens the imported tables and closes the store after `body`.
        func withShop(
            _ body: (Shop, PostgreSQLStore) async throws -> Void
        ) async throws {
            let store = PostgreSQLStore(address, connections: 3)
            let context = RepositoryContext(store: store, schema: Shop.schema, fullScans: .allow)
            try await body(Shop(context: context), store)
            try await store.close()
        }
    }
#endif
