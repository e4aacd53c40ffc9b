#if PostgreSQL
    import Foundation
    import RepositoryPostgreSQL
    import RepositoryRuntime
    import RepositoryTesting
    import Testing

    /// Transactions that nobody ends, and what comes after a failure.
    @Suite(
        "PostgreSQL: what comes too late in a transaction",
        .enabled(if: TestServer.isAvailable, TestServer.reason), .timeLimit(.minutes(60)))
    struct LateInTransactionTests {
        /// Runs a body with a store that has one connection, which all transactions get in turn.
        private func withStore(
            connections: Int = 1, _ body: (PostgreSQLStore, Conformance) async throws -> Void
        ) async throws {
            let schema = "nested-\(UUID().uuidString)"
            let store = PostgreSQLStore(
                try TestServer.address.get(), schema: schema, connections: connections)
            let library = Conformance.plain(store)
            try await library.open()
            try await body(store, library)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        /// Who does not end a transaction leaves that to the store, which does it later.
        @Test func releasedOnesReachNoOthers() async throws {
            try await withStore { store, library in
                for number in 0..<50 {
                    do {
                        let outer = try await store.begin()
                        let nested = try await outer.begin()
                        try await nested.create(Note(id: "undone", text: ""))
                        if number % 2 == 0 { await outer.rollBack() }
                    }
                    let other = try await store.begin()
                    try await other.create(Note(id: Note.ID("\(number)"), text: ""))
                    await Task.yield()
                    try await other.commit()
                }
                #expect(try await library.notes.count() == 50)
            }
        }

        /// Of two operations at once, the other one may be the first whose error the body gets.
        @Test func operationAfterAConflictTellsThatTheTransactionRunsAgain() async throws {
            try await withStore(connections: 2) { store, library in
                try await library.notes.create(Note(id: "a", text: "first"))
                var attempts = 0
                try await library.transaction { inside in
                    attempts += 1
                    _ = try await inside.notes.read("a")
                    if attempts == 1 {
                        _ = try await store.save(Note(id: "a", text: "other"))
                        let error = await #expect(throws: CRUDRepositoryError.self) {
                            try await inside.notes.save(Note(id: "a", text: "second"))
                        }
                        #expect(error?.code == .transactionConflict)
                    }
                    try await inside.notes.save(Note(id: "b", text: "third"))
                }
                #expect(attempts == 2)
                #expect(try await library.notes.fetch().map(\.text) == ["other", "third"])
            }
        }
    }
#endif
