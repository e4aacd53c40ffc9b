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

        /// A loop that waits, ends early or is cancelled holds no connection.
        @Test func loopsHoldNoConnection() async throws {
            try await withLibrary(600, of: 10) { store, library in
                for try await note in library.notes.stream(.all) {
                    #expect(store.statistics.leasedConnections == 0)
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
                #expect(store.statistics.leasedConnections == 0)
            }
        }
    }
#endif
