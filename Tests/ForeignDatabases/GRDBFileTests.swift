import Foundation
import RepositoryRuntime
import RepositorySQLite
import Testing

/// A database that GRDB has written itself, every kind of value in it: `make grdb` says how, and reads it back.
@Suite struct GRDBFileTests {
    @Test func readsWhatGRDBWrote() async throws {
        try await withFile { path in
            try GRDBFile.copy(to: path)
            let original = try Data(contentsOf: URL(filePath: path))
            let context = GRDBFile.context(path)
            #expect(try await ObserverRepository(context).fetch() == Samples.observers)
            #expect(try await CameraRepository(context).fetch() == Samples.cameras)
            #expect(try await SightingRepository(context).fetch() == Samples.sightings)
            #expect(try Data(contentsOf: URL(filePath: path)) == original)
        }
    }

    @Test func queriesCompareWhatIsMeant() async throws {
        try await withFile { path in
            try GRDBFile.copy(to: path)
            let context = GRDBFile.context(path)
            let sightings = SightingRepository(context)
            let (wide, long) = (Samples.cameras[0], Samples.cameras[1])
            #expect(try await CameraRepository(context).read(long.id) == long)
            #expect(try await CameraRepository(context).fetch(ids: [long.id]).count == 1)
            #expect(try await CameraRepository(context).find(serial: Samples.uuid(0xD1)) == wide)
            #expect(try await sightings.findAll(cameraID: wide.id).map(\.id) == [1])
            #expect(try await sightings.ids(.where { $0.cameraID > wide.id }) == [3])
            #expect(
                try await sightings.ids(.where { $0.cameraID.in([wide.id, long.id]) }) == [1, 3])
            let noon = Samples.date(86_400)
            #expect(try await sightings.ids(.where { $0.seenAt > noon }) == [3])
            #expect(try await sightings.ids(.where { $0.reportedAt > noon }) == [3])
            #expect(try await sightings.ids(.where { $0.checkedAt == noon }) == [3])
            #expect(try await sightings.ids(.where { $0.weight > 1 }) == [3])
            #expect(try await sightings.ids(.where { $0.weather == .rain }) == [1])
            #expect(try await sightings.ids(.where { $0.isRare == true }) == [1])
            #expect(try await sightings.ids(.where { $0.place.name == "Field" }) == [3])
            #expect(try await sightings.ids(.where { $0.tags.contains("night") }) == [1, 3])
        }
    }

    @Test func writesBesideWhatIsThere() async throws {
        try await withFile { path in
            try GRDBFile.copy(to: path)
            let plain = try PlainFile(path)
            let objects = try plain.objects()
            let context = GRDBFile.context(path)
            try await GRDBFile.write(context)
            #expect(
                try plain.rows("SELECT id, serial FROM camera WHERE model = 'Macro'")
                    == [
                        [
                            "abcdef00-0000-4000-8000-0000000000c3",
                            "ABCDEF00-0000-4000-8000-0000000000D3",
                        ]
                    ])
            #expect(
                try plain.rows(
                    """
                    SELECT hex(observerId), cameraId, typeof(isRare), seenAt, reportedAt, typeof(checkedAt), hex(photo),
                        weight, weather, place, tags, flock FROM sighting WHERE id = 7
                    """)
                    == [
                        [
                            "ABCDEF00000040008000000000000003",
                            "abcdef00-0000-4000-8000-0000000000c3", "integer",
                            "2023-11-14 22:13:21.500", "1700000000.25", "integer", "FF00", "0.5",
                            "light_rain",
                            #"{"latitude":1.5,"longitude":2.25,"name":"Pond","surveyedAt":1700000000500}"#,
                            #"["new"]"#, #"{"adult":3}"#,
                        ]
                    ])
            // The next id that SQLite gives stands after those of this program.
            #expect(
                try plain.values("SELECT seq FROM sqlite_sequence WHERE name = 'sighting'") == ["7"]
            )
            #expect(try plain.objects() == objects)
            #expect(
                try plain.values("SELECT identifier FROM grdb_migrations ORDER BY 1")
                    == ["observers", "sightings"])
            #expect(try plain.values("PRAGMA journal_mode") == ["delete"])
        }
    }

    @Test func keepsTheRulesOfTheTables() async throws {
        try await withFile { path in
            try GRDBFile.copy(to: path)
            let context = GRDBFile.context(path)
            let (cameras, sightings) = (CameraRepository(context), SightingRepository(context))
            let taken = await #expect(throws: CRUDRepositoryError.self) {
                try await cameras.create(Samples.cameras[0])
            }
            #expect(taken?.code == .recordAlreadyExists)
            let serial = await #expect(throws: CRUDRepositoryError.self) {
                try await cameras.create(
                    Camera(serial: Samples.cameras[0].serial, model: "Another"))
            }
            #expect(serial?.code == .constraintViolated && serial?.field == "serial")
            let used = await #expect(throws: CRUDRepositoryError.self) {
                try await cameras.delete(Samples.cameras[0].id)
            }
            #expect(used?.code == .constraintViolated)
            var twin = Samples.sightings[2]
            twin.seenAt = Samples.sightings[0].seenAt
            let same = await #expect(throws: CRUDRepositoryError.self) {
                try await sightings.update(twin)
            }
            #expect(same?.code == .constraintViolated)
            try await ObserverRepository(context).delete(Samples.observers[1].id)
            #expect(try await sightings.ids() == [1, 3])
            #expect(try await sightings.read(1).confirmerID == nil)
            let reset = await #expect(throws: CRUDRepositoryError.self) {
                try await context.reset()
            }
            #expect(reset?.code == .unsupported)
        }
    }

    @Test func saysWhichColumnsDiffer() async throws {
        try await withFile { path in
            try GRDBFile.copy(to: path)
            try PlainFile(path).run(
                """
                ALTER TABLE sighting DROP COLUMN number;
                ALTER TABLE sighting ADD COLUMN number TEXT NOT NULL DEFAULT '0';
                ALTER TABLE camera DROP COLUMN model;
                DROP INDEX sighting_on_species_seenAt;
                """)
            let before = try Data(contentsOf: URL(filePath: path))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await GRDBFile.context(path).open()
            }
            #expect(error?.code == .schemaMismatch)
            let differences = error?.localizedDescription.split(separator: "\n- ").dropFirst()
            #expect(
                differences.map { $0.map(String.init) } == [
                    "the column 'model' of 'camera' is declared and not there",
                    "the column 'number' of 'sighting' has the type TEXT, which does not keep integers",
                    "a unique index over 'species', 'seenAt' of 'sighting' is declared and not there",
                ])
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }

    @Test func refusesUUIDsOfTheOtherCase() async throws {
        try await withFile { path in
            try GRDBFile.copy(to: path)
            try PlainFile(path).run("UPDATE camera SET serial = lower(serial)")
            let cameras = CameraRepository(GRDBFile.context(path))
            let serial = await #expect(throws: CRUDRepositoryError.self) {
                try await cameras.read(Samples.cameras[0].id)
            }
            #expect(serial?.code == .invalidRecord && serial?.field == "serial")
            #expect(
                serial?.localizedDescription.contains(
                    "is a UUID in lower case, which 'storedAs: { sqlite: lowercaseText }' declares")
                    == true)
            try PlainFile(path).run(
                "UPDATE camera SET serial = NULL; INSERT INTO camera SELECT upper(id), NULL, 'Twin' FROM camera LIMIT 1"
            )
            let id = await #expect(throws: CRUDRepositoryError.self) {
                try await cameras.fetch()
            }
            #expect(id?.code == .invalidRecord)
            #expect(
                id?.localizedDescription.contains("declared to hold: UUIDs as text in lower case")
                    == true)
        }
    }

    /// The program of `make grdb` reads every record by GRDB and stores it by GRDB in a new file.
    @Test(.enabled(if: GRDBFile.program != nil, "needs the program of `make grdb`"))
    func GRDBReadsWhatIsWritten() async throws {
        try await withFile { path in
            let (made, copied) = (path + ".made", path + ".copied")
            try GRDBFile.run(["write", made])
            let (fresh, kept) = (try PlainFile(made), try PlainFile(GRDBFile.url.path))
            for table in GRDBFile.tables {
                #expect(try fresh.stored(table) == kept.stored(table))
            }
            #expect(try fresh.objects() == kept.objects())

            try await GRDBFile.write(GRDBFile.context(made))
            let sightings = SightingRepository(GRDBFile.context(made))
            try await sightings.update(Samples.sightings[0])
            let (written, expected) = (try await sightings.fetch(), try fresh.stored("sighting"))
            try GRDBFile.run(["copy", made, copied])
            let copy = try PlainFile(copied)
            for table in GRDBFile.tables {
                #expect(try copy.stored(table) == fresh.stored(table))
            }
            #expect(expected.count == 4)
            #expect(try await SightingRepository(GRDBFile.context(copied)).fetch() == written)
        }
    }
}
