internal import RepositoryRuntime

extension StoreBehaviour {
    /// Queries with conditions on related records.
    static let relatives: [StoreBehaviour] =
        relativeConditions + relativeReads + relativeOrders + comparedFields + loadedRelatives
        + randomRelatives

    private static let relativeConditions: [StoreBehaviour] = [
        relative("reference", "A field of the record to which a reference leads can be compared.") {
            trial in
            try await trial.fillReadings()
            try await trial.expectWorks([1, 2, 5, 7]) { $0.writer.name == "A" }
            try await trial.expectWorks([3, 4, 6]) { $0.writer.name > "C" }
            try await trial.expectWorks([3, 6]) {
                $0.writer.name.in(["Z", "C"]) && $0.year != 1990
            }
            try await trial.expectWorks([3, 4, 6]) { $0.writer.mentorID == "ada" }
            try await trial.expectWorks([]) { $0.writer.name.hasPrefix("B") }
        },
        relative("deep", "References can be followed one after another, up to eight.") { trial in
            try await trial.fillReadings()
            try await trial.expectWorks([3, 4, 6]) { $0.writer.mentor.name == "A" }
            try await trial.expectWriters(["dan"]) { $0.mentor.mentor.name == "A" }
            try await trial.expectReadings([9]) { $0.writer.mentor.name == "A" }
            let deep = Query<Writer>.where {
                $0.mentor.mentor.mentor.mentor.mentor.mentor.mentor.mentor.name == "A"
            }
            try await expect(trial.writers.fetch(deep), is: [])
            let tooDeep = Query<Writer>.where {
                $0.mentor.mentor.mentor.mentor.mentor.mentor.mentor.mentor.mentor.name == "A"
            }
            try await expectError(.invalidQuery) { try await trial.writers.fetch(tooDeep) }
        },
        relative("null", "Without a record, every comparison is false, and ! negates that.") {
            trial in
            try await trial.fillReadings()
            try await trial.expectWriters(["bea", "cid"]) { $0.mentor.name == "A" }
            try await trial.expectWriters(["dan"]) { $0.mentor.name != "A" }
            try await trial.expectWriters(["ada", "dan"]) { !($0.mentor.name == "A") }
            try await trial.expectWriters([]) { $0.mentor.mentorID == "dan" }
            try await trial.expectWriters(["bea", "cid"]) { $0.mentor.mentorID == nil }
            try await trial.expectReadings([1, 1]) { !($0.chapter.number > 0) }
        },
        relative("any", "any, none and all ask for related records; without any, any is false.") {
            trial in
            try await trial.fillReadings()
            try await trial.expectWriters(["ada"]) { $0.works.any { $0.grade == 3 } }
            try await trial.expectWriters(["bea", "cid", "dan"]) {
                $0.works.none { $0.grade == 3 }
            }
            try await trial.expectWriters(["cid", "dan"]) { $0.works.all { $0.year > 2100 } }
            try await trial.expectWriters(["ada", "cid", "dan"]) {
                $0.works.all { $0.year >= 1999 }
            }
            try await trial.expectWriters(["bea", "dan"]) { $0.pupils.none { $0.name > "A" } }
            try await trial.expectWriters(["ada"]) {
                $0.pupils.any { $0.works.any { $0.year == 1990 } && $0.mentor.name == "A" }
            }
        },
        relative("count", "The number of related records can be compared.") { trial in
            try await trial.fillReadings()
            try await trial.expectWriters(["ada"]) { $0.works.count > 3 }
            try await trial.expectWriters(["ada", "bea"]) { $0.works.count >= 3 }
            try await trial.expectWriters(["bea"]) { $0.works.count == 3 }
            try await trial.expectWriters(["ada", "cid", "dan"]) { $0.works.count != 3 }
            try await trial.expectWriters(["cid", "dan"]) { $0.works.count == 0 }
            try await trial.expectWriters(["bea", "cid", "dan"]) { $0.works.count < 4 }
            try await trial.expectWriters(["bea", "cid", "dan"]) { $0.works.count <= 3 }
            try await trial.expectWriters([]) { $0.works.count < 0 || $0.works.count == -1 }
            try await trial.expectWriters(["bea", "cid", "dan"]) { $0.mentor.works.count >= 0 }
            try await trial.expectWriters(["dan"]) { $0.mentor.works.count < 4 }
        },
        relative("limits", "The order and the limit of a relation do not apply.") { trial in
            try await trial.fillReadings()
            try await trial.expectWriters(["ada"]) { $0.latest.count == 4 }
            try await trial.expectWriters(["ada"]) { $0.best.any { $0.number == 1 } }
        },
        relative("through", "A record that a join entity connects twice counts once.") { trial in
            try await trial.fillReadings()
            try await trial.expectWriters(["ada"]) { $0.readers.count == 4 }
            try await trial.expectWriters(["ada", "bea"]) { $0.readers.any { $0.name == "A" } }
            try await trial.expectWriters(["bea", "cid", "dan"]) {
                $0.readers.none { $0.name == "Z" }
            }
            try await trial.expectReaders(["r2"]) { $0.writers.count >= 2 }
            try await trial.expectReaders(["r1", "r3", "r4", "r5"]) { !($0.writers.count >= 2) }
            try await trial.expectReaders(["r1"]) { $0.chapters.count == 2 }
        },
        relative("composite", "References to composite ids and from them can be followed.") {
            trial in
            try await trial.fillReadings()
            try await trial.expectReadings([1, 2, 9]) { $0.chapter.number == 1 }
            try await trial.expectChapters([1]) { $0.readings.any { $0.day > 4 } }
            try await trial.expectChapters([1, 3]) { $0.readings.count > 0 }
            try await trial.expectChapters([1]) { $0.readers.count == 2 }
            try await trial.expectChapters([2]) { $0.readers.none { $0.name != "" } }
        },
    ]

