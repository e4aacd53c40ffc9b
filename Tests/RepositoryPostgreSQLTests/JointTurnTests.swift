#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    /// What one task does for all that wait for it, while there is no connection.
    @Suite(
        "PostgreSQL: what tasks wait for together",
        .enabled(if: TestServer.isAvailable, TestServer.reason), .timeLimit(.minutes(60)))
    struct JointTurnTests {
        /// Runs a body with a store that has no connection left for it, apart from one that writes
        /// share.
        private func withoutConnection(
            connections: Int, waitTimeout: Duration = .seconds(600), observing: Bool = false,
            _ body: (PostgreSQLStore, Conformance) async throws -> Void
        ) async throws {
            let schema = "joint-\(UUID().uuidString)"
            let store = PostgreSQLStore(
                try TestServer.address.get(), schema: schema, connections: connections,
                waitTimeout: waitTimeout, observing: observing)
            let library = Conformance.plain(store)
            try await library.open()
            var transactions: [any StoreTransaction] = []
            while transactions.count < max(1, connections - 1) {
                transactions.append(try await store.begin())
            }
            try await body(store, library)
            for transaction in transactions { await transaction.rollBack() }
            #expect(try await library.notes.count() == 0)
            // Nobody has kept the turn.
            try await library.notes.create(Note(id: "a", text: ""))
            #expect(try await store.externalState() == (observing ? 0 : nil))
            // Others may be notified of the write still.
            try await wait { store.statistics.leasedConnections == 0 }
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        private func wait(until condition: () -> Bool) async throws {
            while !condition() { try await Task.sleep(for: .milliseconds(2)) }
        }

        /// The first write after an opening compares the description, for which it needs a
        /// connection.
        @Test func cancelledWriteThatIsToCompareLeaves() async throws {
            try await withoutConnection(connections: 4) { store, library in
                func create(_ id: Note.ID) -> Task<Note, any Error> {
                    Task { try await library.notes.create(Note(id: id, text: "")) }
                }
                let first = create("1")
                try await wait { store.statistics.waitingOperations == 1 }
                let second = create("2")
                try await wait { store.statistics.writes.undoneGroups == 2 }
                second.cancel()
                await #expect(throws: CancellationError.self) { _ = try await second.value }
                first.cancel()
                await #expect(throws: CancellationError.self) { _ = try await first.value }
            }
        }

        @Test func cancelledQuestionForChangesOfOthersLeaves() async throws {
            try await withoutConnection(connections: 1, observing: true) { store, _ in
                let first = Task { try await store.externalState() }
                try await wait { store.statistics.waitingOperations == 1 }
                let second = Task { try await store.externalState() }
                second.cancel()
                await #expect(throws: CancellationError.self) { _ = try await second.value }
                first.cancel()
                await #expect(throws: CancellationError.self) { _ = try await first.value }
            }
        }

        @Test func writesThatAreToCompareFailTogether() async throws {
            try await withoutConnection(connections: 4, waitTimeout: .seconds(1)) { _, library in
                let start = ContinuousClock.now
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<120 {
                        group.addTask {
                            let error = await #expect(throws: CRUDRepositoryError.self) {
                                try await library.notes.create(
                                    Note(id: Note.ID("\(number)"), text: ""))
                            }
                            #expect(error?.isRetryable == true)
                        }
                    }
                }
                // One after the other, they would take two minutes at least.
                #expect(start.duration(to: .now) < .seconds(120))
            }
        }

        @Test func questionsForChangesOfOthersFailTogether() async throws {
            try await withoutConnection(
                connections: 1, waitTimeout: .seconds(1), observing: true
            ) { store, _ in
                let start = ContinuousClock.now
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<120 {
                        group.addTask {
                            await #expect(throws: CRUDRepositoryError.self) {
                                try await store.externalState()
                            }
                        }
                    }
                }
                #expect(start.duration(to: .now) < .seconds(120))
            }
        }
    }
#endif
