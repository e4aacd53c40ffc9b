#if Encryption
    import Foundation
    import RepositoryEncryption
    import RepositoryRuntime
    import Testing

    /// Indexes over encrypted fields: hashes find equal values.
    @Suite("Indexes over encrypted fields")
    struct EncryptedIndexTests {
        @Test("find equal values of every type", arguments: IndexedDatabase.kinds)
        func types(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                let (clinic, members) = try await filled(database)
                func requireFound<V: Equatable & Sendable>(
                    _ field: String, _ value: (Member) -> V?,
                    _ find: (V) async throws -> [Member],
                    _ query: (V) -> Query<Member>
                ) async throws {
                    for wanted in Set(members.indices.prefix(8)).map({ members[$0] }) {
                        guard let wanted = value(wanted) else { continue }
                        let expected = members.filter { value($0) == wanted }.map(\.number)
                        #expect(!expected.isEmpty)
                        let found = try await find(wanted).map(\.number)
                        #expect(found.sorted() == expected.sorted(), "\(field)")
                        let fetched = try await clinic.members.fetch(query(wanted)).map(\.number)
                        #expect(fetched.sorted() == expected.sorted(), "\(field)")
                        let plan = try await clinic.members.explain(query(wanted))
                        #expect(!plan.plan.isFullScan)
                        #expect(plan.description.contains("finds by the hash of \(field) == ?"))
                        #expect(plan.description.contains("runtime: tests \(field) == ?"))
                        if kind == .sqlite {
                            #expect(plan.description.contains("INDEX members_\(field)"))
                        }
                    }
                }
                let all = clinic.members
                try await requireFound(
                    "email", { $0.email }, { try await [all.find(email: $0)].compactMap(\.self) },
                    { value in .where { $0.email == value } })
                try await requireFound(
                    "name", { $0.name }, { try await all.findAll(name: $0) },
                    { value in .where { $0.name == value } })
                try await requireFound(
                    "phone", { $0.phone },
                    { try await [all.find(phone: $0)].compactMap(\.self) },
                    { value in .where { $0.phone == value } })
                try await requireFound(
                    "active", { $0.active }, { try await all.findAll(active: $0) },
                    { value in .where { $0.active == value } })
                try await requireFound(
                    "small", { $0.small }, { try await all.findAll(small: $0) },
                    { value in .where { $0.small == value } })
                try await requireFound(
                    "points", { $0.points }, { try await all.findAll(points: $0) },
                    { value in .where { $0.points == value } })
                try await requireFound(
                    "weight", { $0.weight }, { try await all.findAll(weight: $0) },
                    { value in .where { $0.weight == value } })
                try await requireFound(
                    "height", { $0.height }, { try await all.findAll(height: $0) },
                    { value in .where { $0.height == value } })
                try await requireFound(
                    "debt", { $0.debt }, { try await all.findAll(debt: $0) },
                    { value in .where { $0.debt == value } })
                try await requireFound(
                    "price", { $0.price }, { try await all.findAll(price: $0) },
                    { value in .where { $0.price == value } })
                try await requireFound(
                    "born", { $0.born.map(StoredDate.rounded) },
                    { try await all.findAll(born: $0) },
                    { value in .where { $0.born == value } })
                try await requireFound(
                    "day", { $0.day }, { try await all.findAll(day: $0) },
                    { value in .where { $0.day == value } })
                try await requireFound(
                    "card", { $0.card }, { try await all.findAll(card: $0) },
                    { value in .where { $0.card == value } })
                try await requireFound(
                    "page", { $0.page }, { try await all.findAll(page: $0) },
                    { value in .where { $0.page == value } })
                try await requireFound(
                    "picture", { $0.picture }, { try await all.findAll(picture: $0) },
                    { value in .where { $0.picture == value } })
                try await requireFound(
                    "blood", { $0.blood }, { try await all.findAll(blood: $0) },
                    { value in .where { $0.blood == value } })
            }
        }

        @Test("change no query's meaning", arguments: IndexedDatabase.kinds)
        func queries(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                let (clinic, members) = try await filled(database)
                let memory = Clinic(InMemoryStore())
                try await memory.members.createAll(members)
                let queries: [Query<Member>] = [
                    .where { $0.email == "SHEVEK3@Anarres.EXAMPLE" },
                    .where {
                        $0.email.in(["shevek1@ANARRES.example", "x", "Shevek8@anarres.example"])
                    },
                    .where { $0.email.in((0..<700).map { "shevek\($0)@anarres.example" }) },
                    .where { $0.name.in(["Shevek 1", "Shevek 2"]) && $0.number > 4 },
                    .where { $0.name == "Shevek 1" || $0.phone == "0012345-8" },
                    .where { $0.name == "Shevek 1" || $0.number == 8 },
                    .where { ($0.name == "Shevek 1" || $0.number == 8) && $0.points > 0 },
                    .where { $0.name == "shevek 1" },
                    .where { $0.name != "Shevek 1" }, .where { !($0.name == "Shevek 1") },
                    .where { $0.phone == nil }, .where { $0.phone != nil },
                    .where { $0.phone.in([nil, "0012345-2"]) },
                    .where { $0.points > 2 && $0.points <= 8 },
                    .where { $0.name.hasPrefix("Shevek 1") },
                    .where { $0.badge == "Odonian badge" && $0.number > 0 },
                    .where { $0.alias == "Odonian 4" },
                    Query.where { $0.name == "Shevek 2" }.sorted(by: \.email, .descending).limit(2),
                    Query.where { $0.number >= 0 }.sorted(by: \.name).limit(4),
                    Query.where { $0.active == true }.sorted(by: \.points).offset(1),
                ]
                for (place, query) in queries.enumerated() {
                    let query = query.allowingFullScan()
                    #expect(
                        try await clinic.members.fetch(query).map(\.number)
                            == memory.members.fetch(query).map(\.number), "query \(place)")
                    #expect(
                        try await clinic.members.count(query) == memory.members.count(query),
                        "query \(place)")
                }
                #expect(
                    try await clinic.members.named(name: "Shevek 2").map(\.number) == [8, 7, 6])
                #expect(
                    try await clinic.members.anyOf(names: ["Shevek 0", "Shevek 3"]).count == 6)
                // A hash has no order: these read every record.
                for query: Query<Member> in [
                    .where { $0.points > 2 }, .where { $0.name.hasPrefix("S") },
                    Query().sorted(by: \.name).limit(3),
                ] {
                    let plan = try await clinic.members.explain(query.allowingFullScan())
                    #expect(plan.plan.isFullScan && plan.description.contains("reads every record"))
                }
                for query: Query<Member> in [
                    .where { $0.phone == nil }, .where { $0.name == "a" || $0.phone == "b" },
                    .where { $0.name.in((0..<300).map { "\($0)" }) },
                ] {
                    #expect(try await !clinic.members.explain(query).plan.isFullScan)
                }
                let booking = Booking(memberID: members[2].id, code: "c1")
                try await clinic.bookings.create(booking)
                let booked = Query<Booking>.where { $0.member.email == "SHEVEK2@anarres.example" }
                #expect(try await clinic.bookings.fetch(booked) == [booking])
                #expect(try await !clinic.bookings.explain(booked).plan.isFullScan)
            }
        }

        @Test("are found by updates and deletions", arguments: IndexedDatabase.kinds)
        func writes(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                let (clinic, members) = try await filled(database)
                let count = try await clinic.members.updateAll(
                    .where { $0.name == "Shevek 1" }
                ) { $0.name = "Takver" }
                #expect(count == 3)
                #expect(try await clinic.members.findAll(name: "Shevek 1").isEmpty)
                #expect(try await clinic.members.findAll(name: "Takver").count == 3)
                #expect(
                    try await clinic.members.deleteAll(where: { $0.name == "Takver" }) == 3)
                var changed = members[0]
                changed.phone = nil
                changed.email = "new@urras.example"
                _ = try await clinic.members.update(changed)
                #expect(try await clinic.members.find(phone: "0012345-0") == nil)
                #expect(try await clinic.members.find(email: "NEW@urras.example") == changed)
                try await clinic.transaction { clinic in
                    var other = members[1]
                    other.name = "Bedap"
                    _ = try await clinic.members.save(other)
                    #expect(try await clinic.members.findAll(name: "Bedap").count == 1)
                }
                #expect(try await clinic.members.findAll(name: "Bedap").map(\.number) == [1])
            }
        }

        @Test("enforce uniqueness", arguments: IndexedDatabase.kinds)
        func uniqueness(_ kind: IndexedDatabase.Kind) async throws {
            try await IndexedDatabase.with(kind) { database in
                let (clinic, members) = try await filled(database)
                func requireViolation(
                    _ field: String, _ index: String, _ body: () async throws -> Void
                ) async {
                    let error = await #expect(throws: CRUDRepositoryError.self) { try await body() }
                    #expect(error?.code == .constraintViolated, "\(error as Any)")
                    #expect(error?.field == field && error?.constraint == index)
                    #expect(error?.table == "members")
                    #expect(error?.message.contains("hevek") == false)
                }
                var other = Member.sample(50)
                other.email = "SHEVEK1@ANARRES.example"
                await requireViolation("email", "members_email") {
                    try await clinic.members.create(other)
                }
                await requireViolation("email", "members_email") {
                    try await clinic.members.createAll([Member.sample(51), other])
                }
                other = members[2]
                other.phone = "0012345-4"
                await requireViolation("phone", "members_phone") {
                    _ = try await clinic.members.update(other)
                }
                await requireViolation("phone", "members_phone") {
                    try await clinic.members.saveAll([other])
                }
                // Half of the samples have no phone, and null is no value.
                #expect(try await clinic.members.count(.where { $0.phone == nil }) == 6)
                // The badges of positive numbers must differ.
                other = members[2]
                other.badge = members[4].badge
                await requireViolation("badge", "members_badge") {
                    _ = try await clinic.members.update(other)
                }
                other.number = -100
                _ = try await clinic.members.update(other)
                // Records of one call exchange their values.
                var (one, two) = (members[4], members[6])
                swap(&one.email, &two.email)
                swap(&one.phone, &two.phone)
                try await clinic.members.saveAll([one, two])
                #expect(try await clinic.members.find(email: one.email) == one)
                #expect(try await clinic.members.find(phone: two.phone ?? "") == two)
            }
        }

        private func filled(_ database: IndexedDatabase) async throws -> (Clinic, [Member]) {
            try await EncryptedIndexTests.filled(database.store())
        }

        /// Fills a store with members.
        static func filled(_ store: any EntityStore) async throws -> (Clinic, [Member]) {
            let clinic = Clinic(store)
            let members = (0..<12).map { number in
                var member = Member.sample(number)
                // Badges are unique among positive numbers.
                if number > 0 { member.badge = member.badge.map { "\($0) \(number)" } }
                return member
            }
            try await clinic.members.createAll(members)
            return (clinic, members)
        }
    }
#endif
