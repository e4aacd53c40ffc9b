#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    @Suite("PostgreSQL: backups", .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLBackupTests {
        /// Calls a body with a filled store, a new folder's name, and a function that makes an empty
        /// store.
        private func withBackup(
            _ body: (Conformance, URL, () throws -> PostgreSQLStore) async throws -> Void
        ) async throws {
            let name = UUID().uuidString
            let folder = FileManager.default.temporaryDirectory.appending(path: "backups-\(name)")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
            let store = try TestServer.store("backup-\(name)", connections: 2)
            let library = Conformance.plain(store)
            var number = 0
            func empty() throws -> PostgreSQLStore {
                number += 1
                return try TestServer.store("backup-\(name)-\(number)", connections: 2)
            }
            try await library.notes.createAll(
                (0..<300).map {
                    Note(id: Note.ID("\($0)\t\\\n'"), text: "\\N\\.\r\n\u{1}\u{1F4D6}\($0)")
                })
            try await body(library, folder.appending(path: "backup"), empty)
            try await store.close()
            try FileManager.default.removeItem(at: folder)
            for number in 0...number {
                let suffix = number == 0 ? "" : "-\(number)"
                try await TestServer.run(
                    "DROP SCHEMA IF EXISTS \"backup-\(name)\(suffix)\" CASCADE")
            }
        }

        /// Every table, column, constraint, index and trigger is as the store makes it.
        @Test func restoredTablesAreLikeTheOriginals() async throws {
            try await withBackup { _, url, empty in
                // With the tables of external data, too.
                let store = try empty()
                let library = Conformance(store)
                try await library.notes.createAll(
                    (0..<300).map {
                        Note(id: Note.ID("\($0)\t\\\n'"), text: "\\N\\.\r\n\u{1}\($0)")
                    })
                var draft = RecordDraft<Receipt>()
                draft.text = "draft"
                let given = try await Receipts(store).receipts.createAll([draft, draft])
                try await Receipts(store).receipts.delete(2)
                #expect(given.map(\.id) == [1, 2])
                try await library.backup(to: url)
                let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
                #expect(names.contains("manifest"))
                let other = try empty()
                try await other.restore(from: url)
                func shape(_ store: any EntityStore) async throws -> PostgreSQLBackupManifest {
                    let store = try #require(store as? PostgreSQLStore)
                    var manifest = try await store.access.leasing {
                        try await PostgreSQLBackupCatalog.manifest($0)
                    }
                    manifest.tables.sort { $0.name < $1.name }
                    return manifest
                }
                let (old, new) = try await (shape(store), shape(other))
                #expect(old.tables.count > 10)
                #expect(old == new)
                #expect(old.tables.contains { $0.columns.contains { $0.initial != nil } })
                #expect(old.tables.contains { !$0.triggers.isEmpty })
                #expect(old.tables.contains { !$0.references.isEmpty })
                #expect(old.tables.contains { !$0.indexes.isEmpty })
                // The id of a deleted record is not given again.
                #expect(try await Receipts(other).receipts.create(draft).id == 3)
                let restored = Conformance(other)
                #expect(try await restored.notes.fetch() == library.notes.fetch())
                #expect(try await restored.notes.count() == 300)
                #expect(try await restored.check().isSound)
                try await other.close()
                try await store.close()
            }
        }

        @Test func damagedBackupsAreRefused() async throws {
            try await withBackup { library, url, empty in
                try await library.backup(to: url)
                let again = await #expect(throws: CRUDRepositoryError.self) {
                    try await library.backup(to: url)
                }
                #expect(again?.code == .databaseError)
                let files = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
                let store = try empty()
                for file in files {
                    let path = url.appending(path: file)
                    let data = try Data(contentsOf: path)
                    var changed = data
                    if changed.isEmpty {
                        changed.append(65)
                    } else {
                        changed[changed.count / 2] ^= 1
                    }
                    for damaged in [changed, data.dropLast(), data + Data([10]), nil] {
                        // An empty file has no shorter form.
                        if damaged == data { continue }
                        try? FileManager.default.removeItem(at: path)
                        try damaged?.write(to: path)
                        let error = await #expect(throws: CRUDRepositoryError.self, "\(file)") {
                            try await store.restore(from: url)
                        }
                        #expect(error?.code == .invalidBackup, "\(file)")
                    }
                    try data.write(to: path)
                }
                // Nothing of them is left.
                try await store.restore(from: url)
                #expect(try await Conformance.plain(store).notes.count() == 300)
                try await store.close()
            }
        }

        /// What the server refuses is undone as a whole.
        @Test func refusedDefinitionsLeaveNothing() async throws {
            try await withBackup { library, url, empty in
                try await library.backup(to: url)
                let path = url.appending(path: "manifest")
                func fail(_ reason: String) -> CRUDRepositoryError { .invalidBackup("", reason) }
                let good = try Data(contentsOf: path)
                var manifest = try PostgreSQLBackupManifest(good, fail)
                let notes = try #require(manifest.tables.firstIndex { $0.name == "notes" })
                manifest.tables[notes].constraints.append(
                    .init(name: "no", definition: "CHECK (text = 'x')"))
                try manifest.data().write(to: path)
                let store = try empty()
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await store.restore(from: url)
                }
                #expect(error?.code == .invalidBackup)
                // Several statements are not one definition.
                manifest.tables[notes].constraints[1].definition = "CHECK (true); SELECT 1"
                try manifest.data().write(to: path)
                await #expect(throws: CRUDRepositoryError.self) {
                    try await store.restore(from: url)
                }
                try good.write(to: path)
                try await store.restore(from: url)
                try await store.close()
            }
        }

        /// A migration writes the data of the old version, which a program of that version opens.
        @Test func copyBeforeAMigration() async throws {
            try await withBackup { library, url, empty in
                func books<S: VersionShape>(
                    _ shape: S.Type, _ set: StoreSchema, _ store: PostgreSQLStore
                ) -> VersionedRepository<S> {
                    VersionedRepository(
                        RepositoryContext(store: store, schema: set, fullScans: .allow))
                }
                let store = try empty()
                try await books(BookVersions.One.self, BookPrograms.first(), store).createAll(
                    (0..<20).map { number in
                        .init(
                            "\(number)", .text("t\(number)"), .null, .integer(1), .null,
                            .text("\(number)"))
                    })
                let later = try TestServer.store(store.options.schema ?? "", connections: 1)
                var control = MigrationControl()
                control.backup = url
                let third = try BookPrograms.third(BookPrograms.price(CallCounter()))
                    .controlled(by: control)
                try await later.open(third)
                #expect(try await books(BookVersions.Three.self, third, later).count() == 20)
                let old = try empty()
                try await old.restore(from: url)
                #expect(
                    try await books(BookVersions.One.self, BookPrograms.first(), old).count() == 20)
                for store in [store, later, old] { try await store.close() }
            }
        }

        @Test func cancelledBackupLeavesNothing() async throws {
            try await withBackup { library, url, empty in
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await library.backup(to: url)
                }
                await #expect(throws: (any Error).self) { try await task.value }
                let parent = url.deletingLastPathComponent().path
                #expect(try FileManager.default.contentsOfDirectory(atPath: parent) == [])
                try await library.backup(to: url)
            }
        }
    }
#endif
