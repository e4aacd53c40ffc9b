internal import RepositoryRuntime

extension StoreBehaviour {
    /// Comparisons of two fields of one record.
    static let comparedFields: [StoreBehaviour] = [
        StoreBehaviour(
            "queries.fields.compared",
            "Two fields can be compared; null equals only null and has no order.",
            needs: [.records, .listing, .queries, .references]
        ) { trial in
            try await trial.fillReadings()
            let works = [
                Work(number: 10, writerID: "ada", year: 5, grade: 5),
                Work(number: 11, writerID: "ada", year: 5, grade: 6),
                Work(number: 12, writerID: "bea", year: -1, grade: -1),
            ]
            for work in works { try await trial.works.create(work) }
            func expectNew(
                _ numbers: [Work.ID], where condition: (Work.Fields) -> Condition
            ) async throws {
                let query = Query<Work>.where { condition($0) && $0.number >= 10 }
                try await expect(trial.works.fetch(query).map(\.number), is: numbers)
            }
            try await expectNew([10, 12]) { $0.year == $0.grade }
            try await expectNew([11]) { $0.year != $0.grade }
            try await expectNew([11]) { $0.year < $0.grade }
            try await expectNew([10, 11, 12]) { $0.grade >= $0.year }
            try await expectNew([11]) { $0.grade > $0.year }
            try await expectNew([10, 12]) { !($0.year < $0.grade) && $0.grade <= $0.year }
            let query = Query<Work>.where { $0.year < $0.grade || $0.grade < $0.year }
            try await expect(trial.works.fetch(query).map(\.number), is: [2, 3, 7, 11])
            let unequal = Query<Work>.where { !($0.year == $0.grade) }
            try await expect(trial.works.count(unequal), is: 8)
            let declared = try await trial.works.graded()
            try expect(declared.map(\.number), is: [11])
        },
        StoreBehaviour(
            "queries.fields.null", "A field that is null equals another one that is null.",
            needs: [.records, .listing, .queries, .references]
        ) { trial in
            try await trial.fillReadings()
            try await trial.writers.create(Writer(id: "X", name: "X"))
            try await expect(
                trial.writers.fetch(.where { $0.mentorID == $0.mentorID }).count, is: 5)
            try await expect(
                trial.writers.fetch(.where { $0.mentorID <= $0.mentorID }).map(\.id),
                is: ["bea", "cid", "dan"])
            try await expect(
                trial.writers.fetch(.where { $0.works.any { $0.grade > $0.year } }).count, is: 0)
        },
    ]
}
