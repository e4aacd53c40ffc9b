internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// The maintenance of indexes.
    static let indexUpkeep: [StoreBehaviour] = [
        index("indexes.created", "Indexes contain records created individually and in batches.") {
            try await $0.articles.create(Article(number: 900, section: "news", title: "t3"))
            try await $0.articles.createAll(
                (901..<1300).map { Article(number: .init($0), section: "late", rank: $0 % 7) })
            try await $0.expectAllScans()
        },
        index("indexes.updated", "Indexes reflect updates of each of their fields.") {
            for var article in try await $0.articles.fetch() where article.number.rawValue % 3 == 0
            {
                article.title = article.title == nil ? "t9" : nil
                article.rank = -article.rank
                article.publishedAt = article.publishedAt.map { $0 - 1000 }
                try await $0.articles.update(article)
            }
            try await $0.expectAllScans()
        },
        index("indexes.saved", "Indexes reflect saves of stored records.") {
            try await $0.articles.saveAll(
                (0..<90).map { Article(number: .init($0), section: "saved", title: "t\($0 % 4)") })
            try await $0.expectAllScans()
        },
        index("indexes.deleted", "Indexes reflect deletions, including those of all records.") {
            try await $0.articles.delete(3)
            _ = try await $0.articles.deleteAll(ids: (10..<40).map { .init($0) })
            try await $0.expectAllScans()
            _ = try await $0.articles.deleteAll()
            try await $0.expectAllScans()
            try await $0.articles.create(Article(number: 1, section: "news"))
            try await $0.expectAllScans()
        },
        index("indexes.refused", "A failed batch leaves the indexes unchanged.") {
            trial in
            try await expectError(.recordAlreadyExists) {
                try await trial.articles.createAll([
                    Article(number: 500, section: "news", title: "t1"),
                    Article(number: 1, section: "news"),
                ])
            }
            try await trial.expectAllScans()
        },
        index(
            "indexes.cascades", "Indexes reflect the effects of delete rules.",
            needs: [.references]
        ) { trial in
            try await trial.halls.createAll([Hall(id: "a"), Hall(id: "b")])
            try await trial.links.createAll([
                Link(id: "1", keeperID: "a"), Link(id: "2", keeperID: "b"),
                Link(id: "3", friendID: "a"), Link(id: "4", anchorID: "b"),
            ])
            try await trial.halls.delete("a")
            try await expect(trial.links.ids(), is: ["2", "3", "4"])
            try await expectError(.constraintViolated) { try await trial.halls.delete("b") }
            try await trial.links.delete("4")
            try await trial.halls.delete("b")
            try await expect(trial.links.ids(), is: ["3"])
        },
        index(
            "indexes.rolledBack", "Indexes do not contain changes of a rolled back transaction.",
            needs: [.transactions]
        ) { trial in
            struct Enough: Error {}
            do {
                try await trial.repositories.transaction { set in
                    try await set.articles.create(Article(number: 700, section: "news", title: "t"))
                    try await set.articles.delete(1)
                    try await trial.expectAllScans(set.context.store)
                    throw Enough()
                }
            } catch is Enough {}
            try await trial.expectAllScans()
        },
        index(
            "indexes.committed", "Indexes contain the changes of a committed transaction.",
            needs: [.transactions]
        ) { trial in
            try await trial.repositories.transaction { set in
                for number in 600..<640 {
                    try await set.articles.create(
                        Article(number: .init(number), section: "new", title: "t\(number % 5)"))
                }
                try await set.articles.update(Article(number: 1, section: "moved"))
                try await set.articles.delete(2)
                try await trial.expectAllScans(set.context.store)
            }
            try await trial.expectAllScans()
        },
        index(
            "indexes.reopened", "The indexes of a reopened store are unchanged.",
            needs: [.persistent]
        ) { trial in
            let later = try await trial.reopened()
            try await later.expectAllScans()
            try await later.articles.create(Article(number: 800, section: "news", title: "t2"))
            try await later.expectAllScans()
            // Both store instances write in turn.
            try await trial.articles.create(Article(number: 801, section: "news", title: "t2"))
            try await trial.expectAllScans()
            try await later.expectAllScans()
            try await later.articles.delete(801)
            try await trial.expectAllScans()
        },
        index("indexes.rebuilt", "Rebuilt indexes have the same contents.") { trial in
            try await trial.repositories.rebuildIndexes()
            try await trial.expectAllScans()
            try await trial.articles.create(Article(number: 850, section: "news", title: "t2"))
            try await trial.expectAllScans()
        },
        StoreBehaviour(
            "indexes.damaged",
            "Indexes contain the readable records, and repaired ones afterwards.",
            needs: [.records, .queries, .indexScans, .persistent], needsDamage: true
        ) { trial in
            try await trial.notes.createAll(
                (0..<9).map { Note(id: .init("n\($0)"), text: "", rank: -$0) })
            try await trial.damage(Note.self, "n7")
            let later = try await trial.reopened()
            try await later.repositories.rebuildIndexes()
            func found() async throws -> [Note.ID] {
                try await later.store.find(Note.self, IndexScan(0), limit: .max).map(\.id)
            }
            if later.store.capabilities[.indexScans] == .native {
                // An index of the database still contains it.
                try await expectError(.invalidRecord) { _ = try await found() }
            } else {
                try await expect(found(), is: [8, 6, 5, 4, 3, 2, 1, 0].map { Note.ID("n\($0)") })
            }
            try await later.notes.save(Note(id: "n7", text: "", rank: 1))
            try await expect(found().last, is: "n7")
            try await later.notes.delete("n7")
            try await expect(found().last, is: "n0")
        },
    ]
}

