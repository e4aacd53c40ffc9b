import Foundation
import RepositoryRuntime
import Testing

@testable import RepositorySQLite

/// Opening a database that is there already.
@Suite struct SQLiteOpeningTests {
    private static func schema(_ name: String = "Set", _ tables: EntityTable...) -> StoreSchema {
        StoreSchema(name, tables)
    }

    private static func table(
        _ name: String = "books", renamedFrom: [String] = [], _ make: (inout EntityTable) -> Void
    ) -> EntityTable {
        var table = EntityTable(name, entity: "Book", renamedFrom: renamedFrom)
        table.field("id", .text, key: true)
        make(&table)
        return table
    }

    /// A database of a first schema with some rows, and what a second one makes of it.
    private static func upgrade(
        _ first: StoreSchema, _ rows: [String], _ second: StoreSchema,
        _ check: (PlainDatabase) throws -> Void
    ) async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            try await SQLiteStore(path: path).open(first)
            let plain = try PlainDatabase(path)
            for row in rows { try plain.run(row) }
            try await SQLiteStore(path: path).open(second)
            try check(plain)
            #expect(try plain.value("PRAGMA integrity_check") == "ok")
            #expect(try plain.rows("PRAGMA foreign_key_check").isEmpty)
            // Again, and nothing happens.
            try await SQLiteStore(path: path).open(second)
            // The older program is told.
            try await expectError(.schemaMismatch) { try await SQLiteStore(path: path).open(first) }
        }
    }

    @Test func additions() async throws {
        let first = Self.schema("Set", Self.table { $0.field("a", .text) })
        let second = Self.schema(
            "Set",
            Self.table {
                $0.field("a", .text)
                $0.field("b", .int64, optional: true)
                $0.field("c", .text, default: .text("it's"), rules: FieldRules(maxLength: 9))
                $0.field("d", .list(.text), default: .list([]))
                $0.field("other", .text, optional: true, reference: TableReference("books"))
                $0.index("by_c", ["-c"], unique: true)
            }, Self.table("others") { $0.index("others_id", ["id"]) })
        try await Self.upgrade(first, ["INSERT INTO books VALUES ('x', 'A')"], second) {
            (plain) throws in
            #expect(
                try plain.rows("SELECT * FROM books") == [["x", "A", "NULL", "it's", "[]", "NULL"]])
            #expect(try plain.value("SELECT count(*) FROM others") == "0")
            let indexes = try plain.rows(
                "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY 1")
            let own = #"repository_reference: "books" ("other")"#
            #expect(indexes == [["by_c"], ["others_id"], [own]])
            try plain.run("PRAGMA foreign_keys = ON")
            #expect(throws: PlainDatabase.Failure.self) {
                try plain.run("UPDATE books SET other = 'y'")
            }
        }
    }

    @Test func renames() async throws {
        let first = Self.schema(
            "Set",
            Self.table("Volumes") {
                $0.field("name", .text)
                $0.index("by_name", ["name"])
            },
            Self.table("copies") { $0.field("book", .text, reference: TableReference("Volumes")) })
        let second = Self.schema(
            "Set",
            Self.table("volumes", renamedFrom: ["Volumes"]) {
                $0.field(
                    "title", .text, column: "the title", renamedFrom: ["name"],
                    columnsRenamedFrom: ["name"])
                $0.index("by_name", ["title"])
            },
            Self.table("copies") { $0.field("book", .text, reference: TableReference("volumes")) })
        let rows = [
            "INSERT INTO Volumes VALUES ('x', 'A')", "INSERT INTO copies VALUES ('1', 'x')",
        ]
        try await Self.upgrade(first, rows, second) { (plain) throws in
            #expect(try plain.rows("SELECT id, \"the title\" FROM volumes") == [["x", "A"]])
            #expect(
                try plain.value("SELECT \"table\" FROM pragma_foreign_key_list('copies')")
                    == "volumes")
            #expect(
                try plain.value("SELECT name FROM pragma_index_info('by_name')") == "the title")
        }
    }

    /// What ALTER TABLE cannot do: the table is made anew with its records, indexes and references.
    @Test func rebuilt() async throws {
        let pair = FieldLayout(
            "Pair", [FieldDescription("a", .text), FieldDescription("b", .int64)])
        func pairs() -> EntityTable {
            var table = EntityTable("pairs", entity: "Pair")
            table.field("a", .text, key: true)
            table.field("b", .int64, key: true)
            return table
        }
        let first = Self.schema(
            "Set",
            Self.table {
                $0.field("n", .int64, rules: FieldRules(minimum: .integer(1), maximum: .integer(9)))
                $0.field("text", .text)
                $0.field("next", .text, optional: true, reference: TableReference("books"))
                $0.index("by_n", ["n"])
            }, pairs(),
            Self.table("copies") { $0.field("book", .text, reference: TableReference("books")) })
        let second = Self.schema(
            "Set",
            Self.table {
                $0.field(
                    "n", .int64, rules: FieldRules(minimum: .integer(2), maximum: .integer(99)))
                $0.field("text", .text, optional: true)
                $0.field(
                    "next", .text, optional: true,
                    reference: TableReference("books", onDelete: .setNull))
                $0.field(
                    "pair", .composite(pair), optional: true, reference: TableReference("pairs"))
                $0.index("by_n", ["-n"])
            }, pairs(),
            Self.table("copies") {
                $0.field("book", .text, reference: TableReference("books", onDelete: .cascade))
            })
        let rows = [
            "INSERT INTO books VALUES ('x', 1, 'A', NULL), ('y', 5, 'B', 'x')",
            "INSERT INTO copies VALUES ('1', 'x')",
        ]
        try await Self.upgrade(first, rows, second) { (plain) throws in
            #expect(
                try plain.rows("SELECT * FROM books") == [
                    ["x", "1", "A", "NULL", "NULL", "NULL"], ["y", "5", "B", "x", "NULL", "NULL"],
                ])
            #expect(
                try plain.value("SELECT sql FROM sqlite_schema WHERE name = 'books'") == """
                    CREATE TABLE "books" (
                        "id" TEXT NOT NULL,
                        "n" INTEGER NOT NULL,
                        "text" TEXT,
                        "next" TEXT REFERENCES "books" ("id") ON DELETE SET NULL,
                        "pair_a" TEXT,
                        "pair_b" INTEGER,
                        PRIMARY KEY ("id"),
                        CONSTRAINT "pair" CHECK (("pair_a" IS NULL) = ("pair_b" IS NULL)),
                        FOREIGN KEY ("pair_a", "pair_b") REFERENCES "pairs" ("a", "b") ON DELETE NO ACTION
                    ) STRICT, WITHOUT ROWID
                    """)
            #expect(
                try plain.value("SELECT \"desc\" FROM pragma_index_xinfo('by_n') WHERE name = 'n'")
                    == "1")
            try plain.run("PRAGMA foreign_keys = ON")
            try plain.run("DELETE FROM books WHERE id = 'x'")
            #expect(try plain.rows("SELECT next FROM books") == [["NULL"]])
            #expect(try plain.rows("SELECT * FROM copies").isEmpty)
        }
    }

    /// Every difference is named at once, and not one byte is written.
    @Test func mismatch() async throws {
        let first = Self.schema(
            "Set",
            Self.table {
                $0.field("gone", .text)
                $0.field("type", .text)
            }, Self.table("lost") { _ in })
        let second = Self.schema(
            "Set",
            Self.table {
                $0.field("type", .data)
                $0.field("new", .text)
                $0.field("fine", .text, optional: true)
            }, Self.table("more") { _ in })
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            try await SQLiteStore(path: path).open(first)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let error = try await expectError(.schemaMismatch) {
                try await SQLiteStore(path: path).open(second)
            }
            for words in [
                "the table 'lost' is stored and not declared",
                "the field 'gone' of 'books' is stored and not declared",
                "the field 'type' of 'books' is stored as text and declared as data",
                "the field 'new' of 'books' is new and neither optional nor has a constant default",
            ] { #expect(error.message.contains(words)) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    /// An index that records break is a mismatch, and the additions beside it are undone.
    @Test func brokenUniqueIndex() async throws {
        let first = Self.schema("Set", Self.table { $0.field("a", .text) })
        let second = Self.schema(
            "Set",
            Self.table {
                $0.field("a", .text)
                $0.field("b", .text, optional: true)
                $0.index("only", ["a"], unique: true)
            })
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            try await SQLiteStore(path: path).open(first)
            let plain = try PlainDatabase(path)
            try plain.run("INSERT INTO books VALUES ('x', 'A'), ('y', 'A')")
            let dump = try plain.rows("SELECT sql FROM sqlite_schema")
            let error = try await expectError(.schemaMismatch) {
                try await SQLiteStore(path: path).open(second)
            }
            #expect(error.message.contains("unique index 'only' of 'books'"))
            #expect(try plain.rows("SELECT sql FROM sqlite_schema") == dump)
            try await SQLiteStore(path: path).open(first)
        }
    }

    /// A table that somebody else made is taken over when it fits, and every difference is named
    /// when it does not.
    @Test func foundTables() async throws {
        var table = Self.table {
            $0.field("n", .int64, optional: true)
            $0.field("other", .text, optional: true, reference: TableReference("books"))
            $0.index("by_n", ["n"])
        }
        let schema = Self.schema("Set", table)
        try await withFolder { folder in
            let path = folder + "/fit.sqlite"
            let plain = try PlainDatabase(path)
            try plain.run(
                "CREATE TABLE books (id text PRIMARY KEY NOT NULL, n INTEGER, other TEXT REFERENCES books(id)); INSERT INTO books VALUES ('x', 1, NULL)"
            )
            try await SQLiteStore(path: path).open(schema)
            #expect(try plain.value("SELECT name FROM sqlite_schema WHERE name = 'by_n'") == "by_n")
            try await SQLiteStore(path: path).open(schema)
        }
        table.field("more", .text)
        try await withFolder { folder in
            let path = folder + "/unfit.sqlite"
            let plain = try PlainDatabase(path)
            try plain.run(
                "CREATE TABLE books (id INTEGER PRIMARY KEY, n TEXT NOT NULL, other TEXT, extra TEXT)"
            )
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let error = try await expectError(.schemaMismatch) {
                try await SQLiteStore(path: path).open(Self.schema("Set", table))
            }
            for words in [
                "the column 'id' of 'books' is INTEGER and declared as TEXT",
                "the column 'n' of 'books' is TEXT and declared as INTEGER",
                "the column 'n' of 'books' is NOT NULL and declared as optional",
                "the column 'more' of 'books' is declared and not there",
                "the column 'extra' of 'books' is there and not declared",
                "the foreign key of 'other' in 'books' to 'books' is not there",
            ] { #expect(error.message.contains(words), "\(error)") }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    /// An index of a found table that has the name of a declared one and another definition is
    /// replaced, or the duplicates that prevent it are reported and nothing is changed.
    @Test(arguments: [false, true])
    func foundIndex(hasDuplicates: Bool) async throws {
        let schema = Self.schema(
            "Set",
            Self.table {
                $0.field("n", .int64, optional: true)
                $0.index("by_n", ["n"], unique: true)
            })
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let plain = try PlainDatabase(path)
            try plain.run(
                "CREATE TABLE books (id TEXT PRIMARY KEY NOT NULL, n INTEGER); CREATE INDEX BY_N ON books (id); INSERT INTO books VALUES ('x', 1), ('y', \(hasDuplicates ? 1 : 2))"
            )
            let text = "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL"
            if hasDuplicates {
                try await expectError(.schemaMismatch) {
                    try await SQLiteStore(path: path).open(schema)
                }
                #expect(try plain.value(text) == "CREATE INDEX BY_N ON books (id)")
            } else {
                try await SQLiteStore(path: path).open(schema)
                #expect(
                    try plain.value(text) == #"CREATE UNIQUE INDEX "by_n" ON "books" ("n")"#)
            }
        }
    }

    /// Two sets share a file as long as they share no table; a reset takes only its own.
    @Test func twoSets() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let one = SQLiteStore(path: path)
            let two = SQLiteStore(path: path)
            try await one.open(Self.schema("One", Self.table("a") { _ in }))
            try await two.open(Self.schema("Two", Self.table("b") { _ in }))
            let error = try await expectError(.schemaMismatch) {
                try await two.open(Self.schema("Three", Self.table("A") { _ in }))
            }
            #expect(error.message.contains("belongs to the set 'One'"))
            try await expectError(.schemaMismatch) {
                try await two.open(Self.schema("Four", Self.table("Repository_Schema") { _ in }))
            }
            let plain = try PlainDatabase(path)
            try plain.run("CREATE TABLE mine (x)")
            try await one.reset(Self.schema("One", Self.table("a") { _ in }))
            #expect(
                try plain.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
                    == [["b"], ["mine"], ["repository_schema"]])
            try await two.reset(Self.schema("Two", Self.table("b") { _ in }))
            #expect(try plain.rows("SELECT name FROM sqlite_schema") == [["mine"]])
        }
    }

    /// A table that was dropped behind the store's back is missed at opening.
    @Test func goneTable() async throws {
        let schema = Self.schema("Set", Self.table { _ in })
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            try await SQLiteStore(path: path).open(schema)
            try PlainDatabase(path).run("DROP TABLE books")
            let error = try await expectError(.schemaMismatch) {
                try await SQLiteStore(path: path).open(schema)
            }
            #expect(error.message.contains("'books' is gone"))
        }
    }

    /// Files that are no database, and places where there can be none.
    @Test func noDatabase() async throws {
        let schema = Self.schema("Set", Self.table { _ in })
        try await withFolder { folder in
            let path = folder + "/text.sqlite"
            let text = Data(String(repeating: "This is no database. ", count: 100).utf8)
            try text.write(to: URL(fileURLWithPath: path))
            let error = try await expectError(.databaseError) {
                try await SQLiteStore(path: path).open(schema)
            }
            #expect((error.underlyingError as? SQLiteError)?.primaryCode == 26)
            #expect(error.message.contains("not a database"))
            #expect(!error.isRetryable)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
            try await expectError(.databaseError) {
                try await SQLiteStore(path: folder + "/none/data.sqlite").open(schema)
            }
            try await expectError(.databaseError) {
                try await SQLiteStore(path: folder).open(schema)
            }
        }
    }

    /// Names of tables, columns and indexes are names, whatever they hold.
    @Test func hostileNames() async throws {
        // A schema has no two names that Swift takes for one text.
        let names = Set(HostileNames.all).sorted()
        let tables = names.enumerated().map { index, name in
            var table = EntityTable(name, entity: "E\(index)")
            table.field("id", .text, column: name, key: true)
            table.field(
                "value", .text, column: name + "'", optional: true, default: .text(name),
                rules: FieldRules(maxLength: 5000),
                reference: TableReference(name, onDelete: .setNull))
            table.index("index of \(name)", ["-value"])
            return table
        }
        #expect(names.count >= 200)
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            try await SQLiteStore(path: path).open(StoreSchema("Set", tables))
            let plain = try PlainDatabase(path)
            let found = Set(
                try plain.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map {
                    Array($0[0].utf8)
                })
            #expect(found == Set((names + ["repository_schema"]).map { Array($0.utf8) }))
            #expect(try plain.value("PRAGMA integrity_check") == "ok")
            try await SQLiteStore(path: path).open(StoreSchema("Set", tables))
        }
    }
}
