#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    @Suite(
        "PostgreSQL: failures of connections and servers",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLFailureTests {
        /// Runs a body with the repositories of the suite in a schema of their own.
        private func withLibrary(
            connections: Int = 6,
            _ body: (PostgreSQLStore, Conformance) async throws -> Void
        ) async throws {
            let schema = "failures-\(UUID().uuidString)"
            let store = try TestServer.store(schema, connections: connections)
            let library = Conformance.plain(store)
            try await library.open()
            try await body(store, library)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        /// Ends all other connections of the store on the server.
        private func endConnections(_ library: PostgreSQLStore) async throws {
            let number = try await library.access.leasing { connection in
                try await connection.run("SELECT current_schema()::text").text(0, 0) ?? ""
            }
            try await TestServer.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE application_name = 'swift-repository' AND pid <> pg_backend_pid() \
                AND query LIKE '%\(number)%'
                """)
        }

        @Test(arguments: [
            ("postgresql://repository@127.0.0.1:1/postgres", "connect"),
            ("postgresql://repository@host.invalid/postgres", "host"),
            ("nonsense=1 host=127.0.0.1", "nonsense"),
        ])
        func wrongAddressIsOneError(_ address: String, _ word: String) async throws {
            let store = PostgreSQLStore(address, connectTimeout: .seconds(2))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await Conformance.plain(store).notes.read("a")
            }
            #expect(error?.code == .databaseError)
            #expect(error?.message.contains(word) ?? false, "\(error?.message ?? "")")
        }

        @Test func passwordIsInNoError() async throws {
            let store = PostgreSQLStore(
                "postgresql://repository:very-secret@127.0.0.1:1/postgres",
                connectTimeout: .seconds(2))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await Conformance.plain(store).notes.read("a")
            }
            #expect(!"\(error as Any)\(store)".contains("very-secret"))
        }

        @Test func readsGoOnAfterTheServerEndedTheConnections() async throws {
            try await withLibrary { store, library in
                try await library.notes.create(Note(id: "a", text: "text"))
                try await endConnections(store)
                #expect(try await library.notes.read("a").text == "text")
                try await library.notes.create(Note(id: "b", text: "text"))
                #expect(try await library.notes.count() == 2)
            }
        }

        @Test func lostCommitIsAnUnknownOutcome() async throws {
            try await withLibrary { store, library in
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await store.access.write(
                        .batch(setting: nil, check: nil), sharing: .never, place: nil
                    ) { job in
                        let connection = try #require(job.connection)
                        try await job.run(
                            "INSERT INTO \"notes\" (\"id\", \"text\") VALUES ('x', '')")
                        job.isCommitting = true
                        let number = try await connection.run("SELECT pg_backend_pid()")
                        try await TestServer.run(
                            "SELECT pg_terminate_backend(\(number.integer(0, 0) ?? 0))")
                        try await connection.runSimple("COMMIT")
                    } diagnose: { error, _, _ in
                        PostgreSQLErrors.databaseError(error)
                    }
                }
                #expect(error?.code == .outcomeUnknown)
                let isStored = try await library.notes.exists("x")
                #expect(!isStored)
            }
        }

        @Test func cancelledReadsEndOnTheServerAndHitNobodyElse() async throws {
            try await withLibrary(connections: 4) { store, library in
                try await library.notes.create(Note(id: "a", text: "text"))
                for _ in 0..<100 {
                    let slow = Task {
                        try await store.access.read { try await $0.run("SELECT pg_sleep(20)") }
                    }
                    let others = (0..<6).map { _ in
                        Task { try await library.notes.read("a").text }
                    }
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...8)))
                    slow.cancel()
                    await #expect(throws: CancellationError.self) { _ = try await slow.value }
                    for other in others { #expect(try await other.value == "text") }
                }
            }
        }

        @Test func ofManySavesOfANewVersionedRecordOneWins() async throws {
            try await withLibrary { _, library in
                let ticket = Ticket(title: "new")
                let saved = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<16 {
                        group.addTask {
                            do {
                                _ = try await library.tickets.save(ticket)
                                return true
                            } catch let error as CRUDRepositoryError
                                where error.code == .versionConflict
                            {
                                return false
                            } catch {
                                Issue.record("\(error)")
                                return false
                            }
                        }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(saved >= 1)
                let count = try await library.tickets.count()
                #expect(count == 1)
            }
        }

        @Test func manyTasksShareFewConnections() async throws {
            try await withLibrary(connections: 4) { store, library in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<2_000 {
                        group.addTask {
                            try await library.notes.create(
                                Note(id: Note.ID("\(number)"), text: "\(number)"))
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await library.notes.count() == 2_000)
                #expect(store.access.pool.counts.open <= 4)
            }
        }

        @Test func programsThatStartTogetherCreateTheTablesOnce() async throws {
            let schema = "starts-\(UUID().uuidString)"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let store = try TestServer.store(schema, connections: 2)
                        let library = Conformance.plain(store)
                        try await library.notes.create(Note(id: Note.ID("\(number)"), text: ""))
                        try await store.close()
                    }
                }
                try await group.waitForAll()
            }
            let store = try TestServer.store(schema, connections: 2)
            #expect(try await Conformance.plain(store).notes.count() == 8)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        @Test func closedStoreHoldsNoConnection() async throws {
            try await withLibrary { store, library in
                try await library.notes.create(Note(id: "a", text: ""))
                try await store.close()
                #expect(store.access.pool.counts.open == 0)
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await library.notes.read("a")
                }
                #expect(error?.code == .storeClosed)
            }
        }

        @Test func failedOperationsOfATransactionKeepTheOthers() async throws {
            try await withLibrary { _, library in
                try await library.notes.create(Note(id: "there", text: ""))
                try await library.transaction { inner in
                    try await inner.notes.create(Note(id: "a", text: ""))
                    // It fails before a statement is sent: the id cannot be stored.
                    await #expect(throws: CRUDRepositoryError.self) {
                        try await inner.notes.create(Note(id: "b\0", text: ""))
                    }
                    await #expect(throws: CRUDRepositoryError.self) {
                        try await inner.notes.create(Note(id: "there", text: ""))
                    }
                    try await inner.notes.create(Note(id: "c", text: ""))
                    await #expect(throws: CRUDRepositoryError.self) {
                        _ = try await inner.notes.createAll([
                            Note(id: "d", text: ""), Note(id: "a", text: ""),
                        ])
                    }
                }
                let ids = try await library.notes.ids()
                #expect(ids == ["a", "c", "there"])
            }
        }

        @Test func failedStatementEndsATransaction() async throws {
            try await withLibrary { store, library in
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    let transaction = try #require(
                        try await store.begin() as? PostgreSQLTransaction)
                    try await transaction.create(Note(id: "a", text: ""))
                    _ = try? await transaction.access.read { try await $0.run("SELECT 1/0") }
                    // Not without the first one.
                    do {
                        try await transaction.create(Note(id: "b", text: ""))
                        Issue.record("A failed transaction went on.")
                    } catch {}
                    try await transaction.commit()
                }
                #expect(error?.code == .transactionConflict)
                let count = try await library.notes.count()
                #expect(count == 0)
            }
        }

        @Test func tableOfAnotherProgramIsNotTakenOver() async throws {
            let schema = "foreign-\(UUID().uuidString)"
            try await TestServer.run(
                "CREATE SCHEMA \"\(schema)\"; CREATE TABLE \"\(schema)\".\"notes\" (x integer)")
            let store = try TestServer.store(schema)
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await Conformance.plain(store).open()
            }
            #expect(error?.code == .schemaMismatch)
            #expect(error?.message.contains("'notes' is there already") ?? false)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }
    }
#endif
