#if Compression && Encryption
    import Foundation
    import Generated
    import RepositoryCompression
    import RepositorySQLite
    import Testing

    @testable import RepositoryEncryption
    @testable import RepositoryRuntime

    /// Stores of encrypted documents, under attack.
    @Suite struct EncryptionTests {
        private static let secret = Data((0..<32).map { UInt8($0 * 7 + 3) })

        private func key(_ id: String, _ seed: UInt8 = 0) throws -> EncryptionKey {
            try EncryptionKey(id: id, bytes: Data(Self.secret.map { $0 ^ seed }))
        }

        private func store(_ folder: TestFolder, _ keys: KeyRing) -> FileSystemStore {
            FileSystemStore(
                directory: folder.url,
                transformer: EncryptedTransformer(JSONDataTransformer(), keys: keys))
        }

        private func client(_ id: String) -> Client {
            Client(
                id: Client.ID(id), name: "Shevek of Anarres", email: "\(id)@anarres.example",
                address: Address(street: "Northsetting", city: "Abbenay"))
        }

        /// A store with ten clients.
        private func filled(_ folder: TestFolder, _ keys: KeyRing) async throws -> Library {
            let library = Library(store(folder, keys))
            try await library.clients.createAll((0..<10).map { client("c\($0)") })
            return library
        }

        private func code<R>(_ body: () async throws -> R) async throws -> CRUDRepositoryError.Code
        {
            let error = await #expect(throws: CRUDRepositoryError.self) { _ = try await body() }
            return try #require(error).code
        }

        @Test func nothingIsStoredInPlainForm() async throws {
            let folder = TestFolder()
            let library = try await filled(folder, KeyRing(key("k1")))
            #expect(try await library.clients.fetch().count == 10)
            #expect(try await library.clients.find(email: "c3@anarres.example")?.id == "c3")
            var names = 0
            for file in try folder.files() {
                let data = try Data(contentsOf: file)
                for word in ["Shevek", "anarres.example", "Northsetting"] {
                    #expect(data.range(of: Data(word.utf8)) == nil, "\(file.lastPathComponent)")
                }
                #expect(data.range(of: Self.secret) == nil)
                if file.pathExtension == "aes" { names += 1 }
            }
            #expect(names > 10, "no index was written")
        }

        @Test func aMovedRecordIsInvalid() async throws {
            let folder = TestFolder()
            let library = try await filled(folder, KeyRing(key("k1")))
            let (first, second) = (
                try #require(try folder.file("clients", "c1")),
                try #require(try folder.file("clients", "c2"))
            )
            let (one, two) = (try Data(contentsOf: first), try Data(contentsOf: second))
            try two.write(to: first)
            try one.write(to: second)
            for id in ["c1", "c2"] {
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await library.clients.read(Client.ID(id))
                }
                #expect(error?.code == .invalidRecord && error?.id == id)
            }
            #expect(try await library.clients.read("c3").name == "Shevek of Anarres")
            // It can be replaced.
            _ = try await library.clients.save(client("c1"))
            #expect(try await library.clients.read("c1").id == "c1")
        }

        @Test func everyChangedByteIsNoticed() async throws {
            let folder = TestFolder()
            let keys = try KeyRing(key("k1"))
            _ = try await filled(folder, keys)
            let file = try #require(try folder.file("clients", "c1"))
            let original = try Data(contentsOf: file)
            for position in original.indices {
                var changed = original
                changed[position] ^= 1
                try changed.write(to: file)
                let library = Library(store(folder, keys))
                #expect(
                    try await code { try await library.clients.read("c1") } == .invalidRecord,
                    "byte \(position)")
            }
            for count in 0..<original.count {
                try original.prefix(count).write(to: file)
                let library = Library(store(folder, keys))
                #expect(
                    try await code { try await library.clients.read("c1") } == .invalidRecord,
                    "\(count) bytes")
            }
        }

        @Test func aPlainRecordIsInvalid() async throws {
            let (folder, plain) = (TestFolder(), TestFolder())
            let library = try await filled(folder, KeyRing(key("k1")))
            try await Library(FileSystemStore(directory: plain.url)).clients.create(client("c1"))
            let forged = try Data(contentsOf: #require(try plain.file("clients", "c1")))
            try forged.write(to: #require(try folder.file("clients", "c1")))
            #expect(try await code { try await library.clients.read("c1") } == .invalidRecord)
        }

        @Test func aMissingOrWrongKeyIsAnErrorOfOpening() async throws {
            let folder = TestFolder()
            _ = try await filled(folder, KeyRing(key("k1")))
            for keys in [
                try KeyRing(key("k2", 9)), try KeyRing(key("k1", 9)),
                try KeyRing(key("k2", 9), key("k1", 9)),
            ] {
                let library = Library(store(folder, keys))
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await library.clients.count()
                }
                #expect(error?.code == .keyNotFound)
                #expect(error?.message.contains("'k1'") == true)
            }
            // Nothing was written with the wrong key.
            let library = Library(try store(folder, KeyRing(key("k1"))))
            #expect(try await library.clients.fetch().count == 10)
        }

        @Test func aWrongKeyDamagesNothingWithoutTheStoresOwnFolder() async throws {
            let folder = TestFolder()
            _ = try await filled(folder, KeyRing(key("k1")))
            try FileManager.default.removeItem(at: folder.url.appending(path: ".repository"))
            let library = Library(try store(folder, KeyRing(key("k2", 9))))
            #expect(try await code { try await library.clients.read("c1") } == .keyNotFound)
        }

        @Test func keysChange() async throws {
            let folder = TestFolder()
            _ = try await filled(folder, KeyRing(key("k1")))
            let both = Library(try store(folder, KeyRing(key("k2", 9), key("k1"))))
            #expect(try await both.clients.read("c1").name == "Shevek of Anarres")
            _ = try await both.clients.save(client("c1"))
            // Both keys are needed while records have them.
            for keys in [try KeyRing(key("k1")), try KeyRing(key("k2", 9))] {
                let library = Library(store(folder, keys))
                #expect(try await code { try await library.clients.count() } == .keyNotFound)
            }
            let report = try await both.context.store.reencrypt(batch: 3)
            #expect(report.rewritten >= 9)
            #expect(report.remaining.keys.sorted() == ["k2"])
            let again = try await both.context.store.reencrypt()
            #expect(again.rewritten == 0 && again.remaining == report.remaining)
            let library = Library(try store(folder, KeyRing(key("k2", 9))))
            #expect(try await library.clients.fetch().count == 10)
            #expect(try await library.clients.find(email: "c3@anarres.example")?.id == "c3")
            let old = Library(try store(folder, KeyRing(key("k1"))))
            #expect(try await code { try await old.clients.count() } == .keyNotFound)
        }

        @Test func aProgramThatStillWritesWithTheOldKeyKeepsItNoted() async throws {
            let folder = TestFolder()
            let old = try await filled(folder, KeyRing(key("k1"), key("k2", 9)))
            let new = Library(try store(folder, KeyRing(key("k2", 9), key("k1"))))
            _ = try await new.context.store.reencrypt()
            _ = try await old.clients.save(client("late"))
            let last = Library(try store(folder, KeyRing(key("k2", 9))))
            #expect(try await code { try await last.clients.count() } == .keyNotFound)
            let report = try await new.context.store.reencrypt()
            #expect(report.rewritten > 0 && report.remaining["k1"] == nil)
            let late = Library(try store(folder, KeyRing(key("k2", 9))))
            #expect(try await late.clients.read("late").name == "Shevek of Anarres")
        }

        @Test func aDamagedRecordKeepsItsKeyAndIsNotLost() async throws {
            let folder = TestFolder()
            _ = try await filled(folder, KeyRing(key("k1")))
            let file = try #require(try folder.file("clients", "c1"))
            var bytes = try Data(contentsOf: file)
            bytes[bytes.endIndex - 1] ^= 1
            try bytes.write(to: file)
            let both = Library(try store(folder, KeyRing(key("k2", 9), key("k1"))))
            let report = try await both.context.store.reencrypt()
            #expect(report.remaining["k1"] == 1)
            #expect(try Data(contentsOf: file) == bytes)
        }

        @Test func aCancelledReencryptionIsContinued() async throws {
            let folder = TestFolder()
            _ = try await filled(folder, KeyRing(key("k1")))
            let both = Library(try store(folder, KeyRing(key("k2", 9), key("k1"))))
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await both.context.store.reencrypt(batch: 1)
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await both.clients.fetch().count == 10)
            let readOnly = both.context.store.readOnly()
            #expect(try await code { try await readOnly.reencrypt() } == .unsupported)
            #expect(try await code { try await InMemoryStore().reencrypt() } == .unsupported)
            let report = try await both.context.store.reencrypt(batch: 1)
            #expect(report.remaining.keys.sorted() == ["k2"])
        }

        @Test func aStoreOfAnotherFormIsNotTakenForAnEmptyOne() async throws {
            let (folder, other) = (TestFolder(), TestFolder())
            let keys = try KeyRing(key("k1"))
            let plain = Library(FileSystemStore(directory: folder.url))
            try await plain.clients.create(client("c1"))
            let encrypted = Library(store(folder, keys))
            #expect(try await code { try await encrypted.clients.count() } == .schemaMismatch)
            #expect(try await plain.clients.count() == 1)
            _ = try await filled(other, keys)
            let read = Library(FileSystemStore(directory: other.url))
            #expect(try await code { try await read.clients.count() } == .schemaMismatch)
        }

        @Test func compressionGoesInside() async throws {
            let folder = TestFolder()
            let keys = try KeyRing(key("k1"))
            let wrong = Library(
                FileSystemStore(
                    directory: folder.url,
                    transformer: CompressedTransformer(
                        EncryptedTransformer(JSONDataTransformer(), keys: keys))))
            #expect(try await code { try await wrong.clients.count() } == .unsupported)
            let twice = Library(
                FileSystemStore(
                    directory: folder.url,
                    transformer: EncryptedTransformer(
                        EncryptedTransformer(JSONDataTransformer(), keys: keys), keys: keys)))
            #expect(try await code { try await twice.clients.count() } == .unsupported)
        }

        @Test func keysAreNotShown() throws {
            let ring = try KeyRing(key("k1"), key("k2", 9))
            var text = "\(ring) \(try key("k1")) \(String(reflecting: ring))"
            dump(EncryptedTransformer(JSONDataTransformer(), keys: ring), to: &text)
            #expect(text.contains("k1"))
            for form in ["\(Self.secret[0]), \(Self.secret[1])", "030a11", "SymmetricKey"] {
                #expect(!text.contains(form), "\(text)")
            }
            #expect(throws: CRUDRepositoryError.self) { try KeyRing(key("a"), key("a", 1)) }
            #expect(throws: CRUDRepositoryError.self) {
                try EncryptionKey(id: "", bytes: Self.secret)
            }
            #expect(throws: CRUDRepositoryError.self) {
                try EncryptionKey(id: "short", bytes: Data(count: 8))
            }
        }

        @Test func aBackupNeedsTheKeys() async throws {
            let (folder, copy, other) = (TestFolder(), TestFolder(), TestFolder())
            let keys = try KeyRing(key("k1"))
            let library = try await filled(folder, keys)
            try await library.backup(to: copy.url)
            let restored = Library(store(other, keys))
            try await restored.restore(from: copy.url)
            #expect(try await restored.clients.fetch().count == 10)
            let wrong = Library(try store(other, KeyRing(key("k2", 9))))
            #expect(try await code { try await wrong.clients.count() } == .keyNotFound)
        }

        @Test func itemsOfFourMethodRepositoriesAreBoundToTheirIDs() async throws {
            let folder = TestFolder()
            let transformer = EncryptedTransformer(
                JSONDataTransformer(), keys: try KeyRing(key("k1")))
            let files = FileSystemRepository(
                directoryURL: folder.url, dataTransformer: transformer)
            try await files.create(id: "a", item: ["one"])
            try await files.create(id: "b", item: ["two"])
            let read: [String] = try await files.read(id: "a")
            #expect(read == ["one"])
            let (first, second) = (
                folder.url.appending(path: "item_a.json.aes"),
                folder.url.appending(path: "item_b.json.aes")
            )
            try Data(contentsOf: first).write(to: second)
            #expect(
                try await code { let _: [String] = try await files.read(id: "b") } == .invalidRecord
            )
            let database = folder.url.appending(path: "items.sqlite").path
            let items = SQLiteRepository(
                tableName: "Items", path: database, dataTransformer: transformer)
            try await items.create(id: "a", item: ["one"])
            let item: [String] = try await items.read(id: "a")
            #expect(item == ["one"])
            let others = SQLiteRepository(
                tableName: "Items", path: database,
                dataTransformer: EncryptedTransformer(
                    JSONDataTransformer(), keys: try KeyRing(key("k2", 9))))
            #expect(
                try await code { let _: [String] = try await others.read(id: "a") } == .keyNotFound)
            await items.close()
            await others.close()
        }
    }
#endif
