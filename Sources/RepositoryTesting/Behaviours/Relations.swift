internal import RepositoryRuntime

extension StoreBehaviour {
    /// Loaders of relations.
    static let relations: [StoreBehaviour] = oneToMany + manyToMany + relationReads

    private static let oneToMany: [StoreBehaviour] = [
        relation("many", "The result has an entry for each given record, even if it is empty.") {
            trial in
            try await trial.fillWriters()
            let writers = try await trial.writers.fetch()
            let works = try await trial.writers.works(of: writers)
            try expect(Set(works.keys), is: Set(writers.map(\.id)))
            try expect(works["ada"]?.map(\.number), is: [1, 2, 5, 7])
            try expect(works["bea"]?.map(\.number), is: [3, 4, 6])
            try expect(works["cid"], is: [])
            try await expect(works["ada"]?.first, is: trial.works.read(1))
        },
        relation("none", "No given records give an empty result.") { trial in
            try await trial.fillWriters()
            let none: [Writer] = []
            try await expect(trial.writers.works(of: none).isEmpty, is: true)
            try await expect(trial.writers.readers(of: none).isEmpty, is: true)
        },
        relation("one", "The related records of one record can be loaded, also by its id.") {
            trial in
            try await trial.fillWriters()
            let bea = try await trial.writers.read("bea")
            try await expect(trial.writers.works(of: bea).map(\.number), is: [3, 4, 6])
            try await expect(trial.writers.works(of: bea.id).map(\.number), is: [3, 4, 6])
            try await expect(trial.writers.works(of: "nobody"), is: [])
            let ids: [Writer.ID] = ["cid", "bea", "nobody", "bea"]
            let works = try await trial.writers.works(of: ids)
            try expect(
                works.mapValues { $0.map(\.number) },
                is: [
                    "cid": [], "bea": [3, 4, 6], "nobody": [],
                ])
        },
        relation("order", "A limit applies per record, in the order of an index.") { trial in
            try await trial.fillWriters()
            let latest = try await trial.writers.latest(of: trial.writers.fetch())
            try expect(
                latest["ada"]?.map(\.number), is: [5, 1], "Equal years are not sorted by id.")
            try expect(latest["bea"]?.map(\.number), is: [6, 4])
            try expect(latest["cid"], is: [])
            let ada = try await trial.writers.read("ada")
            try await expect(trial.writers.latest(of: ada).map(\.number), is: [5, 1])
        },
        relation("sorted", "A limit applies per record, in an order without an index.") {
            trial in
            try await trial.fillWriters()
            let best = try await trial.writers.best(of: trial.writers.fetch())
            try expect(best["ada"]?.map(\.number), is: [7, 2], "Null is not the smallest grade.")
            try expect(
                best["bea"]?.map(\.number), is: [3, 4], "Equal grades are not sorted by year.")
            let bea = try await trial.writers.read("bea")
            try await expect(trial.writers.best(of: bea).map(\.number), is: [3, 4])
        },
        relation("self", "A record can refer to another record of its entity, or to none.") {
            trial in
            try await trial.fillWriters()
            let pupils = try await trial.writers.pupils(of: trial.writers.fetch())
            try expect(
                pupils.mapValues { $0.map(\.id) },
                is: [
                    "ada": ["cid", "bea"], "bea": [], "cid": ["dan"], "dan": [],
                ])
        },
        relation("followed", "Changed and deleted records are not returned any more.") { trial in
            try await trial.fillWriters()
            var work = try await trial.works.read(3)
            work.writerID = "cid"
            try await trial.works.update(work)
            try await trial.works.delete(4)
            let works = try await trial.writers.works(of: trial.writers.fetch())
            try expect(works["bea"]?.map(\.number), is: [6])
            try expect(works["cid"]?.map(\.number), is: [3])
        },
        relation("bytes", "Ids are compared by their bytes.") { trial in
            let ids = ["Caf\u{E9}", "Cafe\u{301}", "caf\u{E9}", "a'b", "a%", "a,b", "a\\"]
            for (number, id) in ids.enumerated() {
                try await trial.writers.create(Writer(id: .init(id)))
                try await trial.works.create(
                    Work(number: .init(number), writerID: .init(id), year: number))
            }
            let works = try await trial.writers.works(of: ids.map { Writer.ID($0) })
            try expect(works.count, is: ids.count)
            for (number, id) in ids.enumerated() {
                try expect(works[.init(id)]?.map(\.number.rawValue), is: [number])
            }
        },
        relation(
            "transaction", "A loader inside a transaction sees its changes.",
            needs: [.transactions]
        ) { trial in
            try await trial.fillWriters()
            try await trial.repositories.transaction { library in
                try await library.works.create(Work(number: 8, writerID: "cid"))
                let all = try await library.writers.fetch()
                try await expect(
                    library.writers.works(of: all)["cid"]?.map(\.number), is: [8])
                try await expect(trial.writers.works(of: "cid").map(\.number), is: [8])
            }
        },
        relation(
            "snapshot", "A loader inside an observed closure reads from the snapshot.",
            needs: [.snapshots, .observation]
        ) { trial in
            try await trial.fillWriters()
            let reader = trial.reader(
                trial.repositories.observe { library in
                    try await library.writers.works(of: library.writers.fetch())["cid"] ?? []
                })
            try await expect(reader.next(), is: [])
            let work = try await trial.works.create(Work(number: 8, writerID: "cid"))
            try await expect(reader.next(), is: [work])
        },
        StoreBehaviour(
            "relations.refused", "A store without queries throws `unsupported`.",
            needs: [.records], lacks: [.queries]
        ) { trial in
            try await expectError(.unsupported) { try await trial.writers.works(of: "ada") }
            try await expectError(.unsupported) { try await trial.notes.fetch(ids: ["a"]) }
        },
    ]

    /// A behaviour of relations, for stores with queries and references.
    static func relation(
        _ name: String, _ sentence: String, needs: [StoreCapability] = [],
        fileID: String = #fileID, line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "relations.\(name)", sentence, needs: [.records, .queries, .references] + needs,
            fileID: fileID, line: line, body)
    }
}

extension StoreTrial {
    /// Four writers and seven works. `ada` taught `bea` and `cid`, and `cid` taught `dan`. Only
    /// `ada` and `bea` have works.
    func fillWriters() async throws {
        let writers = [
            Writer(id: "ada", name: "A"), Writer(id: "bea", name: "Z", mentorID: "ada"),
            Writer(id: "cid", name: "C", mentorID: "ada"),
            Writer(id: "dan", name: "D", mentorID: "cid"),
        ]
        for writer in writers { try await repositories.writers.create(writer) }
        let works = [
            Work(number: 4, writerID: "bea", year: 1990), Work(number: 1, writerID: "ada"),
            Work(number: 2, writerID: "ada", grade: 3),
            Work(number: 5, writerID: "ada", year: 2010),
            Work(number: 3, writerID: "bea", year: 1980, grade: -1),
            Work(number: 7, writerID: "ada", year: 1999, grade: 4),
            Work(number: 6, writerID: "bea", year: 2020),
        ]
        for work in works { try await repositories.works.create(work) }
    }
}
