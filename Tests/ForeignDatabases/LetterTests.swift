import Foundation
import RepositoryRuntime
import RepositorySQLite
import Testing

/// A database in the forms that GRDB documents for its records: UUIDs as blobs, dates as text, its own migrations beside.
@Suite struct LetterTests {
    @Test func readsWhatIsThere() async throws {
        try await withFile { path in
            try LetterFile.make(path)
            let context = LetterFile.context(path)
            let people = try await PersonRepository(context).fetch()
            #expect(people.map(\.name) == ["Ada", "Grace"])
            #expect(people[0].id.rawValue == UUID(uuidString: LetterFile.ada))
            #expect(people[0].bornOn == Date(timeIntervalSince1970: -4_857_926_400))
            #expect(people[0].createdAt == Date(timeIntervalSince1970: 1_700_000_000.125))
            // Of another zone, and without a fraction.
            #expect(people[1].createdAt == Date(timeIntervalSince1970: 1_700_000_000))
            #expect(people.map(\.isActive) == [true, false])
            #expect(people.map(\.height) == [1.5, 2])
            let letter = try await LetterRepository(context).read(1)
            #expect(letter.personID == people[0].id)
            #expect(letter.sentAt == Date(timeIntervalSince1970: 1_700_000_060))
            #expect(letter.readAt == Date(timeIntervalSince1970: 1_700_000_060.5))
            #expect(letter.keptUntil == Date(timeIntervalSince1970: 1_800_000_000))
            #expect(letter.postage == Decimal(string: "0.85"))
            #expect(letter.weight == Decimal(string: "12.5"))
        }
    }

    @Test func queriesCompareValuesAndNotTexts() async throws {
        try await withFile { path in
            try LetterFile.make(path)
            let context = LetterFile.context(path)
            let people = PersonRepository(context)
            let moment = Date(timeIntervalSince1970: 1_700_000_000)
            #expect(
                try await people.fetch(.where { $0.createdAt == moment }).map(\.name) == ["Grace"])
            #expect(try await people.fetch(.where { $0.createdAt > moment }).map(\.name) == ["Ada"])
            #expect(
                try await people.fetch(.all.sorted(by: \.createdAt)).map(\.name) == [
                    "Grace", "Ada",
                ])
            // The column ignores case, and conditions do not.
            #expect(try await people.fetch(.where { $0.name == "ada" }).isEmpty)
            let letters = LetterRepository(context)
            let weight = try #require(Decimal(string: "12.50"))
            #expect(try await letters.count(.where { $0.weight == weight }) == 1)
            #expect(try await letters.count(.where { $0.weight > 9 }) == 1)
            let price = try #require(Decimal(string: "0.85"))
            #expect(try await letters.count(.where { $0.postage == price }) == 1)
            let half = Date(timeIntervalSince1970: 1_700_000_060.5)
            #expect(try await letters.count(.where { $0.readAt == half }) == 1)
            #expect(try await letters.count(.where { $0.keptUntil > half }) == 1)
            let ada = try #require(UUID(uuidString: LetterFile.ada))
            #expect(try await letters.findAll(personID: Person.ID(ada)).map(\.id) == [1])
            let moments = try await people.maximum(of: \.createdAt)
            #expect(moments == Date(timeIntervalSince1970: 1_700_000_000.125))
        }
    }

    @Test func writesInTheSameForms() async throws {
        try await withFile { path in
            try LetterFile.make(path)
            let plain = try PlainFile(path)
            let objects = try plain.objects()
            let context = LetterFile.context(path)
            let (people, letters) = (PersonRepository(context), LetterRepository(context))
            let id = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
            let person = try await people.create(
                Person(
                    id: Person.ID(id), name: "Mary", email: "m@x",
                    createdAt: Date(timeIntervalSince1970: 1_600_000_000.25)))
            try await letters.create(
                Letter(
                    id: 7, personID: person.id,
                    sentAt: Date(timeIntervalSince1970: 1_600_000_000.000_001),
                    readAt: Date(timeIntervalSince1970: 1_600_000_000.5),
                    keptUntil: Date(timeIntervalSince1970: 1_600_000_000.75),
                    postage: Decimal(string: "1.10"), weight: Decimal(string: "3.50")))
            #expect(
                try plain.rows(
                    "SELECT hex(id), createdAt, bornOn, note FROM person WHERE name = 'Mary'")
                    == [
                        [
                            "00112233445566778899AABBCCDDEEFF", "2020-09-13 12:26:40.250", "NULL",
                            "new",
                        ]
                    ])
            #expect(
                try plain.rows(
                    """
                    SELECT hex(personId), sentAt, typeof(readAt), readAt, typeof(keptUntil), keptUntil,
                        typeof(postage), postage, weight FROM letter WHERE id = 7
                    """)
                    == [
                        [
                            "00112233445566778899AABBCCDDEEFF", "2020-09-13 12:26:40.000001",
                            "real",
                            "1600000000.5", "integer", "1600000001", "real", "1.1", "3.5",
                        ]
                    ])
            // What was created is what is read: the second is rounded before it is stored.
            #expect(
                try await letters.read(7).keptUntil == Date(timeIntervalSince1970: 1_600_000_001))
            // The trigger of the owner has run.
            #expect(try plain.values("SELECT count(*) FROM log") == ["1"])
            let taken = await #expect(throws: CRUDRepositoryError.self) {
                try await people.create(Person(name: "Other", email: "m@x"))
            }
            #expect(taken?.code == .constraintViolated && taken?.field == "email")
            let again = await #expect(throws: CRUDRepositoryError.self) {
                try await people.create(person)
            }
            #expect(again?.code == .recordAlreadyExists)
            let count = try await letters.updateAll(
                where: { $0.postage == Decimal(string: "1.10") }, set: { $0.weight = 4 })
            #expect(count == 1)
            try await people.delete(person.id)
            #expect(try await letters.count(.where { $0.personID == person.id }) == 0)
            #expect(try plain.objects() == objects)
            #expect(try plain.values("SELECT identifier FROM grdb_migrations") == ["v1"])
            #expect(try plain.values("PRAGMA journal_mode") == ["delete"])
        }
    }

    @Test func saysEveryDifference() async throws {
        try await withFile { path in
            try PlainFile(path).run(
                """
                CREATE TABLE person (
                    id BLOB, name TEXT, email TEXT, createdAt DATETIME NOT NULL, isActive TEXT NOT NULL,
                    height DOUBLE, secret TEXT NOT NULL);
                CREATE UNIQUE INDEX some ON person (email) WHERE isActive;
                CREATE TABLE letter (
                    id INTEGER PRIMARY KEY, personId BLOB NOT NULL, sentAt DATETIME NOT NULL, readAt DOUBLE,
                    keptUntil INTEGER GENERATED ALWAYS AS (1) VIRTUAL, postage TEXT, weight REAL);
                """)
            let before = try Data(contentsOf: URL(filePath: path))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await LetterFile.context(path).open()
            }
            #expect(error?.code == .schemaMismatch)
            let differences = error?.localizedDescription.split(separator: "\n- ").dropFirst()
            #expect(
                differences.map { $0.map(String.init) } == [
                    "the column 'name' of 'person' is not NOT NULL and declared as required",
                    "the column 'bornOn' of 'person' is declared and not there",
                    "the column 'isActive' of 'person' has the type TEXT, which does not keep truth values",
                    "the column 'secret' of 'person' is not declared, and a record without it cannot be stored: it is NOT NULL and has no default",
                    "the id 'id' of 'person' is neither its key nor unique",
                    "a unique index over 'email' of 'person' is declared and not there",
                    "an index over 'createdAt' of 'person' is declared and not there",
                    "the column 'sentAt' of 'letter' is NOT NULL and declared as optional",
                    "the column 'keptUntil' of 'letter' is computed by the database and cannot be written: declare 'computed: true'",
                    "the column 'postage' of 'letter' has the type TEXT, which does not keep decimals as floating-point numbers",
                    "the column 'weight' of 'letter' has the type REAL, which does not keep decimals as text",
                    "an index over 'personId' of 'letter' is declared and not there",
                    "the foreign key of 'personId' in 'letter' to 'person' with 'onDelete: cascade' is not there; 'onDelete: none' asks for none",
                ])
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }

    @Test func makesNoFile() async throws {
        try await withFile { path in
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await LetterFile.context(path).open()
            }
            #expect(error?.code == .schemaMismatch)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
}

