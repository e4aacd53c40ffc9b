#if PostgreSQL
    import Foundation
    import RepositoryPostgreSQL
    import RepositoryRuntime
    import Testing

    /// Every row of an imported PostgreSQL database, read by the generated types and by SQL.
    @Suite(
        "Rows of an imported PostgreSQL database",
        .enabled(if: ShopServer.isAvailable, ShopServer.reason))
    struct ServerRowsTests {
        @Test("are those of SQL")
        func rows() async throws {
            try await ShopServer.withShop { database in
                try await database.withShop { set, _ in
                    func check<E: Entity>(
                        _ records: [E], _ query: String, _ row: (E) -> [Any?]
                    ) throws {
                        let expected = try database.rows(query)
                        #expect(records.map { Self.text(row($0)) } == expected, "\(E.self)")
                        #expect(!expected.isEmpty)
                    }
                    let micros = "(extract(epoch FROM %) * 1000000)::bigint"
                    func epoch(_ column: String) -> String { micros.replacing("%", with: column) }
                    try await check(
                        set.persons.fetch(),
                        """
                        SELECT "PersonID", "Full Name", email, mood, born, \(epoch("joined")),
                        \(epoch("seen")), zip, code::text, boss FROM "People" ORDER BY 1
                        """
                    ) {
                        [
                            $0.id, $0.fullName, $0.email, $0.mood, $0.born,
                            StoredDate.microseconds($0.joined),
                            $0.seen.map(StoredDate.microseconds), $0.zip, $0.code, $0.bossID,
                        ]
                    }
                    try await check(
                        set.products.fetch(),
                        """
                        SELECT upper(id::text), title, price * 100, weight, height, trim_scale(any_number),
                        amount, big, encode(photo, 'base64'), is_new, trim_scale(total), attributes, raw, tags,
                        valid, kind FROM products ORDER BY id
                        """
                    ) {
                        [
                            $0.id, $0.title, "\($0.price * 100).00", $0.weight,
                            $0.height.map(Self.short),
                            $0.anyNumber, $0.amount, $0.big, $0.photo?.base64EncodedString(),
                            $0.isNew ? "t" : "f", $0.total, $0.attributes, $0.raw, $0.tags,
                            $0.valid,
                            $0.kind,
                        ]
                    }
                    try await check(
                        set.orders.fetch(),
                        "SELECT id, person, \(epoch("at")), note FROM orders ORDER BY id"
                    ) { [$0.id, $0.personID, StoredDate.microseconds($0.at), $0.note] }
                    try await check(
                        set.orderLines.fetch(),
                        "SELECT order_id, upper(product_id::text), quantity FROM order_lines ORDER BY 1, 2"
                    ) { [$0.orderID, $0.productID, $0.quantity] }
                    try await check(
                        set.tags.fetch(),
                        "SELECT name, \"order\" FROM tags ORDER BY name COLLATE \"C\""
                    ) { [$0.name, $0.order] }
                    try await check(
                        set.peopleTags.fetch(),
                        "SELECT person_id, tag FROM people_tags ORDER BY 1, tag COLLATE \"C\""
                    ) { [$0.personID, $0.tagID] }
                    try await check(
                        set.moods.fetch(),
                        "SELECT mood, text FROM moods ORDER BY mood::text COLLATE \"C\""
                    ) { [$0.mood, $0.text] }
                    try await check(set.requireds.fetch(), "SELECT id, place FROM required") {
                        [$0.id, $0.place]
                    }
                    try await check(set.parts.fetch(), "SELECT id, area FROM parts") {
                        [$0.idValue, $0.area]
                    }
                    try await check(
                        set.sales.fetch(),
                        "SELECT title, sold, \(epoch("last")), once FROM sales ORDER BY title COLLATE \"C\""
                    ) {
                        [
                            $0.title, $0.sold, $0.last.map(StoredDate.microseconds),
                            $0.once.map { $0 ? "t" : "f" },
                        ]
                    }
                    let tags = try await set.persons.tags(of: Person.ID(1))
                    #expect(tags.map { $0.name.rawValue } == ["a", "ä"])
                }
            }
        }

        /// Returns values as `psql` writes them.
        private static func text(_ values: [Any?]) -> String {
            values.map { $0.map { "\($0)" } ?? "NULL" }.joined(separator: "|")
        }

        private static func short(_ value: Double) -> String {
            value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
        }

        @Test("are found by conditions, in orders and in groups as in memory")
        func queries() async throws {
            try await ShopServer.withShop { database in
                try await database.withShop { set, _ in
                    func names(_ query: Query<Person>) async throws -> [Int] {
                        try await set.persons.fetch(query).map { $0.id.rawValue }
                    }
                    #expect(try await names(.where { $0.mood == "sad" }) == [2])
                    #expect(try await names(.where { $0.mood == "unknown" }).isEmpty)
                    #expect(try await names(.where { $0.mood > "ok" }) == [1, 2])
                    #expect(try await names(.where { $0.code == "ab" }) == [1])
                    #expect(try await names(.where { $0.email == "ada@example.org" }) == [1])
                    #expect(try await names(.where { $0.fullName.contains("Ä") }) == [1])
                    #expect(try await names(.where { $0.fullName.hasPrefix("Z") }) == [3])
                    #expect(try await names(.where { $0.fullName < "a" }) == [1, 3])
                    #expect(try await names(.sorted(by: \.fullName)) == [1, 3, 2, 4])
                    #expect(try await names(.sorted(by: \.mood, .descending)) == [1, 2, 3, 4])
                    let day = try #require(LocalDate(year: 2000, month: 2, day: 29))
                    #expect(try await names(.where { $0.born == day }) == [3])
                    let joined = StoredDate.date(microseconds: 1_795_361_330_123_456)
                    #expect(try await names(.where { $0.joined == joined }) == [1])
                    #expect(try await names(.where { $0.joined < joined }) == [2, 3, 4])
                    #expect(try await names(.where { $0.bossID == Person.ID(1) }) == [2, 3])
                    let cheap = try await set.products.fetch(
                        .where { $0.price < 100 }.sorted(by: \.title, .descending))
                    #expect(cheap.map(\.title) == ["zebra", "Lamp"])
                    #expect(try await set.products.maximum(of: \.amount) == 1000)
                    #expect(try await set.products.sum(of: \.amount) == 1003)
                    #expect(try await set.products.minimum(of: \.title) == "Lamp")
                    #expect(try await set.persons.minimum(of: \.joined) != nil)
                    let light = try await set.products.fetch(.where { $0.weight == 0.1 })
                    #expect(light.map(\.title) == ["Lamp"])
                    let moods = try await set.persons.group(by: \.mood, .count)
                    #expect(moods.map(\.0) == ["ok", "sad", "very happy"])
                    #expect(moods.map(\.1) == [2, 1, 1])
                    var pages: [String] = []
                    var page = try await set.tags.page(.sorted(by: \.name).limit(2))
                    pages += page.items.map { $0.name.rawValue }
                    if let next = page.next {
                        page = try await set.tags.page(.sorted(by: \.name).limit(2), after: next)
                        pages += page.items.map { $0.name.rawValue }
                    }
                    #expect(pages == ["B", "a", "ä"])
                }
            }
        }

        @Test("are found by the indexes of the owner")
        func indexes() async throws {
            try await ShopServer.withShop { database in
                try database.run(
                    """
                    INSERT INTO "People" ("Full Name", email) SELECT 'Many', 'm' || n
                    FROM generate_series(1, 2000) AS n; ANALYZE "People"
                    """)
                try await database.withShop { set, _ in
                    let byEmail = Query<Person>.where { $0.email == "x" }
                    let plan = try await set.persons.explain(byEmail).description
                    #expect(plan.contains("People_email_key"), "\(plan)")
                    let byBoss = Query<Person>.where { $0.bossID == Person.ID(3) }
                    let other = try await set.persons.explain(byBoss).description
                    #expect(other.contains("people_boss"), "\(other)")
                }
            }
        }

        @Test("leave the database as it is, and nothing of the package appears in it")
        func nothingAppears() async throws {
            try await ShopServer.withShop { database in
                let objects = """
                    SELECT relname, relkind, relfilenode FROM pg_class
                    WHERE relnamespace = 'public'::regnamespace ORDER BY 1
                    """
                let before = try database.rows(objects)
                try await database.withShop { set, store in
                    _ = try await set.persons.fetch()
                    _ = try await set.tags.save(Tag(name: Tag.ID("new"), order: 4))
                    await #expect(throws: CRUDRepositoryError.self) {
                        try await store.reset(Shop.schema)
                    }
                    let plan = try await store.migrationPlan(Shop.schema)
                    #expect(!plan.isNeeded && plan.problems.isEmpty)
                    try await store.rebuildIndexes()
                }
                #expect(try database.rows(objects) == before)
            }
        }
    }
#endif
