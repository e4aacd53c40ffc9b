#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositorySQLCore
    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// The records of streams that go on as one `COPY`.
    @Suite(
        "PostgreSQL: records of long streams",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct LongStreamTests {
        @Test("have equal records, whatever the types of their fields and ids are")
        func types() async throws {
            try await LongStreams.with { store, library, _ in
                try await library.specimens.create(Samples.specimen())
                try await library.specimens.create(
                    Specimen(
                        id: "few", url: Samples.urls[0], data: Data(), detail: Samples.details[0]))
                try await library.sparses.create(Samples.sparse())
                try await library.sparses.create(Sparse(id: "empty"))
                try await library.sparses.create(Sparse(id: "text", string: "it's"))
                for number in [Int.min, -1, 0, 7, .max] {
                    try await library.counters.create(Counter(number: .init(number), label: ""))
                }
                for level in [Level.high, .low, .middle] {
                    try await library.grades.create(Grade(level: .init(level), label: "x"))
                }
                for quarter in [Quarter.spring, .summer, .autumn, .winter] {
                    try await library.seasons.create(Season(quarter: .init(quarter), label: ""))
                }
                for day in Samples.days {
                    try await library.holidays.create(Holiday(day: .init(day), name: "a"))
                }
                try await library.halls.create(Hall(id: "it's \\"))
                try await library.halls.create(Hall(id: "b"))
                for (hall, row, letter) in [
                    ("b", 1, "a"), ("b", 1, "\\'"), ("b", -2, "é"), ("it's \\", 0, "$1"),
                ] {
                    try await library.seats.create(
                        Seat(
                            hallID: Hall.ID(hall), row: row, letter: letter))
                }
                try await LongStreams.expectEqualRows(store, Specimen.self)
                try await LongStreams.expectEqualRows(store, Sparse.self)
                try await LongStreams.expectEqualRows(store, Counter.self)
                try await LongStreams.expectEqualRows(store, Grade.self)
                try await LongStreams.expectEqualRows(store, Season.self)
                try await LongStreams.expectEqualRows(store, Holiday.self)
                try await LongStreams.expectEqualRows(store, Seat.self)
            }
        }

        @Test("continue after any id")
        func hostileIDs() async throws {
            try await LongStreams.with { store, library, _ in
                _ = try await library.notes.createAll(
                    HostileIDs.all.map { Note(id: Note.ID($0), text: $0) })
                let all = try await store.page(Note.self, after: nil, limit: .max)
                for (place, note) in all.enumerated() where place % 5 == 0 || place > 500 {
                    let rest = try await LongStreams.following(store, Note.self, after: note.id)
                    #expect(rest.isOver && rest.found == Array(all[(place + 1)...]), "\(note.id)")
                }
            }
        }

        @Test("have literals that mean the same with any setting", arguments: ["on", "off"])
        func literals(setting: String) async throws {
            let pool = ConnectionPool(
                try TestServer.address.get(),
                settings: [
                    "standard_conforming_strings = \(setting)", "escape_string_warning = off",
                    "datestyle = 'SQL, DMY'", "TIME ZONE 'Asia/Kolkata'",
                ],
                limit: 1, connectTimeout: .seconds(10), waitTimeout: LongStreams.long)
            let connection = try await pool.lease(nil)
            let values: [(StoredValue, SQLColumnForm)] =
                (HostileIDs.all + Samples.texts).map { (.text($0), .text) }
                + Samples.microseconds.map { (.date($0), .date) }
                + Samples.dates.map { (.date($0), .date) }
                + Samples.uuids.map { (.uuid($0), .uuid) }
                + Samples.days.map { (.text($0.description), .day) }
                + Samples.decimals.map { (.decimal($0), .numeric(scale: nil)) }
                + Samples.doubles.map { (.double($0), .double) }
                + Samples.data.map { (.data($0), .data) }
                + [.min, -1, 0, .max].map { (.integer($0), .integer(bits: 64)) }
                + [true, false].map { (.bool($0), .boolean) }
            for (value, form) in values {
                let parameter = SQLParameter(value, form)
                // Far dates have none: they are read page by page.
                guard let literal = PostgreSQLDialect().literal(of: parameter) else {
                    #expect(form == .date)
                    continue
                }
                let parameters = try PostgreSQLValues.parameters([parameter])
                let result = try await connection.run("SELECT \(literal) = $1", parameters)
                #expect(result.isTrue(0, 0), "\(literal)")
                try await connection.forgetPrepared()
            }
            pool.giveBack(connection)
            pool.close()
        }

        @Test("read each record once by one statement")
        func complete() async throws {
            try await LongStreams.with(notes: 20_000) { store, library, sent in
                var found: [String] = []
                for try await note in library.notes.stream(.all) { found.append(note.id.rawValue) }
                #expect(found == LongStreams.names(20_000))
                #expect(sent.copies == 1)
                found = []
                for try await note in library.notes.stream() { found.append(note.id.rawValue) }
                #expect(found == LongStreams.names(20_000))
                #expect(sent.copies == 2)
                for try await _ in library.notes.stream(pageSize: 5_000) {}
                #expect(sent.copies == 2)
                try await LongStreams.expectNoLease(store)
                #expect(store.statistics.openedConnections <= 3)
            }
        }

        @Test("of queries have equal records, whatever the values of the conditions are")
        func queries() async throws {
            try await LongStreams.with(pageSize: 2) { store, library, sent in
                let texts = ["it's", "back\\slash", "$1", "\"$2\"", "é😀", "E'", "plain"]
                for (place, text) in texts.enumerated() {
                    for copy in 0..<5 {
                        try await library.sparses.create(
                            Sparse(
                                id: Sparse.ID("\(place)-\(copy)'\\"), string: text,
                                bool: copy == 0, int: place * 10 + copy, int16: Int16(copy),
                                float: 0.1, double: Double(copy) / 3,
                                decimal: Samples.decimals[8], money: Samples.money[5],
                                date: Samples.microseconds[4 + copy % 2],
                                uuid: Samples.uuids[copy % 3], day: Samples.days[copy]))
                    }
                }
                let id = Sparse.ID("1-0'\\")
                var queries: [Query<Sparse>] = texts.map { text in .where { $0.string == text } }
                queries += [
                    .all, .sorted(by: \.string), .sorted(by: \.int, .descending),
                    .sorted(by: \.double).sorted(by: \.day, .descending),
                    .where { $0.string.in(["it's", "$1", "back\\slash"]) }.sorted(by: \.int16),
                    .where { $0.int.in([3, 12, 21, 33, 44]) }, .where { $0.id > id },
                    .where { $0.bool == false && $0.int16 < 3 }.sorted(by: \.uuid),
                    .where { $0.double >= Double(1) / 3 }.sorted(by: \.date),
                    .where { $0.float < 0.5 }, .where { $0.day > Samples.days[1] },
                    .where { $0.date >= Samples.microseconds[4] },
                    .where { $0.decimal == Samples.decimals[8] }.sorted(by: \.money),
                    .where { $0.money > Samples.money[4] },
                    .where { $0.uuid == Samples.uuids[0] }.sorted(by: \.string, .descending),
                ]
                for (number, query) in queries.map({ $0.allowingFullScan() }).enumerated() {
                    let expected = try await library.sparses.fetch(query)
                    var found: [Sparse] = []
                    for try await sparse in library.sparses.stream(query) { found.append(sparse) }
                    #expect(found == expected && found.count > 2, "\(query)")
                    #expect(sent.copies == number + 1, "\(query)")
                }
                try await LongStreams.expectNoLease(store)
            }
        }

        @Test("are read page by page where an engine refuses the statement")
        func refusals() async throws {
            try await LongStreams.with(notes: 600, of: 50_000) { store, library, sent in
                store.access.refuseCopies()
                var count = 0
                for try await _ in library.notes.stream(.all) { count += 1 }
                #expect(count == 600 && sent.copies == 0)
            }
        }

        @Test("read a bounded number of pages ahead")
        func boundedPages() async throws {
            try await LongStreams.with { store, _, _ in
                let rows = try await store.access.leasing { try await $0.run("SELECT 1") }
                let pages = FollowingPages()
                #expect(await pages.give(rows, patience: LongStreams.long))
                // The loop takes none.
                #expect(await !pages.give(rows, patience: .zero))
                pages.finish(.stopped)
                for _ in 0..<2 {
                    guard case .page = await pages.take() else {
                        Issue.record("A page is missing.")
                        return
                    }
                }
                guard case .end(.stopped) = await pages.take() else {
                    Issue.record("The end is missing.")
                    return
                }
            }
        }

        @Test("refuse data that are no rows")
        func malformedRows() throws {
            let header =
                Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
            let row: [UInt8] = [0, 2, 0, 0, 0, 1, 65, 0xFF, 0xFF, 0xFF, 0xFF]
            let whole = CopiedRows(columns: 2, capacity: 1)
            #expect(
                try (header + row + row).withUnsafeBytes { try whole.append($0, isFirst: true) })
            #expect(whole.count == 2)
            #expect(whole.bytes(1, 0).elementsEqual([65]) && whole.isNull(1, 1))
            for length in 0..<(header.count + row.count) where length != header.count {
                let part = Array((header + row).prefix(length))
                #expect(throws: CopiedRows.Malformed.self) {
                    let rows = CopiedRows(columns: 2)
                    _ = try part.withUnsafeBytes { try rows.append($0, isFirst: true) }
                }
            }
            #expect(throws: CopiedRows.Malformed.self) {
                let rows = CopiedRows(columns: 3)
                _ = try (header + row).withUnsafeBytes { try rows.append($0, isFirst: true) }
            }
        }

        @Test("behave as other streams do")
        func behaviours() async throws {
            let address = try TestServer.address.get()
            let harness = StoreHarness(
                damage: TestServer.harness.damage, cleanUp: TestServer.harness.cleanUp
            ) { place in
                var options = PostgreSQLStoreOptions(
                    address: address, schema: place.name, connections: 6,
                    connectTimeout: .seconds(10), waitTimeout: LongStreams.long,
                    lockTimeout: LongStreams.long,
                    exactlyOnce: false, observing: false)
                options.streams.fewPages = 1
                options.streams.pageSize = 2
                return PostgreSQLStore(options)
            }
            // Those of streams; with `REPOSITORY_LONG=1` all of the areas in which there are some.
            let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
            let areas = ["streams", "queries", "closing", "softDeletion", "cancellation", "kinds"]
            let chosen = StoreBehaviour.all.filter {
                areas.contains($0.area)
                    && (isLong || $0.area == "streams" || $0.id.contains("stream"))
                    // A record whose position changes may come twice, where pages are small.
                    && $0.id != "queries.stream.changed"
            }
            #expect(chosen.count >= 5)
            for (behaviour, result) in await StoreBehaviour.checkAll(
                chosen, { try await $0.check(harness) })
            {
                if case .failure(let error) = result { Issue.record("\(behaviour.id): \(error)") }
            }
        }
    }
#endif
