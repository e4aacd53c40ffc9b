#if Encryption
    import Foundation
    import RepositoryEncryption
    import RepositoryRuntime
    import RepositorySQLite
    import Testing

    /// What the hashes in indexes over encrypted fields show, and what changed hashes do.
    @Suite("Hashes of encrypted fields")
    struct EncryptedIndexSecurityTests {
        @Test("show equal values of one column only", arguments: IndexedDatabase.kinds)
        func comparisons(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                let store = try database.store()
                let (clinic, members) = try await EncryptedIndexTests.filled(store)
                // One text in two records, in another field, and in another table.
                var (one, two) = (members[2], members[4])
                one.name = "Odonian"
                one.phone = "Odonian"
                two.name = "Odonian"
                try await clinic.members.saveAll([one, two])
                try await clinic.bookings.create(Booking(memberID: one.id, code: "Odonian"))
                let name = try await database.stored("name", of: one)
                #expect(name.starts(with: Data("SRI".utf8)) && name.count > 44 + 28)
                #expect(try await database.stored("name", of: two).prefix(44) == name.prefix(44))
                let phone = try await database.stored("phone", of: one)
                let code = try #require(try await database.bytes("SELECT code FROM <bookings")[0])
                for other in [phone, code] {
                    #expect(other.prefix(12) != name.prefix(12))
                    #expect(other[12..<44] != name[12..<44])
                }
                #expect(phone[12..<44] != code[12..<44])
                // The ciphertexts of equal values differ.
                #expect(
                    try await database.stored("name", of: two).dropFirst(44) != name.dropFirst(44))
                // A tenant has hashes of its own.
                if kind != .driver {
                    let tenant = Clinic(try database.store(tenant: "north"))
                    try await tenant.members.create(one)
                    #expect(try await tenant.members.findAll(name: "Odonian").count == 1)
                }
                #expect(try await clinic.members.findAll(name: "Odonian").count == 2)
                for file in try database.files() {
                    let data = try Data(contentsOf: file)
                    for word in Member.words {
                        #expect(data.range(of: Data(word.utf8)) == nil, "\(word)")
                    }
                }
                let columns = try await database.bytes("SELECT email FROM <members")
                #expect(columns.count == 12)
                for case let stored? in columns {
                    #expect(stored.range(of: Data("anarres".utf8)) == nil)
                }
            }
        }

        @Test("are changed without another query's result", arguments: IndexedDatabase.kinds)
        func movedHashes(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                let (clinic, members) = try await EncryptedIndexTests.filled(try database.store())
                let (one, two) = (members[2], members[4])
                let (first, second) = (
                    try await database.stored("name", of: one),
                    try await database.stored("name", of: members[9])
                )
                // Another record's hash: the runtime decides after decryption.
                try await database.set("name", second.prefix(44) + first.dropFirst(44), of: one)
                #expect(try await clinic.members.read(one.id) == one)
                let numbers = try await clinic.members.findAll(name: members[9].name).map(\.number)
                #expect(numbers.sorted() == [9, 10, 11])
                #expect(
                    try await clinic.members.fetch(.where { $0.name == members[9].name }).count == 3
                )
                #expect(
                    try await clinic.members.updateAll(
                        .where { $0.name == members[9].name }
                    ) { $0.number += 100 } == 3)
                try await requireRepair(clinic, ["members_name"])
                #expect(try await clinic.members.findAll(name: one.name).contains(one))
                // Two records exchange their hashes in a unique index.
                let emails = try await (
                    database.stored("email", of: one), database.stored("email", of: two)
                )
                try await database.set("email", Data("x".utf8) + emails.0, of: one)
                try await database.set(
                    "email", emails.0.prefix(44) + emails.1.dropFirst(44), of: two)
                try await database.set(
                    "email", emails.1.prefix(44) + emails.0.dropFirst(44), of: one)
                #expect(try await clinic.members.find(email: one.email) == nil)
                try await requireRepair(clinic, ["members_email"])
                #expect(try await clinic.members.find(email: one.email) == one)
                #expect(try await clinic.members.find(email: two.email) == two)
                // The hash of another column, no hash, and a changed one.
                let phone = try await database.stored("phone", of: one)
                for head in [
                    phone.prefix(44), Data(), first.prefix(43) + [first[43] ^ 1],
                    first.prefix(3) + [2] + first[4..<44],
                ] {
                    try await database.set("name", head + first.dropFirst(44), of: one)
                    #expect(try await clinic.members.read(one.id) == one)
                    #expect(try await !clinic.members.findAll(name: one.name).contains(one))
                    try await requireRepair(clinic, ["members_name"])
                    #expect(try await clinic.members.findAll(name: one.name).contains(one))
                }
                // A value in another place is no value of the record, whatever its hash.
                try await database.set("name", phone, of: one)
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await clinic.members.read(one.id)
                }
                #expect(error?.code == .invalidRecord && error?.field == "name")
                let check = try await clinic.check(repair: true)
                #expect(check.problems.contains { $0.kind == .unreadableRecord && !$0.isRepaired })
            }
        }

        private func requireRepair(_ clinic: Clinic, _ indexes: [String]) async throws {
            let check = try await clinic.check(repair: false)
            #expect(check.problems.map(\.kind) == indexes.map { _ in .outdatedIndex })
            #expect(check.problems.compactMap(\.field) == indexes)
            let repaired = try await clinic.check(repair: true)
            #expect(repaired.problems.allSatisfy(\.isRepaired) && !repaired.problems.isEmpty)
            #expect(try await clinic.check(repair: false).isSound)
        }

        @Test("need their key at the opening", arguments: IndexedDatabase.kinds)
        func keys(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                // Without data, the schema alone needs the key.
                let missing = await #expect(throws: CRUDRepositoryError.self) {
                    try await Clinic(database.store(indexKey: nil)).members.count()
                }
                #expect(missing?.code == .keyNotFound)
                #expect(missing?.table == "members" && missing?.field == "email")
                let (_, members) = try await EncryptedIndexTests.filled(try database.store())
                for key in [nil, try .index("i2"), try .index("i1", seed: 4)] as [EncryptionKey?] {
                    let error = await #expect(throws: CRUDRepositoryError.self) {
                        try await Clinic(database.store(indexKey: key)).members.count()
                    }
                    #expect(error?.code == .keyNotFound)
                    #expect(key == nil || error?.message.contains("'i1'") == true)
                }
                let clinic = Clinic(try database.store())
                #expect(try await clinic.members.find(email: members[1].email) == members[1])
            }
        }

        @Test("stay when values are encrypted with another key", arguments: IndexedDatabase.kinds)
        func reencryption(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                let (_, members) = try await EncryptedIndexTests.filled(try database.store())
                let before = try await database.stored("name", of: members[3])
                let store = try database.store(.clinic("k2", "k1"))
                let clinic = Clinic(store)
                #expect(try await clinic.members.findAll(name: "Shevek 1").count == 3)
                let report = try await store.reencrypt(batch: 5)
                #expect(report.remaining.keys.sorted() == ["k2"] && report.rewritten > 100)
                let after = try await database.stored("name", of: members[3])
                #expect(after.prefix(44) == before.prefix(44))
                #expect(after.dropFirst(44) != before.dropFirst(44))
                #expect(try await clinic.check(repair: false).isSound)
                let last = Clinic(try database.store(.clinic("k2")))
                #expect(try await last.members.findAll(name: "Shevek 1").count == 3)
                #expect(try await last.members.find(email: members[5].email) == members[5])
            }
        }

        @Test("are in backups, and usual indexes in other stores")
        func otherStores() async throws {
            let (folder, other) = try (ClinicFolder(), ClinicFolder())
            let (clinic, members) = try await EncryptedIndexTests.filled(
                folder.store(.clinic("k1")))
            let copy = folder.url.appending(path: "copy")
            try await clinic.context.store.backup(to: copy)
            let store = try other.store(.clinic("k1"))
            try await store.restore(from: copy)
            #expect(try await Clinic(store).members.find(email: members[1].email) == members[1])
            let transformer = EncryptedTransformer(JSONDataTransformer(), keys: try .clinic("k1"))
            let files = FileSystemStore(
                directory: other.url.appending(path: "files"), transformer: transformer)
            for store: any EntityStore in [files, InMemoryStore()] {
                let (plain, _) = try await EncryptedIndexTests.filled(store)
                #expect(try await plain.members.findAll(name: "Shevek 1").count == 3)
                let query = Query<Member>.where { $0.points > 2 }
                #expect(try await !plain.members.explain(query).plan.isFullScan)
                #expect(try await plain.members.fetch(query).count == 3)
                #expect(try await plain.check(repair: false).isSound)
            }
        }
    }
#endif
