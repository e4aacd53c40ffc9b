#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    @Suite(
        "PostgreSQL: streams", .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLStreamTests {
        private func withLibrary(
            _ notes: Int, of bytes: Int,
            _ body: (PostgreSQLStore, Conformance) async throws -> Void
        ) async throws {
            let schema = "streams-\(UUID().uuidString)"
            let store = try TestServer.store(schema, connections: 4)
            let library = Conformance.plain(store)
            try await library.open()
            let text = String(repeating: "x", count: bytes)
            _ = try await library.notes.createAll(
                (0..<notes).map { Note(id: Note.ID(String(format: "%06d", $0)), text: text) })
            try await body(store, library)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        /// The number of records of a page follows from their size, so that memory is bounded.
        @Test(arguments: [(10, 2_000...4_096), (5_000, 50...150), (100_000, 16...16)])
        func pagesHaveAboutHalfAMegabyte(_ bytes: Int, _ size: ClosedRange<Int>) async throws {
            try await withLibrary(600, of: bytes) { store, library in
                #expect(store.pageSize(Note.self, usual: 256) == 256)
                var count = 0
                for try await note in library.notes.stream() {
                    #expect(note.text.utf8.count == bytes)
                    count += 1
                }
                #expect(count == 600)
                let found = store.pageSize(Note.self, usual: 256)
                #expect(size.contains(found), "\(found)")
                count = 0
                var last = ""
                for try await note in library.notes.stream(.sorted(by: \.id)) {
                    #expect(note.id.rawValue > last)
                    last = note.id.rawValue
                    count += 1
                }
                #expect(count == 600)
            }
        }

        /// Waits until no connection is leased: a stream reads one page ahead.
        private func expectNoLease(_ store: PostgreSQLStore) async throws {
            for _ in 0..<1_000 where store.statistics.leasedConnections > 0 {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(store.statistics.leasedConnections == 0)
        }

        /// Each record comes once and in order, although pages are read ahead, also with a limit and
        /// an offset, and what is written beyond the page that is read ahead is seen.
        @Test func readingAhead() async throws {
            try await withLibrary(600, of: 10) { store, library in
                #expect(store.readsAhead)
                let all = (0..<600).map { String(format: "%06d", $0) }
                var found: [String] = []
                for try await note in library.notes.stream(pageSize: 7) {
                    found.append(note.id.rawValue)
                    if found.count == 7 { try await library.notes.delete("000300") }
                }
                #expect(found == all.filter { $0 != "000300" })
                let descending = Query<Note>.sorted(by: \.id, .descending)
                for (skipped, limit) in [(0, 600), (0, 599), (3, 256), (300, 1_000), (0, 0)] {
                    found = []
                    for try await note in library.notes.stream(
                        descending.offset(skipped).limit(limit))
                    {
                        found.append(note.id.rawValue)
                    }
                    let expected = all.filter { $0 != "000300" }.reversed()
                    #expect(found == Array(expected.dropFirst(skipped).prefix(limit)))
                }
                try await library.transaction { library in
                    let inside = library.context.store as? any PagedStore
                    #expect(inside?.readsAhead == false)
                    found = []
                    for try await note in library.notes.stream(pageSize: 50) {
                        found.append(note.id.rawValue)
                    }
                }
                #expect(found.count == 599)
                try await expectNoLease(store)
            }
        }

        /// A loop that waits, ends early or is cancelled holds no connection.
        @Test func loopsHoldNoConnection() async throws {
            try await withLibrary(600, of: 10) { store, library in
                for try await note in library.notes.stream(.all) {
                    if note.id.rawValue == "000100" { try await expectNoLease(store) }
                    if note.id.rawValue == "000300" { break }
                }
                let reader = Task {
                    for try await _ in library.notes.stream(pageSize: 2) {
                        if Task.isCancelled { try Task.checkCancellation() }
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                }
                await #expect(throws: CancellationError.self) { try await reader.value }
                // More loops than connections, each of which uses the store.
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            var count = 0
                            for try await note in library.notes.stream(pageSize: 50) {
                                if count % 50 == 0 {
                                    try await library.transaction {
                                        _ = try await $0.notes.read(note.id)
                                    }
                                }
                                count += 1
                            }
                            return count
                        }
                    }
                    for try await count in group { #expect(count == 600) }
                }
                try await expectNoLease(store)
            }
        }
    }
#endif
