#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// What waited for ever, or for too long.
    @Suite(
        "PostgreSQL: limits of waiting", .enabled(if: TestServer.isAvailable, TestServer.reason),
        .timeLimit(.minutes(60)))
    struct WaitingTests {
        func withLibrary(
            connections: Int = 6, waitTimeout: Duration = .seconds(600),
            answerTimeout: Duration? = .seconds(120), lockTimeout: Duration = .seconds(600),
            observing: Bool = false,
            _ body: (PostgreSQLStore, Conformance, String) async throws -> Void
        ) async throws {
            let schema = "waiting-\(UUID().uuidString)"
            let store = PostgreSQLStore(
                try TestServer.address("application_name=\(schema)"), schema: schema,
                connections: connections, waitTimeout: waitTimeout, answerTimeout: answerTimeout,
                lockTimeout: lockTimeout, observing: observing)
            let library = Conformance.plain(store)
            try await library.open()
            try await body(store, library, schema)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        /// Ends all connections of a store on the server, and waits for their end.
        private func endConnections(_ name: String) async throws {
            try await TestServer.run(
                """
                SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity \
                WHERE application_name = '\(name)'
                """)
        }

        /// The client library closes the descriptor of a connection that the server has ended. The
        /// next connection gets the same number.
        @Test func connectionsThatHaveEndedTakeNoOthersWithThem() async throws {
            try await withLibrary { store, library, name in
                try await library.notes.create(Note(id: "a", text: ""))
                for number in 0..<5 {
                    let lost = Task { [self] in
                        try await library.transaction { inside in
                            _ = try await inside.notes.read("a")
                            try await endConnections(name)
                            do {
                                _ = try await inside.notes.read("a")
                            } catch {
                                // The transaction keeps what is left of its connection.
                                await Task.detached { await Self.reached(library, number) }.value
                                throw error
                            }
                        }
                    }
                    await #expect(throws: CRUDRepositoryError.self) { try await lost.value }
                    // It is gone now. The other connections are there still.
                    for _ in 0..<3 {
                        #expect(try await library.notes.read("a").id == "a")
                        try await library.notes.save(Note(id: "a", text: "\(number)"))
                    }
                }
            }
        }

        /// Uses the shared connections until they are there again.
        private static func reached(_ library: Conformance, _ number: Int) async {
            for _ in 1...100 {
                do {
                    _ = try await library.notes.read("a")
                    try await library.notes.save(Note(id: "a", text: "\(number)"))
                    return
                } catch {
                    // The write was sent on a connection that has ended.
                    continue
                }
            }
            Issue.record("The shared connections do not come back.")
        }

        @Test func statisticsDelayNoRequest() async throws {
            // Without a limit for answers, no clock looks after requests that were left behind.
            try await withLibrary(answerTimeout: nil) { store, library, _ in
                try await library.notes.create(Note(id: "a", text: ""))
                // It looks all the time, from before the first request to after the last one.
                let (begun, begin) = AsyncStream.makeStream(of: Void.self)
                let looking = Task.detached {
                    begin.finish()
                    while !Task.isCancelled { _ = store.statistics }
                }
                for await _ in begun {}
                for number in 0..<1_000 {
                    try await library.notes.save(Note(id: "a", text: "\(number)"))
                }
                looking.cancel()
                await looking.value
                #expect(try await library.notes.read("a").text == "999")
            }
        }

        @Test func idleConnectionThatTheServerHasEndedIsNotUsed() async throws {
            // With three connections, each write leases one.
            try await withLibrary(connections: 3) { store, library, name in
                for number in 0..<10 {
                    try await library.notes.create(Note(id: Note.ID("\(number)"), text: ""))
                    try await endConnections(name)
                }
                #expect(try await library.notes.count() == 10)
            }
        }

        @Test func writesWaitForAMigrationAndCompareAfterIt() async throws {
            try await withLibrary { store, library, schema in
                try await library.notes.create(Note(id: "a", text: ""))
                let table = "\"\(schema)\".repository_schema"
                let (single, transaction) = try await TestServer.holding(
                    "SET LOCAL search_path TO \"\(schema)\"; "
                        + "\(PostgreSQLSchemaTable.lockAgainstWrites); "
                        + "UPDATE \(table) SET revision = revision + 1, description = ''"
                ) {
                    let single = Task { try await library.notes.save(Note(id: "b", text: "")) }
                    let transaction = Task {
                        try await library.transaction {
                            try await $0.notes.save(Note(id: "c", text: ""))
                        }
                    }
                    // The transaction waits on a connection of its own, the other write on none.
                    while try await TestServer.number(
                        """
                        SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)' \
                        AND wait_event_type = 'Lock' AND query LIKE 'BEGIN%'
                        """) == 0
                    {
                        try await Task.sleep(for: .milliseconds(10))
                    }
                    return (single, transaction)
                }
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await single.value
                }
                #expect(error?.code == .schemaMismatch)
                let other = await #expect(throws: CRUDRepositoryError.self) {
                    try await transaction.value
                }
                #expect(other?.code == .schemaMismatch)
                #expect(
                    try await TestServer.number("SELECT count(*) FROM \"\(schema)\".notes") == 1)
            }
        }

        @Test func writesThatWaitTooLongForAMigrationSaySo() async throws {
            try await withLibrary(waitTimeout: .seconds(1)) { store, library, schema in
                try await library.notes.create(Note(id: "a", text: ""))
                let leases = store.statistics.leases
                try await TestServer.holding(
                    "SET LOCAL search_path TO \"\(schema)\"; "
                        + PostgreSQLSchemaTable.lockAgainstWrites
                ) {
                    let single = await #expect(throws: CRUDRepositoryError.self) {
                        try await library.notes.save(Note(id: "b", text: ""))
                    }
                    #expect(single?.code == .migrating && single?.isRetryable == true)
                    // It has taken no connection from others.
                    #expect(store.statistics.leases == leases)
                    let several = await #expect(throws: CRUDRepositoryError.self) {
                        try await library.notes.updateAll(
                            where: { $0.id == "a" }, set: { $0.rank = 1 })
                    }
                    #expect(several?.code == .migrating && several?.isRetryable == true)
                    let transaction = await #expect(throws: CRUDRepositoryError.self) {
                        try await library.transaction {
                            try await $0.notes.save(Note(id: "c", text: ""))
                        }
                    }
                    #expect(transaction?.code == .migrating && transaction?.isRetryable == true)
                }
                try await library.notes.save(Note(id: "b", text: ""))
                #expect(try await library.notes.ids() == ["a", "b"])
            }
        }

        @Test func migrationWaitsForRunningWritesWithinItsLimit() async throws {
            let schema = "waiting-\(UUID().uuidString)"
            try await TestServer.run("CREATE SCHEMA \"\(schema)\"")
            let store = PostgreSQLStore(
                try TestServer.address.get(), schema: schema, waitTimeout: .seconds(600),
                lockTimeout: .seconds(2))
            let library = Conformance.plain(store)
            try await store.access.leasing { try await PostgreSQLSchemaTable.create($0) }
            // As a write does that has compared the revision.
            try await TestServer.holding("SELECT 1 FROM \"\(schema)\".repository_schema") {
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await library.open()
                }
                #expect(error?.code == .migrating)
            }
            try await library.open()
            try await library.notes.create(Note(id: "a", text: ""))
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        @Test func writeThatWaitsForALockEndsInTime() async throws {
            try await withLibrary(waitTimeout: .seconds(1)) { store, library, schema in
                try await library.notes.create(Note(id: "a", text: "first"))
                try await TestServer.holding(
                    "UPDATE \"\(schema)\".notes SET text = 'other' WHERE id = 'a'"
                ) {
                    let error = await #expect(throws: CRUDRepositoryError.self) {
                        try await library.notes.save(Note(id: "a", text: "second"))
                    }
                    #expect(error?.code == .databaseError && error?.isRetryable == true)
                    let inside = await #expect(throws: CRUDRepositoryError.self) {
                        try await library.transaction {
                            try await $0.notes.save(Note(id: "a", text: "second"))
                        }
                    }
                    #expect(inside?.isRetryable == true)
                }
                #expect(try await library.notes.read("a").text == "other")
            }
        }

        @Test func waitForAConnectionEndsAtOnceIfItMay() async throws {
            try await withLibrary(connections: 1, waitTimeout: .zero) { store, library, _ in
                try await library.notes.create(Note(id: "a", text: ""))
                try await store.access.leasing { _ in
                    for _ in 0..<50 {
                        let error = await #expect(throws: CRUDRepositoryError.self) {
                            try await store.access.leasing { _ in }
                        }
                        #expect(error?.isRetryable == true)
                    }
                }
                #expect(try await library.notes.count() == 1)
            }
        }

        /// The first write after an opening compares the description, for which it may need a
        /// connection. Those who have all of them compare as well.
        @Test func transactionsThatHaveAllConnectionsWaitForNobody() async throws {
            try await withLibrary(connections: 4, waitTimeout: .seconds(60)) { store, library, _ in
                let transactions = [
                    try await store.begin(), try await store.begin(), try await store.begin(),
                ]
                let other = Task { try await library.notes.create(Note(id: "other", text: "")) }
                while store.statistics.waitingOperations == 0 {
                    try await Task.sleep(for: .milliseconds(2))
                }
                for (number, transaction) in transactions.enumerated() {
                    try await transaction.create(Note(id: Note.ID("\(number)"), text: ""))
                    try await transaction.commit()
                }
                _ = try await other.value
                #expect(try await library.notes.count() == 4)
            }
        }

        /// The end of a group tells nobody which of its requests has waited for a lock.
        @Test func lockThatTheEndOfAGroupWaitsForIsFoundAtOnce() async throws {
            try await withLibrary { store, library, schema in
                let hall = Hall(id: "h")
                try await library.halls.create(hall)
                try await library.notes.create(Note(id: "a", text: ""))
                let before = store.statistics.writes
                let waiting = try await TestServer.holding(
                    "DELETE FROM \"\(schema)\".halls"
                ) {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        var waiting: Task<Link, any Error>?
                        for number in 0..<63 {
                            group.addTask {
                                try await library.notes.create(
                                    Note(id: Note.ID("\(number)"), text: ""))
                            }
                            if number == 20 {
                                waiting = Task {
                                    try await library.links.create(
                                        Link(id: "l", anchorID: hall.id))
                                }
                            }
                        }
                        try await group.waitForAll()
                        return try #require(waiting)
                    }
                }
                await #expect(throws: CRUDRepositoryError.self) { try await waiting.value }
                let writes = store.statistics.writes
                #expect(writes.undoneGroups - before.undoneGroups <= 2)
            }
        }

        @Test func recordThatNoStatementChangesIsAnError() async throws {
            try await withLibrary { store, library, schema in
                let ticket = try await library.tickets.create(Ticket(title: "first"))
                try await TestServer.run(
                    """
                    CREATE FUNCTION "\(schema)".nothing() RETURNS trigger LANGUAGE plpgsql \
                    AS 'BEGIN RETURN NULL; END'
                    """)
                try await TestServer.run(
                    """
                    CREATE TRIGGER nothing BEFORE UPDATE ON "\(schema)".tickets \
                    FOR EACH ROW EXECUTE FUNCTION "\(schema)".nothing()
                    """)
                for write in [library.tickets.update, library.tickets.save] {
                    let error = await #expect(throws: CRUDRepositoryError.self) {
                        _ = try await write(ticket)
                    }
                    #expect(error?.code == .databaseError && error?.id == ticket.id.description)
                }
            }
        }
    }
#endif
