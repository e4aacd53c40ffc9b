#if Encryption
    import CSQLite
    import Foundation
    import RepositoryEncryption
    import RepositoryRuntime
    import RepositorySQL
    import RepositorySQLite
    import RepositoryTesting
    import Testing

    /// Encrypted fields in an SQLite database, of its own store and of the one for any SQL database.
    @Suite("Encrypted fields in SQLite")
    struct EncryptedFieldsTests {
        @Test(
            "are read as they were written, and are not stored in plain form",
            arguments: [false, true])
        func plainText(_ isOverDriver: Bool) async throws {
            let folder = try ClinicFolder(overDriver: isOverDriver)
            let (clinic, patients) = try await filled(folder, .clinic("k1"))
            for patient in patients {
                #expect(try await clinic.patients.read(patient.id) == patient)
            }
            #expect(
                try await Set(clinic.patients.fetch().map(\.name)) == Set(patients.map(\.name)))
            var changed = patients[0]
            changed.name = "Takver of the north"
            changed.note = nil
            _ = try await clinic.patients.update(changed)
            #expect(try await clinic.patients.read(changed.id) == changed)
            try requireNoPlainText(folder)
        }

        @Test(
            "have the meaning of other fields in queries, checks and rules",
            arguments: [false, true])
        func queries(_ isOverDriver: Bool) async throws {
            let folder = try ClinicFolder(overDriver: isOverDriver)
            let (clinic, patients) = try await filled(folder, .clinic("k1"))
            func numbers(_ query: Query<Patient>) async throws -> [Int] {
                try await clinic.patients.fetch(query.allowingFullScan()).map(\.number)
            }
            #expect(try await numbers(.where { $0.name == "Takver 3" }) == [3])
            #expect(try await clinic.patients.named(name: "Takver 4").map(\.number) == [4])
            #expect(try await numbers(.where { $0.nick == "TAK4" }) == [4])
            #expect(try await numbers(.where { $0.note == nil }).count == 10)
            #expect(try await numbers(.where { $0.note.contains("note 6") }) == [6])
            #expect(try await numbers(.where { $0.allergies.contains("pollen") }).count == 10)
            let latest = patients.sorted { ($0.visits, $1.number) > ($1.visits, $0.number) }
            #expect(
                try await numbers(Query().sorted(by: \.visits, .descending).limit(3))
                    == latest.prefix(3).map(\.number))
        }

        @Test("make a record invalid if a byte of them was changed", arguments: [false, true])
        func changedBytes(_ isOverDriver: Bool) async throws {
            let folder = try ClinicFolder(overDriver: isOverDriver)
            let (clinic, patients) = try await filled(folder, .clinic("k1"))
            let database = try RawDatabase(folder.path)
            let original = try database.bytes("note", of: patients[0].id.rawValue)
            #expect(original.count > 50)
            for position in original.indices {
                var changed = original
                changed[position] ^= 1
                try database.set("note", changed, of: patients[0].id.rawValue)
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await clinic.patients.read(patients[0].id)
                }
                #expect(error?.code == .invalidRecord, "byte \(position)")
                #expect(error?.id == patients[0].id.description)
                #expect(error?.field == "note")
            }
            for count in 0..<original.count {
                try database.set("note", original.prefix(count), of: patients[0].id.rawValue)
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await clinic.patients.read(patients[0].id)
                }
                #expect(error?.code == .invalidRecord, "\(count) bytes")
            }
            // The other records are read, and this one can be replaced.
            let found = try await clinic.patients.fetch(tolerant: true)
            #expect(found.failures.count == 1 && found.rows.count == 19)
            _ = try await clinic.patients.update(patients[0])
            #expect(try await clinic.patients.read(patients[0].id) == patients[0])
        }

        @Test(
            "make a record invalid if they were moved from another record, column or table",
            arguments: [false, true])
        func movedValues(_ isOverDriver: Bool) async throws {
            let folder = try ClinicFolder(overDriver: isOverDriver)
            let (clinic, patients) = try await filled(folder, .clinic("k1"))
            let database = try RawDatabase(folder.path)
            let (one, two) = (patients[0].id.rawValue, patients[2].id.rawValue)
            let visit = Visit(place: "a", number: 1, reason: "insomnia", result: "pollen")
            try await clinic.visits.create(visit)
            func code(_ id: Patient.ID) async -> CRUDRepositoryError.Code? {
                await #expect(throws: CRUDRepositoryError.self) {
                    try await clinic.patients.read(id)
                }?.code
            }
            let notes = try [one, two].map { try database.bytes("note", of: $0) }
            try database.set("note", notes[1], of: one)
            #expect(await code(patients[0].id) == .invalidRecord)
            try database.set("note", try database.bytes("name", of: one), of: one)
            #expect(await code(patients[0].id) == .invalidRecord)
            try database.set("note", Data("plain".utf8), of: one)
            #expect(await code(patients[0].id) == .invalidRecord)
            try database.set("note", notes[0], of: one)
            #expect(try await clinic.patients.read(patients[0].id) == patients[0])
            try database.run("UPDATE visits SET reason = result")
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await clinic.visits.read(visit.id)
            }
            #expect(error?.code == .invalidRecord && error?.field == "reason")
        }

        @Test("cannot be opened without their keys", arguments: [false, true])
        func keys(_ isOverDriver: Bool) async throws {
            let folder = try ClinicFolder(overDriver: isOverDriver)
            _ = try await filled(folder, .clinic("k1"))
            for keys in [
                nil, try KeyRing.clinic("k2"), try .clinic("k1", seed: 9),
                try .clinic("k2", "k1", seed: 9),
            ] {
                let clinic = Clinic(folder.store(keys))
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await clinic.patients.count()
                }
                #expect(error?.code == .keyNotFound)
                #expect(keys == nil || error?.message.contains("'k1'") == true)
            }
            let clinic = Clinic(try folder.store(.clinic("k2", "k1")))
            #expect(try await clinic.patients.fetch().count == 20)
        }

        @Test(
            "are encrypted again with a new key, even if that is interrupted",
            arguments: [false, true])
        func reencryption(_ isOverDriver: Bool) async throws {
            let folder = try ClinicFolder(overDriver: isOverDriver)
            let (old, patients) = try await filled(folder, .clinic("k1"))
            let store = try folder.store(.clinic("k2", "k1"))
            let clinic = Clinic(store)
            var changed = patients[1]
            changed.name = "Takver again"
            _ = try await clinic.patients.update(changed)
            let task = Task { try await store.reencrypt(batch: 1) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let report = try await store.reencrypt(batch: 3)
            #expect(report.rewritten > 100)
            #expect(report.remaining.keys.sorted() == ["k2"])
            #expect(try await store.reencrypt().rewritten == 0)
            // A program with the old key in front still writes, and its key is noted again.
            _ = try await old.patients.update(patients[3])
            await #expect(throws: CRUDRepositoryError.self) {
                try await Clinic(folder.store(.clinic("k2"))).patients.count()
            }
            #expect(try await store.reencrypt().remaining.keys.sorted() == ["k2"])
            let last = Clinic(try folder.store(.clinic("k2")))
            let expected = patients.map { $0.id == changed.id ? changed : $0 }
            for patient in expected {
                #expect(try await last.patients.read(patient.id) == patient)
            }
        }

        @Test("are written and read in transactions, snapshots and databases in memory")
        func transactions() async throws {
            let store = SQLiteStore.inMemory(
                encryption: FieldEncryption(try .clinic("k1"), indexKey: .index))
            let clinic = Clinic(store)
            try await clinic.transaction { clinic in
                try await clinic.patients.createAll([.sample(0), .sample(1)])
                let changed = try await clinic.patients.updateAll(
                    Query.where { $0.name == "Takver 1" }.allowingFullScan()
                ) { $0.note = "insomnia" }
                #expect(changed == 1)
            }
            #expect(
                try await clinic.patients.fetch().map(\.name).sorted() == ["Takver 0", "Takver 1"])
            let tenant = Clinic(try store.tenant("north"))
            try await tenant.patients.create(.sample(2))
            #expect(try await tenant.patients.fetch().count == 1)
            let rows = try await store.sql("SELECT note FROM patients WHERE note IS NOT NULL")
            for row in rows {
                guard case .data(let stored) = row.values[0] else {
                    Issue.record("The column has no bytes.")
                    continue
                }
                #expect(stored.range(of: Data("insomnia".utf8)) == nil)
            }
            #expect(rows.count == 2)
        }

        @Test("are in backups")
        func backups() async throws {
            let (folder, other) = try (ClinicFolder(), ClinicFolder())
            let (clinic, patients) = try await filled(folder, .clinic("k1"))
            let copy = folder.url.appending(path: "copy")
            try await clinic.context.store.backup(to: copy)
            let store = try other.store(.clinic("k1"))
            try await store.restore(from: copy)
            #expect(try await Clinic(store).patients.read(patients[0].id) == patients[0])
            try requireNoPlainText(folder)
            try requireNoPlainText(other)
        }

        @Test("are refused by stores that would store them in plain form")
        func otherStores() async throws {
            let folder = try ClinicFolder()
            let plain = Clinic(FileSystemStore(directory: folder.url))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await plain.patients.create(.sample(0))
            }
            #expect(error?.code == .keyNotFound)
            let transformer = EncryptedTransformer(JSONDataTransformer(), keys: try .clinic("k1"))
            let clinic = Clinic(FileSystemStore(directory: folder.url, transformer: transformer))
            try await clinic.patients.create(.sample(0))
            try requireNoPlainText(folder)
        }

        @Test(
            "migrate from plain ones and to plain ones, and are renamed", arguments: [false, true])
        func migrations(_ isOverDriver: Bool) async throws {
            let encryption = FieldEncryption(try .clinic("k1"), indexKey: .index)
            let harness = StoreHarness { place in
                let path = place.directory.appending(path: "clinic.sqlite").path
                return isOverDriver
                    ? SQLStore(ExampleDriver(path: path), encryption: encryption)
                    : SQLiteStore(path: path, encryption: encryption)
            }
            let report = try await checkMigrations(Clinic.self, stores: [harness], records: 20)
            #expect(report.versions == [1])
            #expect(report.leftOut == [:])
        }

        private func filled(
            _ folder: ClinicFolder, _ keys: KeyRing
        ) async throws -> (Clinic, [Patient]) {
            let clinic = Clinic(folder.store(keys))
            let patients = (0..<20).map { Patient.sample($0) }
            try await clinic.patients.createAll(patients)
            return (clinic, patients)
        }

        private func requireNoPlainText(_ folder: ClinicFolder) throws {
            for file in try folder.files() {
                let data = try Data(contentsOf: file)
                for word in Patient.words {
                    #expect(data.range(of: Data(word.utf8)) == nil, "\(word)")
                }
            }
        }
    }

    /// A database as SQLite has it.
    final class RawDatabase {
        private var handle: OpaquePointer?

        init(_ path: String) throws {
            try check(sqlite3_open(path, &handle))
            // Another connection may be writing.
            try check(sqlite3_busy_timeout(handle, 60_000))
        }

        deinit { sqlite3_close_v2(handle) }

        /// Runs a statement.
        func run(_ text: String) throws { try check(sqlite3_exec(handle, text, nil, nil, nil)) }

        /// Returns the bytes in a column of a patient.
        func bytes(_ column: String, of id: UUID) throws -> Data {
            var statement: OpaquePointer?
            let text = "SELECT \(column) FROM patients WHERE id = '\(id.uuidString)'"
            try check(sqlite3_prepare_v2(handle, text, -1, &statement, nil))
            defer { sqlite3_finalize(statement) }
            guard sqlite3_step(statement) == SQLITE_ROW,
                let bytes = sqlite3_column_blob(statement, 0)
            else { return Data() }
            return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 0)))
        }

        /// Sets the bytes in a column of a patient.
        func set(_ column: String, _ bytes: Data, of id: UUID) throws {
            let hex = bytes.map { String(format: "%02x", $0) }.joined()
            try run("UPDATE patients SET \(column) = X'\(hex)' WHERE id = '\(id.uuidString)'")
        }

        /// Returns a value for each row of a query.
        func rows<R>(_ query: String, _ body: (OpaquePointer?) throws -> R) throws -> [R] {
            var statement: OpaquePointer?
            try check(sqlite3_prepare_v2(handle, query, -1, &statement, nil))
            defer { sqlite3_finalize(statement) }
            var rows: [R] = []
            while sqlite3_step(statement) == SQLITE_ROW { rows.append(try body(statement)) }
            return rows
        }

        private func check(_ code: Int32) throws {
            guard code == SQLITE_OK else {
                throw CRUDRepositoryError(.databaseError, "SQLite: \(code)")
            }
        }
    }
#endif
