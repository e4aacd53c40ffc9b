internal import RepositoryRuntime

extension StoreBehaviour {
    /// Queries sorted by the values of related records.
    static let relativeOrders: [StoreBehaviour] = [
        sorted("reference", "A field of the record to which a reference leads can be sorted by.") {
            trial in
            let query = Query<Work>.sorted(by: \.writer.name).sorted(by: \.year)
            try await expect(trial.works.fetch(query).map(\.number), is: [7, 1, 2, 5, 3, 4, 6])
            let descending = Query<Work>.sorted(by: \.writer.name, .descending)
            try await expect(
                trial.works.fetch(descending).map(\.number), is: [3, 4, 6, 1, 2, 5, 7])
            try await expect(
                trial.readings.fetch(.sorted(by: \.chapter.number).sorted(by: \.day)).map(\.day),
                is: [1, 1, 1, 2, 9, 4])
        },
        sorted("null", "Without a record, the value that is sorted by is null.") { trial in
            try await trial.expectOrder(["ada", "bea", "cid", "dan"], .sorted(by: \.mentor.name))
            try await trial.expectOrder(
                ["dan", "bea", "cid", "ada"], .sorted(by: \.mentor.name, .descending))
            try await trial.expectOrder(
                ["dan", "ada", "bea", "cid"], .sorted(by: \.mentor.mentor.name, .descending))
            try await trial.expectOrder(
                ["ada", "dan", "bea", "cid"], .sorted(by: \.mentor.works.count))
            try await trial.expectOrder(
                ["bea", "cid", "dan", "ada"], .sorted(by: \.mentor.works.count, .descending))
        },
        sorted("count", "The number of related records can be sorted by.") { trial in
            try await trial.expectOrder(["cid", "dan", "bea", "ada"], .sorted(by: \.works.count))
            try await trial.expectOrder(
                ["ada", "cid", "bea", "dan"], .sorted { $0.mentor.name }.sorted { $0.works.count })
            try await trial.expectOrder(
                ["dan", "bea", "cid", "ada"], .sorted(.descending) { $0.mentor.name })
            try await trial.expectOrder(
                ["ada", "bea", "cid", "dan"], .sorted(by: \.works.count, .descending))
            try await trial.expectOrder(
                ["ada", "cid", "bea", "dan"], .sorted(by: \.mentor.name).sorted(by: \.works.count))
            try await trial.expectOrder(["cid", "dan", "bea", "ada"], .sorted(by: \.readers.count))
            try await expect(
                trial.readers.fetch(.sorted(by: \.writers.count)).map(\.id),
                is: ["r5", "r1", "r3", "r4", "r2"])
            for query in [
                Query<Chapter>.sorted(by: \.readings.count), .sorted(by: \.readers.count),
            ] {
                try await expect(trial.chapters.fetch(query).map(\.number), is: [2, 3, 1])
            }
        },
        sorted("reads", "All reads accept an order by related records.") { trial in
            let query = Query<Work>.sorted(by: \.writer.name, .descending)
            let part = query.offset(1).limit(2)
            try await expect(trial.works.fetch(part).map(\.number), is: [4, 6])
            try await expect(trial.works.ids(part).map(\.rawValue), is: [4, 6])
            try await expect(trial.works.count(part), is: 2)
            try await expect(trial.works.fetchOne(query)?.number, is: 3)
            try await expect(trial.works.project(\.year, from: part), is: [1990, 2020])
            try await expect(trial.works.sum(of: \.year, from: part), is: 4010)
            try await expect(trial.works.maximum(of: \.year, from: query), is: 2020)
            try await expect(
                trial.works.group(by: \.year, .count, from: part).map(\.0), is: [1990, 2020])
            let both = query.where { $0.writer.works.count == 4 || $0.grade == -1 }
            try await expect(trial.works.fetch(both).map(\.number), is: [3, 1, 2, 5, 7])
            for query in [part, both] {
                var found: [Work] = []
                for try await work in trial.works.stream(query) { found.append(work) }
                try await expect(found, is: trial.works.fetch(query))
            }
        },
        sorted("pages", "Pages in the order of related records have every record once.") { trial in
            try await trial.expectPages(
                of: .sorted(by: \.mentor.name, .descending), ["dan", "bea", "cid", "ada"])
            try await trial.expectPages(
                of: .sorted(by: \.mentor.name).sorted(by: \.works.count),
                ["ada", "cid", "bea", "dan"])
            try await trial.expectPages(
                of: .sorted(by: \.works.count, .descending), ["ada", "bea", "cid", "dan"])
            let query = Query<Work>.sorted(by: \.writer.name, .descending).limit(3)
            let first = try await trial.works.page(query)
            try await expect(trial.works.count(query.page(after: first.next).limit(9)), is: 4)
            let other = Query<Work>.sorted(by: \.writer.id, .descending).limit(3)
            try await expectError(.invalidQuery) {
                try await trial.works.page(other, after: first.next)
            }
        },
        sorted("writes", "An update selects the first records in the order of related ones.") {
            trial in
            let last = Query<Work>.sorted(by: \.writer.name, .descending).limit(2)
            try await expect(trial.works.updateAll(last, set: { $0.year = 1 }), is: 2)
            try await expect(
                trial.works.fetch(.where { $0.year == 1 }).map(\.number), is: [3, 4])
        },
        sorted("declared", "Declared queries sort by related records.") { trial in
            try await expect(
                trial.writers.byMentor(below: "Y").map(\.id), is: ["dan", "cid", "ada"])
        },
        sorted("scans", "The order of related records is looked up for the records found.") {
            trial in
            let strict = trial.repositories(fullScans: .refuse)
            let served = Query<Work>.where { $0.writerID == "ada" }.sorted(by: \.writer.name)
                .sorted(by: \.writer.works.count).limit(2)
            try await expect(strict.works.fetch(served).map(\.number), is: [1, 2])
            try await expect(strict.works.fetch(.sorted(by: \.writer.name)).count, is: 7)
            let unserved = Query<Work>.sorted(by: \.writer.name).limit(2)
            try await expectError(.fullScanRefused) { try await strict.works.fetch(unserved) }
            try await expect(strict.works.fetch(unserved.allowingFullScan()).count, is: 2)
            let deep = Query<Writer>.sorted(
                by: \.mentor.mentor.mentor.mentor.mentor.mentor.mentor.mentor.mentor.name)
            try await expectError(.invalidQuery) { try await trial.writers.fetch(deep) }
        },
        StoreBehaviour(
            "relatives.sort.observed", "An observed query follows the records that it sorts by.",
            needs: [.records, .listing, .queries, .observation]
        ) { trial in
            try await trial.fillReadings()
            let query = Query<Work>.sorted(by: \.writer.name).limit(3)
            var results = trial.works.observe(query).makeAsyncIterator()
            try await expect(results.next()?.map(\.number), is: [1, 2, 5])
            var ada = try await trial.writers.read("ada")
            ada.name = "ZZ"
            try await trial.writers.update(ada)
            try await expect(results.next()?.map(\.number), is: [3, 4, 6])
        },
    ]

    private static func sorted(
        _ name: String, _ sentence: String, _ check: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "relatives.sort.\(name)", sentence,
            needs: [.records, .listing, .queries, .updates, .references]
        ) { trial in
            try await trial.fillReadings()
            try await check(trial)
        }
    }
}

extension StoreTrial {
    fileprivate func expectOrder(_ ids: [Writer.ID], _ query: Query<Writer>) async throws {
        try await expect(repositories.writers.fetch(query).map(\.id), is: ids)
    }

    /// Reads pages of every size.
    fileprivate func expectPages(of query: Query<Writer>, _ ids: [Writer.ID]) async throws {
        for size in 1...ids.count {
            var found: [Writer.ID] = []
            var cursor: QueryCursor?
            repeat {
                let page = try await repositories.writers.page(query.limit(size), after: cursor)
                found += page.items.map(\.id)
                cursor = page.next.flatMap { QueryCursor($0.description) }
            } while cursor != nil && found.count <= ids.count
            try expect(found, is: ids, "Pages of \(size)")
        }
    }
}
