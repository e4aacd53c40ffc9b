#if Encryption && PostgreSQL
    import Foundation
    import RepositoryEncryption
    import RepositoryRuntime
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    /// Encrypted fields in a PostgreSQL database. The tests need `REPOSITORY_POSTGRESQL`.
    @Suite(
        "Encrypted fields in PostgreSQL",
        .enabled(if: ClinicServer.address != nil, "There is no server."))
    struct EncryptedFieldsPostgreSQLTests {
        @Test("are read as they were written, in queries too")
        func values() async throws {
            try await ClinicServer.withSchema { schema in
                let (clinic, patients) = try await filled(schema, .clinic("k1"))
                for patient in patients {
                    #expect(try await clinic.patients.read(patient.id) == patient)
                }
                #expect(try await clinic.patients.named(name: "Takver 4").map(\.number) == [4])
                let found = try await clinic.patients.fetch(
                    Query.where { $0.nick == "TAK4" }.allowingFullScan())
                #expect(found.map(\.number) == [4])
                let bare = Query<Patient>.where { $0.note == nil }.allowingFullScan()
                #expect(try await clinic.patients.fetch(bare).count == 60)
                var visit = Visit(place: "a", number: 1, reason: "insomnia", result: nil)
                visit = try await clinic.visits.save(visit)
                visit.reason = "pollen"
                #expect(try await clinic.visits.update(visit).revision == 2)
                #expect(try await clinic.visits.read(visit.id).reason == "pollen")
                for column in ["name", "note", "home", "picture", "born"] {
                    let stored = try await bytes(column, of: patients[0], schema)
                    #expect(stored.starts(with: [0x53, 0x52, 0x45, 1]))
                    for word in Patient.words {
                        #expect(stored.range(of: Data(word.utf8)) == nil)
                    }
                }
            }
        }

        @Test("make a record invalid if they were changed or moved")
        func changedBytes() async throws {
            try await ClinicServer.withSchema { schema in
                let (clinic, patients) = try await filled(schema, .clinic("k1"))
                let original = try await bytes("note", of: patients[0], schema)
                var forged = original.indices.map { position in
                    var changed = original
                    changed[position] ^= 1
                    return changed
                }
                forged.append(original.prefix(20))
                forged.append(try await bytes("note", of: patients[2], schema))
                forged.append(try await bytes("name", of: patients[0], schema))
                for value in forged {
                    try await set("note", value, of: patients[0], schema)
                    let error = await #expect(throws: CRUDRepositoryError.self) {
                        try await clinic.patients.read(patients[0].id)
                    }
                    #expect(error?.code == .invalidRecord && error?.field == "note")
                    #expect(error?.id == patients[0].id.description)
                }
                #expect(try await clinic.patients.fetch(tolerant: true).failures.count == 1)
                _ = try await clinic.patients.update(patients[0])
                #expect(try await clinic.patients.read(patients[0].id) == patients[0])
            }
        }

        @Test("have keys that are checked at the opening and can be changed")
        func keys() async throws {
            try await ClinicServer.withSchema { schema in
                let (old, patients) = try await filled(schema, .clinic("k1"))
                for keys in [nil, try KeyRing.clinic("k2"), try .clinic("k1", seed: 9)] {
                    let error = await #expect(throws: CRUDRepositoryError.self) {
                        try await Clinic(ClinicServer.store(schema, keys)).patients.count()
                    }
                    #expect(error?.code == .keyNotFound)
                }
                let store = try ClinicServer.store(schema, .clinic("k2", "k1"))
                var changed = patients[1]
                changed.name = "Takver again"
                _ = try await Clinic(store).patients.update(changed)
                // The other program does not have the new key: the record is not damaged for it.
                let missing = await #expect(throws: CRUDRepositoryError.self) {
                    try await old.patients.read(changed.id)
                }
                #expect(missing?.code == .keyNotFound)
                let task = Task { try await store.reencrypt(batch: 1) }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                let report = try await store.reencrypt(batch: 7)
                #expect(report.rewritten > 300)
                #expect(report.remaining.keys.sorted() == ["k2"])
                _ = try await old.patients.update(patients[3])
                #expect(try await store.reencrypt().rewritten > 0)
                let last = Clinic(try ClinicServer.store(schema, .clinic("k2")))
                for patient in patients where patient.id != changed.id {
                    #expect(try await last.patients.read(patient.id) == patient)
                }
                #expect(try await last.patients.read(changed.id) == changed)
            }
        }

        @Test("migrate from plain ones and to plain ones, and are renamed")
        func migrations() async throws {
            let harness = StoreHarness(
                cleanUp: { place in
                    try await ClinicServer.run("DROP SCHEMA IF EXISTS \"\(place.name)\" CASCADE")
                }
            ) { place in
                try ClinicServer.store(place.name, .clinic("k1"))
            }
            let report = try await checkMigrations(Clinic.self, stores: [harness], records: 20)
            #expect(report.versions == [1])
            #expect(report.leftOut == [:])
        }

        private func filled(_ schema: String, _ keys: KeyRing) async throws -> (Clinic, [Patient]) {
            let clinic = Clinic(try ClinicServer.store(schema, keys))
            let patients = (0..<120).map { Patient.sample($0) }
            try await clinic.patients.createAll(patients)
            return (clinic, patients)
        }

        private func bytes(
            _ column: String, of patient: Patient, _ schema: String
        ) async throws -> Data {
            let result = try await ClinicServer.query(
                "SELECT \(column) FROM \"\(schema)\".patients WHERE id = '\(patient.id)'")
            return Data(result.bytes(0, 0))
        }

        private func set(
            _ column: String, _ bytes: Data, of patient: Patient, _ schema: String
        ) async throws {
            let hex = bytes.map { String(format: "%02x", $0) }.joined()
            try await ClinicServer.run(
                "UPDATE \"\(schema)\".patients SET \(column) = '\\x\(hex)' WHERE id = '\(patient.id)'"
            )
        }
    }

    /// The server of the tests.
    enum ClinicServer {
        static let address = ProcessInfo.processInfo.environment["REPOSITORY_POSTGRESQL"]

        static func store(_ schema: String, _ keys: KeyRing?) throws -> PostgreSQLStore {
            PostgreSQLStore(
                try #require(address), schema: schema, connections: 3, waitTimeout: .seconds(600),
                lockTimeout: .seconds(600),
                encryption: keys.map { FieldEncryption($0, indexKey: .index) })
        }

        /// Runs a body with a schema of its own.
        static func withSchema(_ body: (String) async throws -> Void) async throws {
            let schema = "clinic_\(UUID().uuidString.prefix(8).lowercased())"
            try await body(schema)
            try await run("DROP SCHEMA IF EXISTS \"\(schema)\" CASCADE")
        }

        /// Runs statements outside a store.
        static func run(_ statements: String) async throws {
            _ = try await access().leasing { try await $0.runSimple(statements) }
        }

        /// Runs a query outside a store.
        static func query(_ text: String) async throws -> PostgreSQLResult {
            try await access().leasing { try await $0.run(text) }
        }

        private static func access() throws -> PostgreSQLPoolAccess {
            PostgreSQLPoolAccess(
                ConnectionPool(
                    try #require(address), settings: ["client_min_messages = warning"], limit: 1,
                    connectTimeout: .seconds(10), waitTimeout: .seconds(600)), StoreChanges())
        }
    }
#endif
