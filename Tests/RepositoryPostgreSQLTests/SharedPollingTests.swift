#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL

    /// Reads whose callers wait for the answers themselves.
    @Suite(
        "PostgreSQL: reads that wait on the threads of their callers",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct SharedPollingTests {
        private typealias Step = PostgreSQLConnection.Step

        /// - Parameter longestTrip: the time that answers may take.
        private func with(
            longestTrip: Duration = .seconds(600),
            _ body: (_ shared: SharedConnection, _ name: String) async throws -> Void
        ) async throws {
            let name = "polling-\(UUID().uuidString)"
            let pool = ConnectionPool(
                try TestServer.address("application_name=\(name)"), settings: [], limit: 1,
                connectTimeout: .seconds(10), waitTimeout: .seconds(600))
            let shared = SharedConnection(
                .reads, pool, lockTimeout: .seconds(600), longestTrip: longestTrip)
            try await body(shared, name)
            shared.close()
            pool.close()
            #expect(pool.counts.open == 0)
        }

        private func read(_ number: Int, _ shared: SharedConnection) async throws {
            var parameters = PostgreSQLParameters()
            parameters.append(PostgreSQLType.int8) { $0.append(Int64(number)) }
            let step = Step(text: "SELECT $1", parameters: parameters)
            let results = try await shared.run([step])
            #expect(results.count == 1 && results.first?.integer(0, 0) == Int64(number))
        }

        private func end(_ name: String) async throws {
            try await TestServer.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'"
            )
        }

        @Test func readsOfOneTask() async throws {
            try await with { shared, _ in
                for number in 0..<1_000 { try await read(number, shared) }
                #expect(shared.counts.counts.polled >= 900)
                #expect(shared.counts.counts.requests == 1_000)
            }
        }

        @Test func slowServersAreNotWaitedFor() async throws {
            try await with(longestTrip: .zero) { shared, _ in
                for number in 0..<100 { try await read(number, shared) }
                #expect(shared.counts.counts.polled == 0)
            }
        }

        @Test func errorsReachTheCaller() async throws {
            try await with { shared, _ in
                for number in 0..<100 {
                    try await read(number, shared)
                    let error = await #expect(throws: PostgreSQLStepError.self) {
                        try await shared.run([Step(text: "SELECT 1 / 0")])
                    }
                    #expect(error?.error.state == "22012")
                }
                #expect(shared.counts.counts.polled > 0)
            }
        }

        @Test func tasksThatReadNowAndThen() async throws {
            for tasks in 2...4 {
                try await with { shared, _ in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for task in 0..<tasks {
                            group.addTask {
                                for number in 0..<500 {
                                    try await self.read(task * 1_000 + number, shared)
                                    if number % 50 == task {
                                        try await Task.sleep(for: .milliseconds(task + 1))
                                    }
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                    #expect(shared.counts.counts.requests == tasks * 500)
                }
            }
        }

        @Test func readsOfALostConnectionRunAgain() async throws {
            try await with { shared, name in
                for number in 0..<100 {
                    try await read(number, shared)
                    if number % 10 == 9 { try await end(name) }
                }
                #expect(shared.counts.counts.lost >= 9)
            }
        }

        @Test("an idle connection that ends is noticed, although no caller waits")
        func idleConnectionsAreWatched() async throws {
            try await with { shared, name in
                for number in 0..<100 { try await read(number, shared) }
                #expect(shared.counts.counts.polled > 0)
                try await end(name)
                while shared.counts.isOpen { try await Task.sleep(for: .milliseconds(10)) }
                try await read(0, shared)
            }
        }

        @Test func slowReadsDoNotBlockTheThread() async throws {
            try await with { shared, name in
                for number in 0..<10 { try await read(number, shared) }
                // Both wait for a lock until it is released, however long that takes.
                let (lock, step) = (
                    "SELECT pg_advisory_xact_lock(hashtext('\(name)'))",
                    Step(text: "SELECT pg_advisory_lock_shared(hashtext('\(name)'))")
                )
                let (slow, behind) = try await TestServer.holding(lock) {
                    let slow = Task { try await shared.run([step]) }
                    try await wait(for: 1, name)
                    let behind = Task { try await read(11, shared) }
                    let cancelled = Task { try await shared.run([step]) }
                    cancelled.cancel()
                    await #expect(throws: CancellationError.self) { try await cancelled.value }
                    return (slow, behind)
                }
                _ = try await slow.value
                try await behind.value
                try await read(12, shared)
            }
        }

        /// Waits until the server reports so many statements of the connection that wait for a lock.
        private func wait(for count: Int, _ name: String) async throws {
            while try await TestServer.number(
                """
                SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(name)' \
                AND wait_event_type = 'Lock'
                """) < count
            {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }
#endif
