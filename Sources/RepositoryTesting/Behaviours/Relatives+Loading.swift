internal import RepositoryRuntime

extension StoreBehaviour {
    /// Entities that are read with their related records.
    static let loadedRelatives: [StoreBehaviour] = [
        loaded("reference", "The records to which a reference leads are loaded together.") {
            trial in
            let set = trial.repositories
            let writers = try await set.writers.fetch()
            let mentors = try await set.writers.mentor(of: writers)
            try expect(mentors.mapValues(\.id), is: ["bea": "ada", "cid": "ada", "dan": "cid"])
            try await expect(set.writers.mentor(of: writers[0]) == nil, is: true)
            try await expect(set.writers.mentor(of: writers[3])?.id, is: "cid")
            let readings = try await set.readings.fetch(.sorted(by: \.day))
            let chapters = try await set.readings.chapter(of: readings)
            try expect(
                readings.map { chapters[$0.id]?.number ?? 0 }, is: [1, 0, 0, 1, 3, 1])
            try await expect(set.writers.mentor(of: []).isEmpty, is: true)
        },
        loaded("rows", "Entities are read with the records of references and relations.") {
            trial in
            let set = trial.repositories
            let byName = Query<Writer>.sorted(by: \.name)
            let rows = try await set.writers.fetch(byName, loading: \.mentor, \.latest)
            try expect(rows.map(\.0.id), is: ["ada", "cid", "dan", "bea"])
            try expect(rows.map { $0.1?.id ?? "" }, is: ["", "ada", "cid", "ada"])
            try expect(rows.map { $0.2.map(\.number) }, is: [[5, 1], [], [], [6, 4]])
            let related = Query<Work>.where { $0.writer.mentor.name == "A" }.limit(2)
            for (work, writer) in try await set.works.fetch(related, loading: \.writer) {
                try expect(work.writerID, is: "bea")
                try expect(writer?.name, is: "Z")
            }
            try await set.transaction { set in
                var ada = try await set.writers.read("ada")
                ada.name = "new"
                try await set.writers.update(ada)
                let rows = try await set.writers.fetch(loading: \.mentor, \.readers)
                try expect(rows.map { $0.1?.name ?? "" }, is: ["", "new", "new", "C"])
                try expect(rows.map(\.2.count), is: [3, 1, 0, 0])
            }
        },
        loaded("counts", "Entities are read with the numbers of the records of relations.") {
            trial in
            let set = trial.repositories
            let byName = Query<Writer>.sorted(by: \.name)
            let rows = try await set.writers.fetch(byName, counting: \.works, \.readers)
            try expect(rows.map(\.1), is: [4, 0, 0, 3])
            try expect(rows.map(\.2), is: [4, 0, 0, 1])
            let limited = try await set.writers.fetch(byName, loading: \.mentor, counting: \.latest)
            try expect(limited.map { $0.1?.id ?? "" }, is: ["", "ada", "cid", "ada"])
            try expect(limited.map(\.2), is: [4, 0, 0, 3])
            let chapters = try await set.chapters.fetch(counting: \.readers, \.readings)
            try expect(chapters.map(\.1), is: [2, 0, 1])
            try expect(chapters.map(\.2), is: [3, 0, 1])
            let writers = try await set.writers.fetch()
            try await expect(
                set.writers.works.count(of: writers),
                is: ["ada": 4, "bea": 3, "cid": 0, "dan": 0])
            try await expect(set.writers.works.count(of: writers[1]), is: 3)
        },
    ]

    private static func loaded(
        _ name: String, _ sentence: String, _ check: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "relatives.loaded.\(name)", sentence,
            needs: [.records, .listing, .queries, .references, .transactions]
        ) { trial in
            try await trial.fillReadings()
            try await check(trial)
        }
    }
}
