import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLCore
@testable import RepositorySQLite

/// The tables of the house schemas, as SQLite keeps them.
@Suite struct SQLiteSchemaTextTests {
    private static func library<R>(
        _ body: (Library, PlainDatabase) async throws -> R
    ) async throws -> R {
        try await withFolder { folder in
            let library = Library(SQLiteStore(path: folder + "/library.sqlite"))
            try await library.open()
            return try await body(library, PlainDatabase(folder + "/library.sqlite"))
        }
    }

    @Test func createStatements() async throws {
        let texts = try await Self.library { (_, plain) throws in
            try plain.rows(
                "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'repository_schema' ORDER BY type DESC, name"
            ).map { $0[0] + ";\n" }.joined()
        }
        #expect(
            texts == """
                CREATE TABLE "authors" (
                    "id" TEXT NOT NULL,
                    "name" TEXT NOT NULL CONSTRAINT "name" CHECK (length("name") >= 1),
                    "born" INTEGER,
                    PRIMARY KEY ("id")
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE "books" (
                    "isbn" TEXT NOT NULL CONSTRAINT "isbn" CHECK (length("isbn") >= 10),
                    "title" TEXT NOT NULL,
                    "subtitle" TEXT,
                    "tags" TEXT NOT NULL DEFAULT '[]',
                    "pages" INTEGER NOT NULL CONSTRAINT "pages" CHECK ("pages" >= 1 AND "pages" <= 20000),
                    "price" INTEGER NOT NULL DEFAULT 0,
                    "status" TEXT NOT NULL DEFAULT 'available',
                    "shelf" TEXT,
                    "author_id" TEXT NOT NULL REFERENCES "authors" ("id") ON DELETE NO ACTION,
                    "updated_at" INTEGER NOT NULL,
                    "revision" INTEGER NOT NULL,
                    PRIMARY KEY ("isbn")
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE "clients" (
                    "id" TEXT NOT NULL CONSTRAINT "id" CHECK (length("id") >= 1),
                    "name" TEXT NOT NULL CONSTRAINT "name" CHECK (length("name") >= 1 AND length("name") <= 200),
                    "email" TEXT NOT NULL,
                    "joined_at" INTEGER NOT NULL,
                    "address" TEXT,
                    PRIMARY KEY ("id")
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE "loans" (
                    "book_id" TEXT NOT NULL REFERENCES "books" ("isbn") ON DELETE CASCADE,
                    "number" INTEGER NOT NULL CONSTRAINT "number" CHECK ("number" >= 1),
                    "client_id" TEXT NOT NULL REFERENCES "clients" ("id") ON DELETE NO ACTION,
                    "taken_at" INTEGER NOT NULL,
                    "returned_at" INTEGER,
                    PRIMARY KEY ("book_id", "number")
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX "authors_name" ON "authors" ("name");
                CREATE INDEX "books_author" ON "books" ("author_id");
                CREATE INDEX "books_status" ON "books" ("status");
                CREATE INDEX "by_title" ON "books" ("title", "updated_at" DESC);
                CREATE UNIQUE INDEX "clients_email" ON "clients" ("email");
                CREATE INDEX "loans_client" ON "loans" ("client_id");

                """)
    }

    /// What SQLite itself says of the tables.
    @Test func pragmas() async throws {
        try await Self.library { (_, plain) throws in
            #expect(
                try plain.rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info('loans')")
                    == [
                        ["book_id", "TEXT", "1", "1"], ["number", "INTEGER", "1", "2"],
                        ["client_id", "TEXT", "1", "0"], ["taken_at", "INTEGER", "1", "0"],
                        ["returned_at", "INTEGER", "0", "0"],
                    ])
            #expect(
                try plain.rows(
                    "SELECT \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list('loans') ORDER BY 1"
                ) == [
                    ["books", "book_id", "isbn", "CASCADE"],
                    ["clients", "client_id", "id", "NO ACTION"],
                ])
            #expect(
                try plain.rows(
                    "SELECT name, \"desc\" FROM pragma_index_xinfo('by_title') WHERE key") == [
                        ["title", "0"], ["updated_at", "1"],
                    ])
            #expect(try plain.value("PRAGMA journal_mode") == "wal")
            #expect(try plain.value("PRAGMA integrity_check") == "ok")
        }
    }

    /// Each type in its declared form, read by a plain connection.
    @Test func storedValues() async throws {
        try await Self.library { (library, plain) async throws in
            let author = Author(
                id: Author.ID(
                    try #require(UUID(uuidString: "0190a5b0-0000-7000-8000-00000000abcd"))),
                name: "Ü", born: Date(timeIntervalSince1970: -1.5))
            try await library.authors.create(author)
            let book = Book(
                isbn: "9780000000001", title: "T", tags: ["a", "\"ü\""], pages: 7,
                price: try #require(Decimal(string: "12.345")), status: .onLoan,
                shelf: Shelf(room: "R", row: 2), authorID: author.id,
                updatedAt: Date(timeIntervalSince1970: 1.000_001))
            let stored = try await library.books.create(book)
            #expect(
                try plain.rows("SELECT * FROM authors") == [
                    ["0190A5B0-0000-7000-8000-00000000ABCD", "Ü", "-1500000"]
                ])
            #expect(
                try plain.rows("SELECT * FROM books") == [
                    [
                        "9780000000001", "T", "NULL", "[\"a\",\"\\\"ü\\\"\"]", "7", "1234",
                        "on_loan",
                        "{\"room\":\"R\",\"row\":2}", "0190A5B0-0000-7000-8000-00000000ABCD",
                        "1000001", "1",
                    ]
                ])
            #expect(try await library.books.read(book.id) == stored)
            #expect(try await library.authors.read(author.id) == author)
        }
    }

    /// The database keeps the rules against every other program too.
    @Test func constraints() async throws {
        try await Self.library { (_, plain) throws in
            try plain.run("PRAGMA foreign_keys = ON")
            for text in [
                "INSERT INTO authors VALUES ('a', '', NULL)",
                "INSERT INTO authors VALUES (NULL, 'a', NULL)",
                "INSERT INTO authors VALUES ('a', 'a', 'monday')",
                "INSERT INTO books (isbn, title, pages, author_id, updated_at, revision) VALUES ('0123456789', 't', 0, 'a', 0, 1)",
                "INSERT INTO books (isbn, title, pages, author_id, updated_at, revision) VALUES ('0123456789', 't', 1, 'a', 0, 1)",
            ] {
                #expect(throws: PlainDatabase.Failure.self, "\(text)") { try plain.run(text) }
            }
            try plain.run("INSERT INTO authors VALUES ('a', 'a', NULL)")
            try plain.run(
                "INSERT INTO books (isbn, title, pages, author_id, updated_at, revision) VALUES ('0123456789', 't', 1, 'a', 0, 1)"
            )
        }
    }

    /// Every statement of a table with a composite id.
    @Test func statements() {
        let table = SQLTable(LoanMapper.table, in: Library.schema)
        let texts = SQLStatements(table, SQLiteDialect())
        #expect(
            texts.insert
                == #"INSERT INTO "loans" ("book_id", "number", "client_id", "taken_at", "returned_at") VALUES (?1, ?2, ?3, ?4, ?5)"#
        )
        #expect(
            texts.upsert
                == texts.insert
                + #" ON CONFLICT ("book_id", "number") DO UPDATE SET "client_id" = excluded."client_id", "taken_at" = excluded."taken_at", "returned_at" = excluded."returned_at""#
        )
        #expect(
            texts.update
                == #"UPDATE "loans" SET "client_id" = ?3, "taken_at" = ?4, "returned_at" = ?5 WHERE "book_id" = ?1 AND "number" = ?2"#
        )
        #expect(texts.delete == #"DELETE FROM "loans" WHERE "book_id" = ?1 AND "number" = ?2"#)
        #expect(
            texts.nextPage
                == #"SELECT "book_id", "number", "client_id", "taken_at", "returned_at" FROM "loans" WHERE ("book_id", "number") > (?1, ?2) ORDER BY "book_id", "number" LIMIT ?3"#
        )
        let books = SQLTable(BookMapper.table, in: Library.schema)
        let finding = SQLSelectionWriter.find(
            IndexScan(2, equal: [.text("Emma")]), limit: .max, books, SQLiteDialect())
        #expect(
            finding?.text.hasSuffix(#" WHERE "title" = ?1 ORDER BY "updated_at" DESC, "isbn""#)
                == true)
        #expect(
            SQLStatements(books, SQLiteDialect()).updateVersion?.hasSuffix(
                #" WHERE "isbn" = ?1 AND "revision" = ?12"#) == true)
    }
}
