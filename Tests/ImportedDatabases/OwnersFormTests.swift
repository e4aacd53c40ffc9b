import Foundation
import RepositoryRuntime
import RepositorySQLite
import Testing

/// What is written beside the owner of a database has the forms of the owner's values.
@Suite("Dates in the owner's forms")
struct OwnersFormTests {
    /// The column of each form: what every value is like, as a condition of SQLite.
    private static let forms = [
        "seconds":
            "GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9]'",
        "iso":
            "GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z'",
        "iso_millis": "GLOB '????-??-??T??:??:??.[0-9][0-9][0-9]Z'",
        "iso_micros": "GLOB '????-??-??T??:??:??.[0-9][0-9][0-9][0-9][0-9][0-9]Z'",
        "unix": "BETWEEN -100000000000 AND 100000000000",
        "millis": "BETWEEN -100000000000000 AND 100000000000000",
        "micros": "BETWEEN -100000000000000000 AND 100000000000000000",
        "julian": "BETWEEN 1000000.0 AND 5373484.5",
        "ZSTAMP": "BETWEEN -100000000000.0 AND 100000000000.0",
        "day": "GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'",
    ]
    /// The columns that hold texts, and those that hold integers; the others hold numbers.
    private static let texts: Set = ["seconds", "iso", "iso_millis", "iso_micros", "day"]
    private static let integers: Set = ["unix", "millis", "micros"]

    private func withMoments(
        _ body: (MomentRepository, PlainFile) async throws -> Void
    ) async throws {
        let database = try RealDatabase.awkward()
        defer { database.file.map { try? FileManager.default.removeItem(at: $0) } }
        try await database.withCopy(isWritten: true) { path in
            try await body(
                Awkward(context: database.context(path, Awkward.schema)).moments, PlainFile(path))
        }
    }

    private func moment(_ id: Int, _ date: Date) throws -> Moment {
        try Moment(
            id: Moment.ID(id), seconds: date, iso: date, isoMillis: date, isoMicros: date,
            unix: date, millis: date, micros: date, julian: date, zstamp: date,
            day: #require(LocalDate(date, in: .gmt)))
    }

    /// Checks the form of every value of every column.
    private func checkForms(_ plain: PlainFile) throws {
        for (column, like) in Self.forms {
            let types =
                Self.texts.contains(column)
                ? "'text'" : Self.integers.contains(column) ? "'integer'" : "'real', 'integer'"
            let others = try plain.rows(
                """
                SELECT id, "\(column)", typeof("\(column)") FROM moments
                WHERE typeof("\(column)") NOT IN (\(types)) OR NOT ("\(column)" \(like))
                """)
            #expect(others.isEmpty, "\(column)")
        }
    }

    @Test func theOwnersValuesAreRead() async throws {
        try await withMoments { moments, _ in
            let first = try await moments.read(1)
            let whole = Date(timeIntervalSince1970: 1_795_361_330)
            #expect(first.seconds == whole && first.iso == whole && first.unix == whole)
            let millis = StoredDate.date(microseconds: 1_795_361_330_123_000)
            #expect(first.isoMillis == millis && first.millis == millis && first.julian == millis)
            let micros = StoredDate.date(microseconds: 1_795_361_330_123_456)
            #expect(
                first.isoMicros == micros && first.micros == micros && first.zstamp == micros)
            #expect(first.day == LocalDate(year: 2026, month: 11, day: 22))
        }
    }