    private static let relativeReads: [StoreBehaviour] = [
        relative("reads", "All reads accept conditions on related records.") { trial in
            try await trial.fillReadings()
            let query = Query<Work>.where { $0.writer.name == "A" }
            try await expect(trial.works.count(query), is: 4)
            try await expect(trial.works.exists { $0.writer.name == "Y" }, is: false)
            try await expect(trial.works.ids(query.limit(2)).map(\.rawValue), is: [1, 2])
            try await expect(
                trial.works.fetch(query.sorted(by: \.year, .descending).offset(1)).map(\.number),
                is: [1, 2, 7])
            try await expect(
                trial.works.project(\.year, from: query), is: [2000, 2000, 2010, 1999])
            try await expect(trial.works.maximum(of: \.year, from: query), is: 2010)
            try await expect(trial.works.sum(of: \.grade, from: query), is: 7)
            let groups = try await trial.works.group(by: \.year, .count, from: query)
            try expect(groups.map(\.0), is: [1999, 2000, 2010])
            try expect(groups.map(\.1), is: [1, 2, 1])
            var numbers: [Int] = []
            for try await work in trial.works.stream(query) { numbers.append(work.number.rawValue) }
            try expect(numbers, is: [1, 2, 5, 7])
            let first = try await trial.works.page(query.limit(3))
            let second = try await trial.works.page(query.limit(3), after: first.next)
            try expect((first.items + second.items).map(\.number), is: [1, 2, 5, 7])
            try expect(second.next == nil, is: true)
        },
        relative("writes", "Updates, deletions and replacements select by related records.") {
            trial in
            try await trial.fillReadings()
            try await expect(
                trial.works.updateAll(where: { $0.writer.name == "A" }, set: { $0.year += 1 }),
                is: 4)
            try await expect(trial.works.read(5).year, is: 2011)
            try await expect(trial.works.read(6).year, is: 2020)
            try await expect(trial.works.deleteAll { $0.writer.mentor.name == "A" }, is: 3)
            try await expect(trial.works.count(), is: 4)
            let new = Work(number: 20, writerID: "ada", year: 1)
            try await trial.works.replace(where: { $0.writer.name == "A" }, with: [new])
            try await expect(trial.works.fetch(), is: [new])
            try await expectError(.invalidQuery) {
                try await trial.works.replace(
                    where: { $0.writer.name == "A" },
                    with: [Work(number: 21, writerID: "bea", year: 1)])
            }
            try await expect(trial.works.fetch(), is: [new])
            try await trial.writers.updateAll(
                where: { $0.mentor.name != "Z" }, set: { $0.name = "Z" })
            try await expect(
                trial.writers.fetch().map(\.name), is: ["A", "Z", "Z", "Z"],
                "A change of one record has decided about another.")
        },
        relative("declared", "Declared queries name related records.") { trial in
            try await trial.fillReadings()
            try await expect(
                trial.writers.taughtBy(name: "A").map(\.id), is: ["bea", "cid", "dan"])
            try await expect(trial.writers.productive(least: 4).map(\.id), is: ["ada"])
            try await expect(trial.writers.productive(least: 0).count, is: 4)
            try await expect(trial.writers.readBy(name: "A", grade: 0).map(\.id), is: ["ada"])
        },
        relative("scans", "A condition that an index serves is not refused as a full scan.") {
            trial in
            try await trial.fillReadings()
            let strict = trial.repositories(fullScans: .refuse)
            let pupils = Query<Writer>.where { $0.mentor.id == "ada" }
            try await expect(strict.writers.fetch(pupils).map(\.id), is: ["bea", "cid"])
            let works = Query<Work>.where { $0.writer.mentorID == "ada" }
            try await expect(strict.works.fetch(works).map(\.number), is: [3, 4, 6])
            let unserved = Query<Work>.where { $0.writer.name == "A" }
            try await expectError(.fullScanRefused) { try await strict.works.fetch(unserved) }
            try await expect(strict.works.fetch(unserved.allowingFullScan()).count, is: 4)
        },
        StoreBehaviour(
            "relatives.observed", "An observed query follows the tables of related records.",
            needs: [.records, .listing, .queries, .observation]
        ) { trial in
            try await trial.fillReadings()
            let query = Query<Work>.where { $0.writer.name == "A" }
            var results = trial.works.observe(query).makeAsyncIterator()
            var counts = trial.works.observeCount(query).makeAsyncIterator()
            try await expect(counts.next(), is: 4)
            var sums = trial.repositories.observe {
                try await $0.works.sum(of: \.year, from: query)
            }
            .makeAsyncIterator()
            try await expect(sums.next(), is: 8009)
            try await expect(results.next()?.map(\.number), is: [1, 2, 5, 7])
            var bea = try await trial.writers.read("bea")
            bea.name = "A"
            try await trial.writers.update(bea)
            try await expect(results.next()?.map(\.number), is: [1, 2, 3, 4, 5, 6, 7])
            try await expect(counts.next(), is: 7)
            try await expect(sums.next(), is: 13_999)
        },
    ]

