import Foundation
import RepositoryRuntime
import RepositorySQLite
import StoredSchema
import Testing

@testable import RepositoryTesting

/// Columns, indexes, triggers and views of other programs in a database whose tables migrate.
@Suite("What other programs made on a table of SQLite")
struct SQLiteUnmanagedPartsTests {
    /// What another program makes. Its quotation marks, comments and parentheses are hostile.
    private static let parts = """
        ALTER TABLE pictures ADD COLUMN "their, (""column" TEXT COLLATE NOCASE NOT NULL
            DEFAULT 'a, (''' /* ( , */ CHECK ("their, (""column" <> ') --');
        ALTER TABLE pictures ADD COLUMN doubled INTEGER AS (id * 2);
        UPDATE pictures SET "their, (""column" = 'Kept';
        CREATE INDEX theirs ON pictures (lower("their, (""column")) WHERE id > 0;
        CREATE UNIQUE INDEX single ON pictures (id + 1);
        CREATE TABLE log (id, event);
        CREATE TRIGGER on_insert AFTER INSERT ON pictures BEGIN
            INSERT INTO log VALUES (new.id, 'event, of an insert'); END;
        CREATE TRIGGER on_update AFTER UPDATE OF "their, (""column" ON pictures BEGIN
            INSERT INTO log VALUES (new.id, 'update'); END;
        CREATE VIEW their_view AS SELECT id, doubled, "a text" AS constant FROM pictures;
        CREATE TRIGGER on_view INSTEAD OF DELETE ON their_view BEGIN
            INSERT INTO log VALUES (old.id, 'view'); END;
        CREATE VIEW broken AS SELECT a FROM nowhere;
        CREATE TRIGGER on_log AFTER DELETE ON log BEGIN DELETE FROM nowhere; END;
        """

    /// The texts of what another program made, by name.
    private static let texts = """
        SELECT name, sql FROM sqlite_schema
        WHERE name IN ('theirs', 'single', 'on_insert', 'on_update', 'their_view', 'on_view',
            'broken', 'on_log') ORDER BY name
        """

    /// Fills a table, lets another program add to it, and opens it with a later version.
    ///
    /// - Parameters:
    ///   - more: further statements of the other program.
    ///   - shape: the later version.
    ///   - changes: the changes that lead to it.
    ///   - body: gets the database of the other program, and what opens the later version.
    private func migrate<S: PictureShape>(
        _ more: String = "", to shape: S.Type, _ changes: [DataChange],
        _ body: (PlainDatabase, () throws -> PictureRepository<S>) async throws -> Void
    ) async throws {
        typealias Old = PictureVersions.Old
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            var chain = VersionChain()
            chain.release([Picture<Old>.self])
            let store = SQLiteStore(path: path)
            let old = PictureRepository(
                Old.self, store, try chain.schema([Picture<Old>.self]))
            for id in 1...3 {
                try await old.create(
                    Picture(id: .init(id), image: ExternalData(Data([1])), note: "\(id)"))
            }
            try await store.close()
            let other = try PlainDatabase(path)
            try other.run(Self.parts + more)
            chain.release([Picture<S>.self], changes)
            let schema = try chain.schema([Picture<S>.self])
            try await body(other) {
                PictureRepository(shape, SQLiteStore(path: path), schema)
            }
        }
    }

    private func check<S: PictureShape>(
        to shape: S.Type, _ changes: [DataChange]
    ) async throws {
        try await migrate(to: shape, changes) { other, open in
            let before = try other.rows(Self.texts)
            #expect(before.count == 8)
            let pictures = try open()
            #expect(try await pictures.fetch().map(\.note) == ["1", "2", "3"])
            #expect(try other.rows(Self.texts) == before)
            #expect(
                try other.rows(
                    #"SELECT id, "their, (""column", doubled FROM pictures ORDER BY id"#)
                    == (1...3).map { ["\($0)", "Kept", "\($0 * 2)"] })
            // The migration ran none of their triggers.
            #expect(try other.rows("SELECT * FROM log") == [])
            try await pictures.create(Picture(id: .init(4), note: "4"))
            #expect(try other.rows("SELECT * FROM log") == [["4", "event, of an insert"]])
            #expect(
                try other.rows(
                    #"SELECT id FROM pictures WHERE "their, (""column" = 'KEPT' ORDER BY id"#)
                    == [["1"], ["2"], ["3"]])
            #expect(throws: PlainDatabase.Failure.self) {
                try other.run(#"UPDATE pictures SET "their, (""column" = ') --'"#)
            }
            #expect(
                try other.rows("SELECT * FROM their_view WHERE id = 4") == [["4", "8", "a text"]])
            try other.run("DELETE FROM their_view WHERE id = 4")
            #expect(try other.value("SELECT event FROM log WHERE id = 4 AND event = 'view'") != nil)
            #expect(try await pictures.read(1).image?.load() == Data([1]))
        }
    }

    @Test("is kept by a conversion")
    func converted() async throws {
        try await check(
            to: PictureVersions.Counted.self,
            [.convert(DataPath("pictures", ["note"]), .single("int64"), isOptional: false)])
    }

    @Test("is kept by a rebuild") func rebuilt() async throws {
        try await check(to: PictureVersions.Optionals.self, [])
    }

    @Test("is kept where a field gets another name") func renamed() async throws {
        try await check(
            to: PictureVersions.Remarks.self,
            [.rename(DataPath("pictures", ["note"]), to: "remark")])
    }

    /// Statements of another program that name a field, and what the error begins with after the
    /// version without the field.
    private static let misfits = [
        "CREATE VIEW notes AS SELECT length(p.note) FROM pictures AS p": "the view 'notes'",
        "CREATE TRIGGER by_note AFTER DELETE ON pictures BEGIN SELECT old.note; END":
            "the trigger 'by_note' of 'pictures'",
        "CREATE INDEX by_length ON pictures (length(note))": "the index 'by_length' of 'pictures'",
        "ALTER TABLE pictures ADD COLUMN long INTEGER AS (length(note) > 10)":
            "the columns 'long' of 'pictures'",
    ]

    @Test("is named where it does not fit a version, which changes nothing", arguments: misfits)
    func refused(statement: String, words: String) async throws {
        let remark = DataPath("pictures", ["remark"])
        try await migrate(
            statement, to: PictureVersions.Remarks.self,
            [
                .remove(DataPath("pictures", ["note"])),
                .add(remark, .single("text"), isOptional: false, value: .text("new")),
            ]
        ) { other, open in
            let before = try other.rows("SELECT name, sql FROM sqlite_schema ORDER BY name")
            let error = try await expectError(.schemaMismatch) {
                _ = try await open().fetch()
            }
            #expect(error.message.contains(words), "\(error)")
            #expect(
                try other.rows("SELECT name, sql FROM sqlite_schema ORDER BY name") == before)
            #expect(try other.rows("SELECT note FROM pictures") == [["1"], ["2"], ["3"]])
            // SQLite drops no column in a database with such parts.
            try other.run("DROP VIEW broken; DROP TRIGGER on_log")
            let name = try #require(words.split(separator: "'").dropFirst().first)
            let kind = words.hasPrefix("the columns") ? "" : words.split(separator: " ")[1]
            try other.run(
                kind.isEmpty ? "ALTER TABLE pictures DROP COLUMN \(name)" : "DROP \(kind) \(name)")
            #expect(try await open().fetch().map(\.note) == ["new", "new", "new"])
        }
    }
}