    @Test func whatIsWrittenHasTheOwnersForm() async throws {
        try await withMoments { moments, plain in
            let before = try plain.rows("SELECT * FROM moments ORDER BY id")
            // Records that are written as they were read keep every value.
            for record in try await moments.fetch() { _ = try await moments.update(record) }
            #expect(try plain.rows("SELECT * FROM moments ORDER BY id") == before)
            var generator = Seeded(state: 20_261_125)
            for id in 10..<200 {
                let microseconds = Int64.random(
                    in: -2_000_000_000_000_000...4_000_000_000_000_000, using: &generator)
                let date = StoredDate.date(microseconds: microseconds)
                let written = try await moments.create(moment(id, date))
                #expect(try await moments.read(Moment.ID(id)) == written)
                func check(_ value: Date, _ unit: Int64) {
                    let stored = StoredDate.microseconds(value)
                    #expect(stored % unit == 0 && abs(stored - microseconds) * 2 <= unit)
                }
                check(written.seconds, 1_000_000)
                check(written.iso, 1_000_000)
                check(written.isoMillis, 1000)
                check(written.isoMicros, 1)
                check(written.millis, 1000)
                check(written.micros, 1)
                check(written.julian, 1000)
                check(written.zstamp, 1)
            }
            try checkForms(plain)
            // SQLite's own functions read the same moments.
            let differing = try plain.values(
                """
                SELECT count(*) FROM moments WHERE strftime('%s', seconds) <> strftime('%s', iso)
                OR abs(unixepoch(julian, 'subsec') * 1000 - millis) > 1
                OR abs(ZSTAMP + 978307200 - micros / 1000000.0) > 0.00001
                """)
            #expect(differing == ["0"])
        }
    }

