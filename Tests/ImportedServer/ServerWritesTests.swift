#if PostgreSQL
    import Foundation
    import RepositoryPostgreSQL
    import RepositoryRuntime
    import Testing

    /// What is written beside the owner of a PostgreSQL database.
    @Suite(
        "Records written into an imported PostgreSQL database",
        .enabled(if: ShopServer.isAvailable, ShopServer.reason))
    struct ServerWritesTests {
        @Test("keep every value that they were read with")
        func unchanged() async throws {
            try await ShopServer.withShop { database in
                let tables = ["\"People\"", "products", "orders", "tags", "moods", "order_lines"]
                func contents() throws -> [[String]] {
                    try tables.map { try database.rows("SELECT * FROM \($0) ORDER BY 1, 2") }
                }
                let before = try contents()
                try await database.withShop { set, _ in
                    for record in try await set.persons.fetch() {
                        _ = try await set.persons.update(record)
                    }
                    for record in try await set.products.fetch() {
                        #expect(try await set.products.update(record) == record)
                    }
                    _ = try await set.orders.saveAll(set.orders.fetch())
                    _ = try await set.tags.saveAll(set.tags.fetch())
                    _ = try await set.moods.saveAll(set.moods.fetch())
                    _ = try await set.orderLines.saveAll(set.orderLines.fetch())
                }
                #expect(try contents() == before)
            }
        }

        @Test("have the owner's types, and ids of the owner's sequences")
        func types() async throws {
            try await ShopServer.withShop { database in
                try await database.withShop { set, _ in
                    let seen = StoredDate.date(microseconds: 1_795_361_330_123_456)
                    var draft = RecordDraft<Person>()
                    draft.fullName = "Eve"
                    draft.email = "eve@example.org"
                    draft.mood = "very happy"
                    draft.joined = seen
                    draft.seen = seen
                    draft.zip = "54321"
                    draft.code = "zz"
                    draft.bossID = Person.ID(1)
                    let person = try await set.persons.create(draft)
                    #expect(person.id.rawValue == 5)
                    #expect(try await set.persons.read(person.id) == person)
                    #expect(
                        try database.rows(
                            """
                            SELECT mood, joined, seen AT TIME ZONE 'UTC', zip, code, boss
                            FROM "People" WHERE "PersonID" = 5
                            """)
                            == [
                                "very happy|2026-11-22 15:28:50.123456|2026-11-22 15:28:50.123456|54321|zz  |1"
                            ])
                    // The owner goes on after it.
                    try database.run("INSERT INTO \"People\" (\"Full Name\") VALUES ('Own')")
                    var two = RecordDraft<Person>()
                    two.fullName = "Two"
                    let ids = try await set.persons.createAll([two, two]).map(\.id.rawValue)
                    #expect(ids == [7, 8])
                    let product = try await set.products.create(
                        Product(
                            id: Product.ID(UUID()), title: "Ä", price: 1.25, weight: 0.3, amount: 4,
                            photo: Data([1]), attributes: "{\"x\": [1]}", raw: "[ 1 ]"))
                    #expect(product.total == 5 && product.tags == "{}")
                    #expect(try await set.products.read(product.id) == product)
                    let line = OrderLine(orderID: Order.ID(1), productID: product.id, quantity: 7)
                    _ = try await set.orderLines.create(line)
                    #expect(
                        try database.rows(
                            "SELECT sum(quantity) FROM order_lines WHERE order_id = 1")
                            == ["10"])
                    _ = try await set.moods.save(Mood(mood: Mood.ID("very happy"), text: "!"))
                    #expect(try await set.moods.read(Mood.ID("very happy")).text == "!")
                    #expect(try database.rows("SELECT count(*) FROM moods") == ["3"])
                    try await set.moods.delete(Mood.ID("ok"))
                    #expect(try await set.moods.count() == 2)
                    let many = (0..<300).map { Tag(name: Tag.ID("tag \($0)"), order: $0) }
                    _ = try await set.tags.createAll(many)
                    #expect(try await set.tags.count() == 303)
                    try await set.transaction { set in
                        _ = try await set.tags.save(Tag(name: Tag.ID("a"), order: 9))
                        var order = RecordDraft<Order>()
                        order.personID = Person.ID(2)
                        _ = try await set.orders.create(order)
                    }
                    #expect(try database.rows("SELECT max(id) FROM orders") == ["4"])
                }
            }
        }

        @Test("violate the owner's constraints with the name of the field")
        func violations() async throws {
            try await ShopServer.withShop { database in
                try await database.withShop { set, _ in
                    func error(_ body: () async throws -> Void) async -> CRUDRepositoryError? {
                        do {
                            try await body()
                            return nil
                        } catch {
                            return error as? CRUDRepositoryError
                        }
                    }
                    let unique = await error {
                        _ = try await set.persons.create(
                            Person(id: Person.ID(50), fullName: "Ida", email: "e@example.org"))
                    }
                    #expect(unique?.code == .constraintViolated && unique?.field == "email")
                    let reference = await error {
                        _ = try await set.persons.create(
                            Person(id: Person.ID(51), fullName: "Ida", bossID: Person.ID(99)))
                    }
                    #expect(reference?.code == .constraintViolated)
                    #expect(reference?.field == "bossID")
                    let exists = await error {
                        _ = try await set.persons.create(Person(id: Person.ID(1), fullName: "Ida"))
                    }
                    #expect(exists?.code == .recordAlreadyExists)
                    let label = await error {
                        _ = try await set.persons.create(
                            Person(id: Person.ID(52), fullName: "Ida", mood: "bored"))
                    }
                    #expect(label?.code == .constraintViolated)
                    let domain = await error {
                        _ = try await set.persons.create(
                            Person(id: Person.ID(53), fullName: "Ida", zip: "abc"))
                    }
                    #expect(domain?.code == .constraintViolated)
                    let json = await error {
                        _ = try await set.products.create(
                            Product(
                                id: Product.ID(UUID()), title: "x", price: 1, attributes: "no JSON")
                        )
                    }
                    #expect(json?.code == .constraintViolated)
                    let large = await error {
                        _ = try await set.persons.create(
                            Person(id: Person.ID(1 << 40), fullName: "Ida"))
                    }
                    #expect(large?.code == .constraintViolated)
                    let held = await error { _ = try await set.persons.delete(Person.ID(2)) }
                    #expect(held?.code == .constraintViolated)
                    let count = try database.rows("SELECT count(*) FROM \"People\"")
                    #expect(count == ["4"])
                }
            }
        }
    }

    /// Databases that do not have what the schemas declare.
    @Suite(
        "An imported PostgreSQL database that has changed",
        .enabled(if: ShopServer.isAvailable, ShopServer.reason))
    struct ServerMismatchTests {
        @Test(
            "is not opened, with every difference",
            arguments: [
                (
                    "DROP TABLE people_tags",
                    "the table 'people_tags' is declared and not there"
                ),
                (
                    "ALTER TABLE tags DROP COLUMN \"order\"",
                    "the column 'order' of 'tags' is declared and not there"
                ),
                (
                    "ALTER TABLE moods ALTER COLUMN text TYPE integer USING 1",
                    "the column 'text' of 'moods' has the type integer, which does not keep strings"
                ),
                (
                    "ALTER TABLE tags ALTER COLUMN \"order\" DROP NOT NULL",
                    "the column 'order' of 'tags' is not NOT NULL and declared as required"
                ),
                (
                    "UPDATE moods SET text = ''; ALTER TABLE moods ALTER COLUMN text SET NOT NULL",
                    "the column 'text' of 'moods' is NOT NULL and declared as optional"
                ),
                (
                    "ALTER TABLE orders ADD COLUMN extra integer NOT NULL DEFAULT 1; ALTER TABLE orders ALTER COLUMN extra DROP DEFAULT",
                    "the column 'extra' of 'orders' is not declared, and a record without it cannot be stored: it is NOT NULL and has no default"
                ),
                (
                    "ALTER TABLE moods DROP CONSTRAINT moods_pkey",
                    "the id 'mood' of 'moods' is neither its key nor unique"
                ),
                (
                    "DROP INDEX people_boss",
                    "an index over 'bossID' of 'People' is declared and not there"
                ),
                (
                    "ALTER TABLE \"People\" DROP CONSTRAINT \"People_email_key\"",
                    "a unique index over 'email' of 'People' is declared and not there"
                ),
                (
                    "ALTER TABLE order_lines DROP CONSTRAINT order_lines_order_id_fkey, ADD FOREIGN KEY (order_id) REFERENCES orders",
                    "the foreign key of 'order_id' in 'order_lines' to 'orders' with 'onDelete: cascade' is not there; 'onDelete: none' asks for none"
                ),
                (
                    "ALTER TABLE \"People\" ALTER COLUMN joined TYPE timestamptz, ALTER COLUMN seen TYPE timestamp",
                    "the column 'joined' of 'People' has the type timestamp with time zone, and 'storedAs: { postgresql: timestamp }' is declared; the column 'seen' of 'People' has the type timestamp without time zone, which 'storedAs: { postgresql: timestamp }' declares to contain UTC"
                ),
                (
                    "ALTER TABLE products DROP COLUMN total; ALTER TABLE products ALTER COLUMN price TYPE numeric(12, 4)",
                    "the column 'price' of 'products' has the type numeric(12,4), which rounds: declare 'scale: 4'; the column 'total' of 'products' is declared and not there"
                ),
                (
                    "ALTER TABLE orders DROP COLUMN note; ALTER TABLE orders ADD COLUMN note varchar GENERATED ALWAYS AS ('x') STORED",
                    "the column 'note' of 'orders' is computed by the database and cannot be written: declare 'computed: true'"
                ),
                (
                    "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false); ALTER TABLE moods ALTER COLUMN text TYPE text COLLATE loose",
                    "the column 'text' of 'moods' has the collation 'loose', by which strings of different bytes are equal"
                ),
                (
                    "ALTER TABLE people_tags RENAME TO others; CREATE VIEW people_tags AS SELECT * FROM others",
                    "'people_tags' is a view and cannot be written: declare 'readOnly: true'"
                ),
            ])
        func mismatch(statements: String, difference: String) async throws {
            try await ShopServer.withShop(statements) { database in
                try await database.withShop { set, _ in
                    do {
                        _ = try await set.tags.count()
                        Issue.record("It was opened.")
                    } catch {
                        let error = try #require(error as? CRUDRepositoryError)
                        #expect(error.code == .schemaMismatch)
                        for part in difference.split(separator: "; the column") {
                            #expect(error.message.contains(part), "\(error.message)")
                        }
                    }
                }
            }
        }
    }
#endif
