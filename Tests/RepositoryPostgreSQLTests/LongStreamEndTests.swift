#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// How streams that go on as one `COPY` end, and what they do to other operations.
    @Suite(
        "PostgreSQL: ends of long streams",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct LongStreamEndTests {
        @Test("give their connection back when the loop waits, and are complete")
        func slowLoops() async throws {
            try await LongStreams.with(patience: .zero, notes: 600, of: 50_000) {
                store, library, sent in
                var found: [String] = []
                for try await note in library.notes.stream(.all) {
                    found.append(note.id.rawValue)
                    if found.count == 257 {
                        #expect(sent.copies == 1)
                        try await LongStreams.expectNoLease(store)
                        // What needs the table for itself does not wait, either.
                        try await TestServer.run(
                            "ALTER TABLE \"\(store.options.schema ?? "")\".notes ADD COLUMN x int")
                    }
                }
                #expect(found == LongStreams.names(600))
                #expect(sent.copies == 1)
                #expect(store.statistics.openedConnections <= 3)
            }
        }

        @Test("are stopped by the closing of the store, also if they have just got a connection")
        func closingAtTheirBeginning() async {
            let pool = ConnectionPool(
                "", settings: [], limit: 1, connectTimeout: .seconds(10),
                waitTimeout: LongStreams.long)
            pool.refuse()
            pool.stopStreams()
            let pages = FollowingPages()
            let reading = Task<Void, Never> { try? await Task.sleep(for: LongStreams.long) }
            pages.begin(reading)
            pool.add(pages)
            await reading.value
        }

        @Test("give their connection back when another operation waits for one")
        func waitingOperations() async throws {
            try await LongStreams.with(connections: 2, notes: 600, of: 50_000) {
                store, library, sent in
                var found: [String] = []
                for try await note in library.notes.stream(.all) {
                    found.append(note.id.rawValue)
                    guard found.count == 257 else { continue }
                    try await library.transaction { inside in
                        _ = try await inside.notes.read(note.id)
                        // The transaction has one connection, the stream the other one.
                        #expect(try await library.notes.count() == 600)
                    }
                }
                #expect(found == LongStreams.names(600))
                #expect(sent.copies == 1)
                try await LongStreams.expectNoLease(store)
            }
        }

        @Test("need no connection that others need", arguments: [1, 2, 3, 4])
        func fewConnections(connections: Int) async throws {
            try await LongStreams.with(connections: connections, notes: 600, of: 20_000) {
                store, library, sent in
                var found: [String] = []
                for try await note in library.notes.stream(.all) {
                    found.append(note.id.rawValue)
                    guard found.count.isMultiple(of: 30) else { continue }
                    try await library.notes.update(Note(id: note.id, text: "new"))
                    try await library.transaction { try await $0.notes.delete(note.id) }
                }
                #expect(found == LongStreams.names(600))
                #expect(sent.copies <= (connections == 1 ? 0 : 1))
                try await LongStreams.expectNoLease(store)
                #expect(try await library.notes.count() == 580)
            }
        }

        @Test("end with their loop")
        func endings() async throws {
            try await LongStreams.with(notes: 600, of: 50_000) { store, library, sent in
                for round in 1...5 {
                    for try await note in library.notes.stream(.all)
                    where note.id.rawValue == LongStreams.name(250 + round * 20) { break }
                    #expect(sent.copies == round)
                    try await LongStreams.expectNoLease(store)
                }
                // The connections were not closed.
                #expect(store.statistics.openedConnections <= 3)
                let reader = Task {
                    for try await _ in library.notes.stream(.all) {
                        if sent.copies == 6 { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                }
                await #expect(throws: CancellationError.self) { try await reader.value }
                try await LongStreams.expectNoLease(store)
                #expect(try await library.notes.count() == 600)
            }
        }

        @Test("end when their store is closed")
        func closing() async throws {
            try await LongStreams.with(notes: 600, of: 50_000) { store, library, sent in
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    for try await note in library.notes.stream(.all)
                    where note.id.rawValue == LongStreams.name(300) { try await store.close() }
                }
                #expect(sent.copies == 1)
                #expect(error?.code == .storeClosed)
                #expect(store.statistics.openConnections == 0)
            }
        }

        @Test("go on when their connection is lost")
        func lostConnections() async throws {
            let name = "long-\(UUID().uuidString)"
            try await LongStreams.with(
                notes: 600, of: 50_000, address: "application_name=\(name)"
            ) { store, library, sent in
                var found: [String] = []
                for try await note in library.notes.stream(.all) {
                    found.append(note.id.rawValue)
                    if found.count == 257 {
                        try await TestServer.run(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                            WHERE application_name = '\(name)'
                            """)
                    }
                }
                #expect(found == LongStreams.names(600))
                #expect(sent.copies == 1)
                try await LongStreams.expectNoLease(store)
            }
        }

        @Test("meet the errors of pages")
        func changedColumns() async throws {
            try await LongStreams.with(notes: 300) { store, library, _ in
                let table = "\"\(store.options.schema ?? "")\".notes"
                let id = Note.ID(LongStreams.name(0))
                try await TestServer.run("ALTER TABLE \(table) ALTER text TYPE bytea USING ''")
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    _ = try await store.page(Note.self, after: id, limit: 10)
                }
                let found = await #expect(throws: CRUDRepositoryError.self) {
                    _ = try await LongStreams.following(store, Note.self, after: id)
                }
                #expect(found?.code == .invalidRecord)
                #expect(found?.message == error?.message)
                try await TestServer.run("ALTER TABLE \(table) DROP text")
                #expect(try await !LongStreams.following(store, Note.self, after: id).isOver)
                let missing = await #expect(throws: CRUDRepositoryError.self) {
                    for try await _ in library.notes.stream(.all) {}
                }
                #expect(missing?.code == .schemaMismatch)
            }
        }
    }
#endif
