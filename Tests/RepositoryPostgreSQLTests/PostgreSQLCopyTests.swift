#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    @Suite(
        "PostgreSQL: many new records", .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLCopyTests {
        private func notes(_ count: Int) -> [Note] {
            (0..<count).map { Note(id: Note.ID("\($0)"), text: "text \($0)") }
        }

        @Test("are all stored, and a duplicate is named and stores none", arguments: [true, false])
        func duplicates(isInTransaction: Bool) async throws {
            let schema = "copy-\(UUID().uuidString)"
            let store = try TestServer.store(schema, connections: 2)
            let library = Conformance.plain(store)
            _ = try await library.notes.createAll(notes(5_000))
            #expect(try await library.notes.count() == 5_000)
            #expect(try await library.notes.read(Note.ID("4999")).text == "text 4999")
            var more = (5_000..<8_000).map { Note(id: Note.ID("\($0)"), text: "") }
            more[2_345] = Note(id: Note.ID("77"), text: "")
            let given = more
            if isInTransaction {
                try await library.transaction { library in
                    _ = try await library.notes.create(Note(id: Note.ID("before"), text: ""))
                    let error = await #expect(throws: CRUDRepositoryError.self) {
                        _ = try await library.notes.createAll(given)
                    }
                    #expect(error?.code == .recordAlreadyExists)
                    #expect(error?.id == "77")
                    _ = try await library.notes.create(Note(id: Note.ID("after"), text: ""))
                }
                #expect(try await library.notes.count() == 5_002)
            } else {
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    _ = try await library.notes.createAll(given)
                }
                #expect(error?.code == .recordAlreadyExists)
                #expect(error?.id == "77")
                #expect(try await library.notes.count() == 5_000)
            }
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        @Test("with a value that cannot be stored leave the connection usable")
        func unstorable() async throws {
            let schema = "copy-\(UUID().uuidString)"
            let store = try TestServer.store(schema, connections: 1)
            let library = Conformance.plain(store)
            var wrong = notes(3_000)
            wrong[2_999].text = "a\0b"
            let given = wrong
            let error = await #expect(throws: CRUDRepositoryError.self) {
                _ = try await library.notes.createAll(given)
            }
            #expect(error?.code == .invalidItem)
            #expect(try await library.notes.count() == 0)
            _ = try await library.notes.createAll(notes(3_000))
            #expect(try await library.notes.count() == 3_000)
            #expect(store.statistics.openConnections == 1)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }
    }
#endif