/// A file as a program with GRDB makes it.
enum LetterFile {
    static let ada = "AAAAAAAA-0000-4000-8000-000000000001"

    static let schema = StoreSchema("Letters", [Person.self, Letter.self])

    static func context(_ path: String) -> RepositoryContext {
        RepositoryContext(store: SQLiteStore(path: path), schema: schema, fullScans: .allow)
    }

    static func make(_ path: String) throws {
        try PlainFile(path).run(
            """
            CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            INSERT INTO grdb_migrations VALUES ('v1');
            CREATE TABLE "person" (
                "id" BLOB PRIMARY KEY NOT NULL, "name" TEXT NOT NULL COLLATE NOCASE, "email" TEXT UNIQUE,
                "bornOn" DATE, "createdAt" DATETIME NOT NULL, "isActive" BOOLEAN NOT NULL DEFAULT 1,
                "height" NUMERIC, "note" TEXT NOT NULL DEFAULT 'new') WITHOUT ROWID;
            CREATE INDEX "person_on_createdAt" ON "person" ("createdAt");
            CREATE TABLE "letter" (
                "id" INTEGER PRIMARY KEY AUTOINCREMENT,
                "personId" BLOB NOT NULL REFERENCES "person" ("id") ON DELETE CASCADE,
                "sentAt" DATETIME, "readAt" DOUBLE, "keptUntil" INTEGER, "postage" NUMERIC, "weight" TEXT);
            CREATE INDEX "letter_on_personId" ON "letter" ("personId");
            CREATE TABLE log (letter INTEGER);
            CREATE TRIGGER sent AFTER INSERT ON letter BEGIN INSERT INTO log VALUES (new.id); END;
            INSERT INTO person (id, name, email, bornOn, createdAt, isActive, height) VALUES
                (X'AAAAAAAA000040008000000000000001', 'Ada', 'a@x', '1816-01-23', '2023-11-14 22:13:20.125', 1, 1.5),
                (X'BBBBBBBB000040008000000000000002', 'Grace', NULL, NULL, '2023-11-15T00:13:20+02:00', 0, 2.0);
            INSERT INTO letter VALUES (
                1, X'AAAAAAAA000040008000000000000001', '2023-11-14 22:14:20', 1700000060.5, 1800000000, 0.85, '12.50');
            DELETE FROM log;
            """)
    }
}