    private static func relative(
        _ name: String, _ sentence: String, _ check: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "relatives.\(name)", sentence,
            needs: [.records, .listing, .queries, .updates, .references], check)
    }
}

extension StoreTrial {
    fileprivate func expectWorks(
        _ numbers: [Work.ID], where condition: (Work.Fields) -> Condition
    ) async throws {
        try await expect(repositories.works.fetch(.where(condition)).map(\.number), is: numbers)
    }

    fileprivate func expectWriters(
        _ ids: [Writer.ID], where condition: (Writer.Fields) -> Condition
    ) async throws {
        try await expect(repositories.writers.fetch(.where(condition)).map(\.id), is: ids)
    }

    fileprivate func expectReaders(
        _ ids: [Reader.ID], where condition: (Reader.Fields) -> Condition
    ) async throws {
        try await expect(repositories.readers.fetch(.where(condition)).map(\.id), is: ids)
    }

    /// Compares the days of readings, in increasing order.
    fileprivate func expectReadings(
        _ days: [Int], where condition: (Reading.Fields) -> Condition
    ) async throws {
        try await expect(
            repositories.readings.fetch(.where(condition)).map(\.day).sorted(), is: days)
    }

    fileprivate func expectChapters(
        _ numbers: [Int], where condition: (Chapter.Fields) -> Condition
    ) async throws {
        try await expect(repositories.chapters.fetch(.where(condition)).map(\.number), is: numbers)
    }
}