extension StoreTrial {
    /// Sixty articles, so that every index has nulls, equal values and gaps.
    func fillShelf() async throws {
        try await repositories.articles.createAll(
            (0..<60).map { number in
                Article(
                    number: .init(number), section: ["news", "sport", "s"][number % 3],
                    title: number % 7 == 0 ? nil : "t\(number * 5 % 6)",
                    stage: [.draft, .inReview, .published, .draft][number % 4], rank: number % 5,
                    publishedAt: number % 4 == 0
                        ? nil : TrialClock.start + Double(number * 7 % 50))
            })
    }

    /// The expected result of a scan, by ``ReferenceScan``.
    func found(_ scan: IndexScan, in store: (any EntityStore)? = nil) async throws -> [Article] {
        let walk = ReferenceScan(scan, Article.Mapper.table)
        return try await all(in: store)
            .filter { walk.contains($0.row) }
            .sorted { walk.precedes(walk.place(of: $0.row), walk.place(of: $1.row)) }
            .map(\.article)
    }

    private func all(
        in store: (any EntityStore)?
    ) async throws -> [(article: Article, row: [StoredValue])] {
        try await (store ?? self.store).page(Article.self, after: nil, limit: .max)
            .map { ($0, try StoredValueEncoder.values(of: $0, Article.Mapper.self)) }
    }

    /// The articles that satisfy a predicate, in id order.
    func expected(_ condition: (Article) -> Bool) async throws -> [Article] {
        try await all(in: nil).map(\.article).filter(condition)
    }

    /// Throws unless the store returns the expected records of a scan, with and without a limit.
    func expectScan(_ scan: IndexScan, in store: (any EntityStore)? = nil) async throws {
        if store == nil { try await repositories.open() }
        let expected = try await found(scan, in: store)
        for limit in [Int.max, 3] {
            let found = try await (store ?? self.store).find(Article.self, scan, limit: limit)
            try expect(
                found, is: Array(expected.prefix(limit)), "The scan \(scan) differs.")
        }
    }

    /// Throws unless every index contains every article, in both directions.
    func expectAllScans(_ store: (any EntityStore)? = nil) async throws {
        for index in Article.Mapper.table.indexes.indices {
            for isReversed in [false, true] {
                try await expectScan(IndexScan(index, isReversed: isReversed), in: store)
            }
        }
        for number in [1, 3] {
            try await expectScan(IndexScan(0, equal: [.text("t\(number)")]), in: store)
        }
        try await expectScan(IndexScan(2, equal: [.text("news")]), in: store)
    }
}
