#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    /// Tables that another program changes.
    @Suite(
        "PostgreSQL: columns that another program has changed",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct ChangedColumnsTests {
        /// Runs a body with an open store, in a schema of its own.
        private func withStore(
            _ body: (_ schema: String, PostgreSQLStore, Conformance) async throws -> Void
        ) async throws {
            let schema = "changed-\(UUID().uuidString)"
            let store = try TestServer.store(schema)
            let library = Conformance.plain(store)
            try await library.notes.create(Note(id: "a", text: "text"))
            try await body(schema, store, library)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        @Test("An opening reports every column that is gone or has another type")
        func everyDifference() async throws {
            try await withStore { schema, _, _ in
                try await TestServer.run(
                    """
                    ALTER TABLE "\(schema)".notes DROP COLUMN text, \
                    ALTER COLUMN rank TYPE double precision; \
                    ALTER TABLE "\(schema)".members ALTER COLUMN team TYPE text COLLATE "default"
                    """)
                let store = try TestServer.store(schema)
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await Conformance.plain(store).open()
                }
                #expect(error?.code == .schemaMismatch)
                for part in [
                    "'text' of 'notes' is gone", "'rank' of 'notes' has the type double precision",
                    "'team' of 'members' has the collation 'default'",
                ] {
                    #expect(error?.message.contains(part) ?? false, "\(error)")
                }
                try await store.close()
            }
        }

        @Test("An operation reports every column that is gone")
        func everyColumn() async throws {
            try await withStore { schema, store, library in
                try await TestServer.run(
                    "ALTER TABLE \"\(schema)\".notes DROP COLUMN text, DROP COLUMN rank")
                var errors: [CRUDRepositoryError?] = []
                errors.append(
                    await #expect(throws: CRUDRepositoryError.self) {
                        try await library.notes.read("a")
                    })
                errors.append(
                    await #expect(throws: CRUDRepositoryError.self) {
                        try await library.notes.save(Note(id: "a", text: ""))
                    })
                errors.append(
                    await #expect(throws: CRUDRepositoryError.self) {
                        try await library.notes.fetch()
                    })
                errors.append(
                    await #expect(throws: CRUDRepositoryError.self) {
                        try await library.transaction {
                            try await $0.notes.createAll([Note(id: "b", text: "")])
                        }
                    })
                for error in errors {
                    #expect(error?.code == .schemaMismatch)
                    for part in ["'text' of 'notes' is gone", "'rank' of 'notes' is gone"] {
                        #expect(error?.message.contains(part) ?? false, "\(error)")
                    }
                }
            }
        }

        @Test("Many records are never stored as bytes of another type")
        func copiedRecords() async throws {
            try await withStore { schema, _, library in
                try await TestServer.run(
                    """
                    ALTER TABLE "\(schema)".notes ALTER COLUMN rank TYPE double precision \
                    USING rank::double precision
                    """)
                let notes = (1...200).map { Note(id: Note.ID("n\($0)"), text: "", rank: 7) }
                try await library.notes.createAll(notes)
                let count = try await TestServer.number(
                    "SELECT count(*) FROM \"\(schema)\".notes WHERE rank = 7")
                #expect(count == 200)
            }
        }

        @Test("A dropped unique index is a changed table")
        func droppedConstraint() async throws {
            try await withStore { schema, _, library in
                try await TestServer.run(
                    "ALTER TABLE \"\(schema)\".members DROP CONSTRAINT members_email")
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await library.members.createAll([
                        Member(id: "a", email: "a"), Member(id: "b", email: "b"),
                    ])
                }
                #expect(error?.code == .schemaMismatch)
                #expect(error?.table == "members")
            }
        }

        @Test("A value that no index holds names the field or the record")
        func tooLong() async throws {
            try await withStore { _, _, library in
                // Characters that cannot be compressed, from a linear congruential generator.
                var state: UInt64 = 1
                let id = String(
                    decoding: (0..<4096).map { _ in
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        return UInt8(33 + (state >> 33) % 94)
                    }, as: UTF8.self)
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await library.notes.create(Note(id: Note.ID(id), text: ""))
                }
                #expect(error?.code == .invalidItem)
                #expect(error?.id == id)
            }
        }
    }
#endif
