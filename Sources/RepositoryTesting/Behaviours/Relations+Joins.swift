internal import RepositoryRuntime

extension StoreBehaviour {
    /// Many-to-many relations.
    static let manyToMany: [StoreBehaviour] = [
        relation(
            "through", "A record that is joined twice is returned once, in the declared order."
        ) {
            trial in
            try await trial.fillReadings()
            let readers = try await trial.writers.readers(of: trial.writers.fetch())
            try expect(
                readers.mapValues { $0.map(\.id) },
                is: [
                    "ada": ["r3", "r4", "r1"], "bea": ["r2"], "cid": [], "dan": [],
                ])
            let ada = try await trial.writers.read("ada")
            try await expect(trial.writers.readers(of: ada).map(\.id), is: ["r3", "r4", "r1"])
        },
        relation("throughBack", "A many-to-many relation can be followed in the other direction.") {
            trial in
            try await trial.fillReadings()
            let writers = try await trial.readers.writers(of: trial.readers.fetch())
            try expect(writers["r2"]?.map(\.id), is: ["ada", "bea"])
            try expect(writers["r3"]?.map(\.id), is: ["ada"])
            try await expect(writers["r3"]?.first, is: trial.writers.read("ada"))
        },
        relation("throughNull", "A join record with a null reference is ignored.") { trial in
            try await trial.fillReadings()
            let chapters = try await trial.readers.chapters(of: trial.readers.fetch())
            try expect(
                chapters.mapValues { $0.map(\.number) },
                is: [
                    "r1": [3, 1], "r2": [1], "r3": [], "r4": [], "r5": [],
                ])
        },
        relation("composite", "Records can refer to composite ids.") {
            trial in
            try await trial.fillReadings()
            let all = try await trial.chapters.fetch()
            let readings = try await trial.chapters.readings(of: all)
            try expect(readings.count, is: 3)
            try expect(readings.first { $0.key.number == 1 }?.value.map(\.day), is: [9, 2])
            try expect(readings.first { $0.key.number == 2 }?.value, is: [])
            try await expect(trial.chapters.readings(of: all[2]).map(\.day), is: [4])
            let readers = try await trial.chapters.readers(of: all)
            try expect(readers[all[0].id]?.map(\.id), is: ["r1", "r2"])
        },
        relation("compositeSelf", "A join entity can connect records of the same entity.") {
            trial in
            try await trial.fillReadings()
            let all = try await trial.chapters.fetch()
            for (number, pair) in [(0, 1), (0, 2), (2, 1), (0, 1)].enumerated() {
                try await trial.quotations.create(
                    Quotation(
                        id: .init("q\(number)"), sourceID: all[pair.0].id,
                        targetID: all[pair.1].id))
            }
            try await trial.quotations.create(Quotation(id: "none", sourceID: all[1].id))
            let quoted = try await trial.chapters.quoted(of: all)
            try expect(all.map { quoted[$0.id]?.map(\.number) }, is: [[2, 3], [], [2]])
            let quotedBy = try await trial.chapters.quotedBy(of: all)
            try expect(all.map { quotedBy[$0.id]?.map(\.number) }, is: [[], [3], [1]])
        },
        relation("ids", "`fetch(ids:)` returns the stored records; missing ids have no entry.") {
            trial in
            try await trial.fillReadings()
            let works = try await trial.works.fetch()
            let writers = try await trial.writers.fetch(ids: works.map(\.writerID) + ["nobody"])
            try expect(Set(writers.keys), is: ["ada", "bea"])
            try await expect(writers["bea"] == trial.writers.read("bea"), is: true)
            let none: [Writer.ID] = []
            try await expect(trial.writers.fetch(ids: none).isEmpty, is: true)
            let readings = try await trial.readings.fetch()
            let chapters = try await trial.chapters.fetch(ids: readings.compactMap(\.chapterID))
            try expect(chapters.values.map(\.number).sorted(), is: [1, 3])
        },
    ]

