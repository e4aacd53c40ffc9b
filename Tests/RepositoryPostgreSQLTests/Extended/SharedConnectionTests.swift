#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Synchronization
    import Testing

    @testable import RepositoryPostgreSQL

    /// Requests on one shared connection. They are sent when all of them wait, so that they are one
    /// group.
    @Suite(
        "PostgreSQL: requests of a shared connection",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct SharedConnectionTests {
        private typealias Step = PostgreSQLConnection.Step

        /// What a test has: a table with an id and a text, and a connection that is not there yet.
        private struct Place {
            let schema: String
            let pool: ConnectionPool
            let shared: SharedConnection
            /// The only connection of the pool. When it is given back, the requests are sent.
            let lease: PostgreSQLConnection

            func start() { pool.giveBack(lease) }

            func insert(_ id: Int, _ text: String = "") -> [Step] {
                [
                    Step(
                        text: "INSERT INTO t VALUES ($1, $2)",
                        parameters: Self.parameters(id, text))
                ]
            }

            func select(_ id: Int) -> [Step] {
                var parameters = PostgreSQLParameters()
                parameters.append(PostgreSQLType.int8) { $0.append(Int64(id)) }
                return [Step(text: "SELECT x FROM t WHERE id = $1", parameters: parameters)]
            }

            func update(_ id: Int, _ text: String) -> [Step] {
                [
                    Step(
                        text: "UPDATE t SET x = $2 WHERE id = $1",
                        parameters: Self.parameters(id, text))
                ]
            }

            private static func parameters(_ id: Int, _ text: String) -> PostgreSQLParameters {
                var parameters = PostgreSQLParameters()
                parameters.append(PostgreSQLType.int8) { $0.append(Int64(id)) }
                parameters.append(PostgreSQLType.text) { $0.append(contentsOf: text.utf8) }
                return parameters
            }

            /// Starts requests, and returns their tasks when all wait.
            func waiting(
                _ requests: [[PostgreSQLConnection.Step]], places: [Int?] = []
            ) async throws -> [Task<[PostgreSQLResult], any Error>] {
                var tasks: [Task<[PostgreSQLResult], any Error>] = []
                for (number, steps) in requests.enumerated() {
                    let place = places.isEmpty ? nil : places[number]
                    tasks.append(Task { [shared] in try await shared.run(steps, place: place) })
                    // One after another, so that their order is known.
                    while shared.counts.waiting < tasks.count { await Task.yield() }
                }
                return tasks
            }

            /// The number of rows, and of the transactions that have written them.
            func rows() async throws -> (count: Int, transactions: Int) {
                (
                    try await TestServer.number("SELECT count(*) FROM \"\(schema)\".t"),
                    try await TestServer.number(
                        "SELECT count(DISTINCT xmin::text) FROM \"\(schema)\".t")
                )
            }
        }

        private func with(
            _ kind: SharedPipeline.Kind, lockTimeout: Duration = .milliseconds(100),
            leading: @escaping @Sendable () -> PostgreSQLConnection.Step? = { nil },
            _ body: (Place) async throws -> Void
        ) async throws {
            let schema = "shared-\(UUID().uuidString)"
            try await TestServer.run(
                """
                CREATE SCHEMA "\(schema)"; \
                CREATE TABLE "\(schema)".t (id bigint PRIMARY KEY, x text, \
                parent bigint REFERENCES "\(schema)".t DEFERRABLE INITIALLY DEFERRED); \
                INSERT INTO "\(schema)".t VALUES (0, 'zero')
                """)
            let pool = ConnectionPool(
                try TestServer.address("application_name=\(schema)"),
                settings: ["search_path TO \"\(schema)\""], limit: 1, connectTimeout: .seconds(10),
                waitTimeout: .seconds(600))
            let shared = SharedConnection(kind, pool, lockTimeout: lockTimeout, leading: leading)
            try await body(
                Place(schema: schema, pool: pool, shared: shared, lease: pool.lease(nil)))
            shared.close()
            pool.close()
            #expect(pool.counts.open == 0)
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        private func state(_ task: Task<[PostgreSQLResult], any Error>) async -> String {
            switch await task.result {
            case .success: "done"
            case .failure(let error as PostgreSQLStepError): error.error.state ?? "?"
            case .failure(let error as PostgreSQLError): error.state ?? "?"
            case .failure(let error): "\(error)"
            }
        }

        @Test func waitingWritesAreOneCommit() async throws {
            try await with(.writes) { place in
                let tasks = try await place.waiting((1...40).map { place.insert($0) })
                place.start()
                for task in tasks { #expect(await state(task) == "done") }
                #expect(try await place.rows() == (41, 2))
                let counts = place.shared.counts.counts
                #expect(counts.groups == 1 && counts.largestGroup == 40 && counts.requests == 40)
            }
        }

        @Test func oneOfAGroupThatFailsFailsAlone() async throws {
            try await with(.writes) { place in
                var requests = (1...20).map { place.insert($0) }
                requests.insert(place.insert(0), at: 10)
                let tasks = try await place.waiting(requests)
                place.start()
                for (number, task) in tasks.enumerated() {
                    #expect(await state(task) == (number == 10 ? "23505" : "done"))
                }
                // Each of the others was repeated by itself.
                #expect(try await place.rows() == (21, 21))
                #expect(place.shared.counts.counts.undoneGroups == 2)
            }
        }

        @Test func errorsOfTheCommitAreThoseOfOneWrite() async throws {
            try await with(.writes) { place in
                let dangling = Step(text: "INSERT INTO t VALUES (100, '', 99)")
                let tasks = try await place.waiting(
                    [place.insert(1), [dangling], place.insert(2)])
                place.start()
                #expect(await state(tasks[0]) == "done")
                #expect(await state(tasks[1]) == "23503")
                #expect(await state(tasks[2]) == "done")
                #expect(try await place.rows().count == 3)
            }
        }

        @Test func writeOfSeveralStatementsIsOneUnit() async throws {
            try await with(.writes) { place in
                let tasks = try await place.waiting([
                    place.insert(1) + place.insert(2) + place.insert(0), place.insert(3),
                ])
                place.start()
                #expect(await state(tasks[0]) == "23505")
                #expect(await state(tasks[1]) == "done")
                #expect(try await place.rows().count == 2)
            }
        }

        @Test func readsBehindOneThatFailsAreSentAgain() async throws {
            try await with(.reads) { place in
                var requests = (0..<12).map { _ in place.select(0) }
                requests.insert([Step(text: "SELECT 1 / (x = 'zero')::int - 1 / 0 FROM t")], at: 5)
                let tasks = try await place.waiting(requests)
                place.start()
                for (number, task) in tasks.enumerated() {
                    if number == 5 {
                        #expect(await state(task) == "22012")
                    } else {
                        #expect(try await task.value.first?.text(0, 0) == "zero")
                    }
                }
            }
        }

        @Test func groupsHaveAGreatestSize() async throws {
            try await with(.writes) { place in
                let tasks = try await place.waiting((1...150).map { place.insert($0) })
                place.start()
                for task in tasks { #expect(await state(task) == "done") }
                let counts = place.shared.counts.counts
                #expect(counts.groups == 3 && counts.largestGroup == 64)
            }
            try await with(.reads) { place in
                let tasks = try await place.waiting((1...40).map { place.select($0) })
                place.start()
                for task in tasks { #expect(await state(task) == "done") }
                let counts = place.shared.counts.counts
                #expect(counts.groups == 3 && counts.largestGroup == 16)
            }
        }

        @Test func writeThatWaitsForALockIsMovedWithThoseOfItsRecord() async throws {
            try await with(.writes) { place in
                let tasks = try await place.waiting(
                    [
                        place.insert(1), place.update(0, "a"), place.insert(2),
                        place.update(0, "b"),
                    ], places: [1, 0, 2, 0])
                try await TestServer.holding(
                    "UPDATE \"\(place.schema)\".t SET x = 'held' WHERE id = 0"
                ) {
                    place.start()
                    for (number, task) in tasks.enumerated() {
                        #expect(await state(task) == (number % 2 == 0 ? "done" : "needsLease"))
                    }
                    // Only the first one has waited; and so it is as long as it runs elsewhere.
                    #expect(place.shared.counts.counts.undoneGroups == 1)
                    let later = Task { try await place.shared.run(place.update(0, "c"), place: 0) }
                    #expect(await state(later) == "needsLease")
                    #expect(place.shared.counts.counts.undoneGroups == 1)
                }
                for _ in 0..<3 { place.shared.endLease(of: 0) }
                let last = Task { try await place.shared.run(place.update(0, "d"), place: 0) }
                #expect(await state(last) == "done")
            }
        }

        @Test func cancelledWriteIsNotDoneOrReported() async throws {
            try await with(.writes, lockTimeout: .seconds(600)) { place in
                let tasks = try await place.waiting([
                    place.insert(1), place.insert(2), place.update(0, "c"),
                ])
                tasks[1].cancel()
                await #expect(throws: CancellationError.self) { try await tasks[1].value }
                try await TestServer.holding(
                    "UPDATE \"\(place.schema)\".t SET x = 'held' WHERE id = 0"
                ) {
                    place.start()
                    while try await TestServer.number(
                        "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(place.schema)' AND wait_event_type = 'Lock'"
                    ) == 0 {}
                    // It was sent, and waits for the lock.
                    tasks[2].cancel()
                    tasks[0].cancel()
                }
                #expect(await state(tasks[0]) == "done")
                #expect(await state(tasks[2]) == "done")
                #expect(try await place.rows().count == 2)
            }
        }

        @Test func undoneWritesOfALostConnectionRunAgain() async throws {
            try await with(.writes, lockTimeout: .seconds(600)) { place in
                let tasks = try await place.waiting([
                    place.insert(1), place.update(0, "c"), place.insert(2),
                ])
                try await TestServer.holding(
                    "UPDATE \"\(place.schema)\".t SET x = 'held' WHERE id = 0"
                ) {
                    place.start()
                    let own = "application_name = '\(place.schema)' AND wait_event_type = 'Lock'"
                    while try await TestServer.number(
                        "SELECT count(*) FROM (SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(own)) AS ended"
                    ) == 0 {}
                }
                for task in tasks { #expect(await state(task) == "done") }
                #expect(try await place.rows().count == 3)
                #expect(place.shared.counts.counts.lost == 1)
            }
        }

        @Test func preparedStatementsThatFitNoMoreArePreparedAgain() async throws {
            for kind in [SharedPipeline.Kind.reads, .writes] {
                try await with(kind) { place in
                    place.start()
                    let star = [Step(text: "SELECT * FROM t WHERE id = 0")]
                    #expect(try await place.shared.run(star).first?.columns == 3)
                    try await TestServer.run("ALTER TABLE \"\(place.schema)\".t ADD y text")
                    #expect(try await place.shared.run(star).first?.columns == 4)
                    #expect(try await place.shared.run(star).first?.columns == 4)
                }
            }
        }

        @Test func manyTextsArePreparedInTurn() async throws {
            try await with(.reads) { place in
                place.start()
                for number in 0..<1_000 {
                    let result = try await place.shared.run([Step(text: "SELECT \(number)::bigint")]
                    )
                    #expect(result.first?.integer(0, 0) == Int64(number))
                }
            }
        }

        @Test func failureOfTheLeadingStatementUndoesTheGroup() async throws {
            let isChanged = Mutex(true)
            try await with(
                .writes,
                leading: {
                    Step(text: "SELECT CAST('\(isChanged.withLock { $0 } ? "x" : "1")' AS integer)")
                }
            ) { place in
                let tasks = try await place.waiting([place.insert(1), place.insert(2)])
                place.start()
                for task in tasks { #expect(await state(task).hasPrefix("leading(22P02")) }
                #expect(try await place.rows().count == 1)
                isChanged.withLock { $0 = false }
                let later = Task { try await place.shared.run(place.insert(1)) }
                #expect(await state(later) == "done")
            }
        }

        @Test func connectionsThatWereIdleAreTried() async throws {
            let name = "idle-\(UUID().uuidString)"
            let pool = ConnectionPool(
                try TestServer.address("application_name=\(name)"), settings: [], limit: 2,
                connectTimeout: .seconds(10), waitTimeout: .seconds(600), unproven: .zero)
            let shared = SharedConnection(.writes, pool, lockTimeout: .seconds(1))
            let end =
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'"
            for number in 0..<20 {
                let results = try await shared.run([Step(text: "SELECT \(number % 3)::bigint")])
                #expect(results.first?.integer(0, 0) == Int64(number % 3))
                let connection = try await pool.lease(nil)
                try await connection.run("SELECT 1")
                pool.giveBack(connection)
                // Nothing is sent on a connection that is gone.
                if number % 5 == 0 { try await TestServer.run(end) }
            }
            #expect(pool.numbers.failed == 0 && pool.counts.open == 2)
            shared.close()
            pool.close()
        }

        @Test func writesWhoseConnectionCannotBeOpenedFail() async throws {
            let pool = ConnectionPool(
                "postgresql://repository@127.0.0.1:1/postgres", settings: [], limit: 1,
                connectTimeout: .seconds(2), waitTimeout: .seconds(2))
            let shared = SharedConnection(.writes, pool, lockTimeout: .seconds(1))
            for _ in 0..<3 {
                let error = await #expect(throws: SharedRefusal.self) {
                    try await shared.run([Step(text: "SELECT 1")])
                }
                guard case .unconnected(let cause as PostgreSQLError)? = error else {
                    Issue.record("It says something else: \(String(describing: error))")
                    return
                }
                #expect(cause.isConnectionLost)
            }
            #expect(pool.numbers.failed == 3 && pool.counts.open == 0)
        }
    }
#endif