    @Test func everyStoreRoundsAlike() async throws {
        let memory = MomentRepository(
            RepositoryContext(store: InMemoryStore(), schema: Awkward.schema, fullScans: .allow))
        let folder = FileManager.default.temporaryDirectory.appending(path: "forms-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = MomentRepository(
            RepositoryContext(
                store: FileSystemStore(directory: folder), schema: Awkward.schema,
                fullScans: .allow))
        try await withMoments { moments, _ in
            for record in try await moments.fetch() {
                try await memory.create(record)
                try await files.create(record)
            }
            var generator = Seeded(state: 7)
            for id in 10..<60 {
                let date = StoredDate.date(
                    microseconds: Int64.random(
                        in: 1_795_361_329_000_000...1_795_361_332_000_000, using: &generator))
                let record = try moment(id, date)
                let written = try await moments.create(record)
                #expect(try await memory.create(record) == written)
                #expect(try await files.create(record) == written)
            }
            for _ in 0..<60 {
                let date = StoredDate.date(
                    microseconds: Int64.random(
                        in: 1_795_361_329_000_000...1_795_361_332_000_000, using: &generator))
                let whole = Date(
                    timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
                for value in [date, whole] {
                    let queries: [Query<Moment>] = [
                        .where { $0.seconds < value }, .where { $0.iso >= value },
                        .where { $0.iso == value }, .where { $0.isoMillis > value },
                        .where { $0.isoMicros <= value }, .where { $0.millis != value },
                        .where { $0.julian <= value }, .where { $0.julian == value },
                        .where { $0.zstamp > value }, .where { $0.zstamp == value },
                        .where { $0.micros < value && $0.unix >= value },
                        .where { $0.iso.in([value, date]) },
                    ]
                    for (number, query) in queries.enumerated() {
                        let sorted = query.sorted(by: \.julian, .descending).sorted(by: \.iso)
                        let expected = try await memory.fetch(sorted).map(\.id)
                        #expect(
                            try await moments.fetch(sorted.allowingFullScan()).map(\.id)
                                == expected, "query \(number), \(value.timeIntervalSince1970)")
                        #expect(try await files.fetch(sorted).map(\.id) == expected)
                    }
                }
            }
            #expect(
                try await moments.maximum(of: \.julian) == memory.maximum(of: \.julian))
            #expect(try await moments.minimum(of: \.iso) == memory.minimum(of: \.iso))
        }
    }

    @Test func fractionsOfFarSecondsAreRoundedAsInQueries() async throws {
        try await withMoments { moments, plain in
            for seconds in [9e9, 9e9 + 0.25, 9e9 + 0.5, -9e9 - 0.25, -9e9 - 0.5, -9e9 - 0.75] {
                try plain.run("UPDATE moments SET ZSTAMP = \(seconds) WHERE id = 2")
                let read = try await moments.read(2).zstamp
                #expect(
                    read == Date(timeIntervalSinceReferenceDate: (seconds + 0.5).rounded(.down)))
                #expect(
                    try await moments.fetch(.where { $0.zstamp == read }.allowingFullScan())
                        .map(\.id) == [2], "\(seconds)")
            }
        }
    }

    @Test func otherNotationsAreNotRead() async throws {
        let wrong = [
            ("seconds", "'2026-11-22T15:28:50'"), ("seconds", "'2026-11-22 15:28:50.0'"),
            ("iso", "'2026-11-22 15:28:50'"), ("iso", "'2026-11-22T15:28:50'"),
            ("iso", "'2026-02-30T15:28:50Z'"), ("iso", "1795361330"),
            ("iso_millis", "'2026-11-22T15:28:50Z'"), ("iso_micros", "'2026-11-22T15:28:50.123Z'"),
            ("millis", "1795361330.5"), ("millis", "'2026-11-22'"), ("julian", "'2026-11-22'"),
            ("julian", "-1.0"), ("julian", "9e9"), ("ZSTAMP", "'soon'"), ("ZSTAMP", "1e300"),
        ]
        for (column, value) in wrong {
            try await withMoments { moments, plain in
                try plain.run("UPDATE moments SET \"\(column)\" = \(value) WHERE id = 2")
                let error = await #expect(throws: CRUDRepositoryError.self, "\(column) \(value)") {
                    try await moments.read(2)
                }
                #expect(error?.code == .invalidRecord, "\(column) \(value)")
                #expect(error?.id == "2" && error?.field != nil, "\(column) \(value)")
                #expect(try await moments.read(1).id == 1)
            }
        }
    }

    @Test func datesBeyondAFormAreRefusedOnEveryStore() async throws {
        let memory = MomentRepository(
            RepositoryContext(store: InMemoryStore(), schema: Awkward.schema, fullScans: .allow))
        try await withMoments { moments, _ in
            let far = Date(timeIntervalSince1970: 253_402_300_800)
            let late = Date(timeIntervalSince1970: 253_402_300_799.7)
            for store in [moments, memory] {
                for (name, change): (String, (inout Moment) -> Void) in [
                    ("seconds", { $0.seconds = far }), ("iso", { $0.iso = late }),
                    ("isoMillis", { $0.isoMillis = far }), ("isoMicros", { $0.isoMicros = far }),
                    ("julian", { $0.julian = far }),
                    (
                        "julian",
                        { $0.julian = Date(timeIntervalSince1970: -210_866_760_001) }
                    ),
                ] {
                    var record = try moment(50, Date(timeIntervalSince1970: 0))
                    change(&record)
                    let error = await #expect(throws: CRUDRepositoryError.self, "\(name)") {
                        try await store.create(record)
                    }
                    #expect(error?.code == .invalidItem && error?.field == name, "\(name)")
                }
                for (number, seconds) in [
                    63_113_904_000.25, 63_113_904_000.5, -63_113_904_000.25, -63_113_904_000.5,
                    -63_113_904_000.75,
                ].enumerated() {
                    let id = 51 + number
                    var record = try moment(id, Date(timeIntervalSince1970: 0))
                    record.zstamp = Date(timeIntervalSinceReferenceDate: seconds)
                    let written = try await store.create(record)
                    #expect(
                        written.zstamp
                            == Date(timeIntervalSinceReferenceDate: (seconds + 0.5).rounded(.down)))
                    #expect(try await store.read(Moment.ID(id)) == written)
                    #expect(
                        try await store.fetch(
                            .where { $0.zstamp == written.zstamp }.allowingFullScan()
                        ).map(\.id).contains(written.id))
                }
            }
        }
    }
}

/// A generator of the same numbers in each run: SplitMix64.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