    /// The number of records read for relations.
    static let relationReads: [StoreBehaviour] = [
        relation("plain", "Loaders return the same records as a search through all records.") {
            trial in
            let ids = (0..<120).map { Writer.ID("w\($0)") }
            try await trial.writers.createAll(ids.map { Writer(id: $0) })
            let works = (0..<400).map { number in
                Work(
                    number: .init(number), writerID: ids[number * number % 97],
                    year: number * 7 % 5, grade: number % 3 == 0 ? nil : number * 11 % 4)
            }
            try await trial.works.createAll(works)
            let (all, latest) = (
                try await trial.writers.works(of: ids), try await trial.writers.latest(of: ids)
            )
            let best = try await trial.writers.best(of: ids)
            for id in ids {
                let own = works.filter { $0.writerID == id }
                try expect(all[id], is: own)
                let newest = own.sorted { ($1.year, $0.number) < ($0.year, $1.number) }
                try expect(latest[id], is: Array(newest.prefix(2)))
                let highest = own.sorted {
                    ($1.grade ?? -1, $0.year, $0.number) < ($0.grade ?? -1, $1.year, $1.number)
                }
                try expect(best[id], is: Array(highest.prefix(2)))
            }
        },
        relation("reads", "Only related records are read.") { trial in
            try await trial.fillWriters()
            try await trial.works.createAll(
                (100..<200).map { Work(number: .init($0), writerID: "cid", year: $0) })
            let counter = PageCounter(trial.store)
            let writers = WriterRepository(trial.context(over: counter))
            let ids: [Writer.ID] = ["ada", "bea"]
            try await expect(writers.works(of: ids).values.joined().count, is: 7)
            try expect(counter.total, is: 7, "\(counter.total) records were read for 7.")
        },
        relation(
            "limitReads", "Only as many records as the limit are read if an index has the order.",
            needs: [.indexScans]
        ) { trial in
            try await trial.fillWriters()
            try await trial.works.createAll(
                (100..<200).map { Work(number: .init($0), writerID: "cid", year: $0) })
            let counter = PageCounter(trial.store)
            let writers = WriterRepository(trial.context(over: counter))
            let latest = try await writers.latest(of: trial.writers.fetch())
            try expect(latest["cid"]?.map(\.number), is: [199, 198])
            try expect(counter.total <= 6, is: true, "\(counter.total) records were read for 6.")
        },
        relation("indexed", "Relations need no full scan.") { trial in
            try await trial.fillReadings()
            let strict = trial.repositories(fullScans: .refuse)
            let writers = try await strict.writers.fetch()
            try await expect(strict.writers.works(of: writers)["ada"]?.count, is: 4)
            try await expect(strict.writers.best(of: writers)["ada"]?.count, is: 2)
            try await expect(strict.writers.readers(of: writers)["ada"]?.count, is: 3)
            try await expect(strict.chapters.readers(of: strict.chapters.fetch()).count, is: 3)
        },
    ]
}

extension StoreTrial {
    /// Writers, five readers, four of whom read `ada`, and three chapters.
    func fillReadings() async throws {
        try await fillWriters()
        for (id, name) in [("r1", "K"), ("r2", "A"), ("r3", "Z"), ("r4", "Z"), ("r5", "Q")] {
            try await repositories.readers.create(Reader(id: .init(id), name: name))
        }
        for number in 1...3 {
            try await repositories.chapters.create(Chapter(part: "one, %", number: number))
        }
        let chapters = try await repositories.chapters.fetch().map(\.id)
        let readings = [
            Reading(readerID: "r1", writerID: "ada", day: 2, chapterID: chapters[0]),
            Reading(readerID: "r1", writerID: "ada", day: 4, chapterID: chapters[2]),
            Reading(readerID: "r2", writerID: "ada", day: 1, chapterID: chapters[0]),
            Reading(readerID: "r2", writerID: "bea", day: 9, chapterID: chapters[0]),
            Reading(readerID: "r3", writerID: "ada", day: 1),
            Reading(readerID: "r4", writerID: "ada", day: 1),
        ]
        for reading in readings { try await repositories.readings.create(reading) }
    }

    /// The context of the trial over a store wrapper.
    func context(over store: some EntityStore) -> RepositoryContext {
        RepositoryContext(
            store: store, schema: repositories.context.schema, defaults: defaults,
            fullScans: .refuse)
    }
}
