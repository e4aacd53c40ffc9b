#if Encryption
    import Foundation
    import RepositoryEncryption
    import RepositoryRuntime
    import Testing

    /// Changes of indexes over encrypted fields, of names and of case folding, without versions.
    @Suite("Changes of indexes over encrypted fields")
    struct EncryptedIndexMigrationTests {
        @Test(
            "hash what is not, keep hashes of renamed fields, and remove others",
            arguments: IndexedDatabase.kinds)
        func steps(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                let plain = try await written(database, PlainNote.self)
                #expect(try await heads(database, "code").isEmpty)
                // An index is added.
                let indexed = try await opened(database, IndexedNote.self)
                let first = try await heads(database, "code")
                #expect(first.count == 6 && Set(first.map { $0.prefix(12) }).count == 1)
                #expect(
                    try await indexed.find(index: 0, [.text("Code 2")]).map(\.id.rawValue) == ["n2"]
                )
                #expect(try await indexed.find(index: 0, [.text("CODE 2")]).isEmpty)
                try await indexed.create(Note(id: "n9", code: "Code 9", text: "t"))
                // A running program without the index cannot write any more.
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await plain.create(Note(id: "n10", code: "Code 10", text: "t"))
                }
                #expect(error?.code == .schemaMismatch)
                // The field, its column and its table are renamed: nothing is rewritten.
                let before = try await database.bytes("SELECT code FROM <notes ORDER BY id")
                let renamed = try await opened(database, RenamedNote.self)
                #expect(
                    try await database.bytes("SELECT secret FROM <letters ORDER BY id") == before)
                #expect(
                    try await renamed.find(index: 0, [.text("Code 9")]).map(\.id.rawValue) == ["n9"]
                )
                try await renamed.create(Note(id: "n7", code: "Code 7", text: "t"))
                #expect(
                    try await renamed.find(index: 0, [.text("Code 7")]).map(\.id.rawValue) == ["n7"]
                )
                // A new field has the old name: its hashes are others.
                let reused = try await opened(database, ReusedNote.self)
                try await reused.create(Note(id: "n6", code: "Code 6", text: "t", extra: "Code 5"))
                let both = try await (
                    heads(database, "secret", "letters"), heads(database, "code", "letters")
                )
                #expect(both.1.count == 1 && Set(both.0).isDisjoint(with: both.1))
                #expect(both.0[0].prefix(12) != both.1[0].prefix(12))
                #expect(
                    try await reused.find(index: 1, [.text("Code 5")]).map(\.id.rawValue) == ["n6"])
                #expect(
                    try await reused.find(index: 0, [.text("Code 5")]).map(\.id.rawValue) == ["n5"])
                // The case of the texts is ignored, and the index is unique.
                let folded = try await opened(database, FoldedNote.self)
                #expect(
                    try await folded.find(index: 0, [.text("CODE 2")]).map(\.id.rawValue) == ["n2"])
                let violation = await #expect(throws: CRUDRepositoryError.self) {
                    try await folded.create(Note(id: "n16", code: "cODE 2", text: "t"))
                }
                #expect(violation?.code == .constraintViolated && violation?.field == "secret")
                // Without the index, the values have no hashes, and the key is not needed.
                let bare = try await opened(database, BareNote.self)
                #expect(try await heads(database, "secret", "letters").isEmpty)
                #expect(try await bare.fetch().count == 9)
                let context = RepositoryContext(
                    store: try database.store(indexKey: nil),
                    schema: StoreSchema("Notes", [Note<BareNote>.self]))
                #expect(try await NoteRepository<BareNote>(context).fetch().count == 9)
            }
        }

        @Test(
            "are those of the column for programs of two versions", arguments: IndexedDatabase.kinds
        )
        func twoPrograms(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                let old = try await opened(database, IndexedNote.self)
                let new = try await opened(database, RespelledNote.self)
                try await old.create(Note(id: "n1", code: "Code", text: "t"))
                try await new.create(Note(id: "n2", code: "Code", text: "t"))
                let reopened = try await opened(database, IndexedNote.self)
                try await reopened.create(Note(id: "n3", code: "Code", text: "t"))
                #expect(Set(try await heads(database, "code")).count == 1)
                // Only the newer program knows both names, with which the values are authenticated.
                #expect(try await new.find(index: 0, [.text("Code")]).count == 3)
                await #expect(throws: CRUDRepositoryError.self) {
                    try await old.find(index: 0, [.text("Code")])
                }
            }
        }

        @Test("serve queries among many records", arguments: IndexedDatabase.kinds)
        func manyRecords(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                let notes = try await opened(database, IndexedNote.self)
                try await notes.createAll(
                    (0..<2_000).map { Note(id: "n\($0)", code: "Code \($0 / 2)", text: "t") })
                if kind == .postgreSQL { try await database.run("ANALYZE <notes") }
                let query = Query<Note<IndexedNote>>.where { _ in
                    Condition(.compare(FieldPath(1), .equal, .text("Code 7")))
                }
                #expect(try await notes.fetch(query).map(\.id.rawValue) == ["n14", "n15"])
                let plan = try await notes.explain(query)
                #expect(plan.description.contains("notes_code"), "\(plan.description)")
            }
        }

        @Test("refuse a unique index over equal values", arguments: IndexedDatabase.kinds)
        func equalValues(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                let notes = try await written(database, PlainNote.self)
                try await notes.create(Note(id: "n8", code: "CODE 3", text: "t"))
                let before = try await database.bytes("SELECT code FROM <notes ORDER BY id")
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await opened(database, UniqueNote.self)
                }
                #expect(error?.code == .schemaMismatch)
                #expect(error?.message.contains("cannot be built") == true, "\(error as Any)")
                #expect(error?.message.contains("ode 3") == false)
                #expect(try await database.bytes("SELECT code FROM <notes ORDER BY id") == before)
                try await notes.delete(EntityID("n8"))
                let unique = try await opened(database, UniqueNote.self)
                #expect(try await unique.find(index: 0, [.text("CODE 3")]).count == 1)
            }
        }

        @Test("are built whoever opens first", arguments: IndexedDatabase.kinds)
        func manyOpenings(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<6 {
                        group.addTask {
                            let notes = try await repository(database, IndexedNote.self)
                            try await notes.create(
                                Note(id: "n\(number)", code: "same", text: "t"))
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(Set(try await heads(database, "code")).count == 1)
                let notes = try await opened(database, IndexedNote.self)
                #expect(try await notes.find(index: 0, [.text("same")]).count == 6)
            }
        }

        @Test("survive the loss of what is noted", arguments: IndexedDatabase.kinds)
        func lostNotes(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                _ = try await written(database, IndexedNote.self)
                let before = try await heads(database, "code")
                try await database.run("DELETE FROM <repository_encryption WHERE kind = 'columns'")
                let notes = try await opened(database, IndexedNote.self)
                #expect(try await heads(database, "code") == before)
                #expect(try await notes.find(index: 0, [.text("Code 1")]).count == 1)
                try await database.run(
                    "UPDATE <repository_encryption SET value = \(database.literal(Data("x".utf8))) WHERE kind = 'columns'"
                )
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await opened(database, IndexedNote.self)
                }
                #expect(error?.code == .databaseError)
            }
        }

        private func repository<V: NoteVersion>(
            _ database: IndexedDatabase, _ version: V.Type
        ) async throws -> NoteRepository<V> {
            NoteRepository(
                RepositoryContext(
                    store: try database.store(), schema: StoreSchema("Notes", [Note<V>.self])))
        }

        /// Opens the database with a version of the schema.
        private func opened<V: NoteVersion>(
            _ database: IndexedDatabase, _ version: V.Type
        ) async throws -> NoteRepository<V> {
            let notes = try await repository(database, version)
            _ = try await notes.count()
            return notes
        }

        private func written<V: NoteVersion>(
            _ database: IndexedDatabase, _ version: V.Type
        ) async throws -> NoteRepository<V> {
            let notes = try await opened(database, version)
            try await notes.createAll(
                (0..<6).map { Note(id: "n\($0)", code: "Code \($0)", text: "t\($0)") })
            return notes
        }

        /// The hashes before the values of a column.
        private func heads(
            _ database: IndexedDatabase, _ column: String, _ table: String = "notes"
        ) async throws -> [Data] {
            try await database.bytes("SELECT \(column) FROM <\(table) ORDER BY id")
                .compactMap { $0 }.filter { $0.starts(with: Data("SRI".utf8)) }
                .map { Data($0.prefix(44)) }
        }
    }
#endif
