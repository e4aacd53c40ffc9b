internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Finders, which use declared indexes.
    static let finders: [StoreBehaviour] = [
        finder("finders.text", "A finder returns the records with a string, in id order.") {
            trial in
            try await trial.fillArticles()
            try await expect(trial.articles.findAll(title: "one").map(\.id), is: [1, 3])
            try await expect(trial.articles.findAll(title: "two").map(\.id), is: [2])
        },
        finder("finders.none", "A finder returns an empty list if no record matches.") { trial in
            try await expect(trial.articles.findAll(title: "one"), is: [])
            try await trial.fillArticles()
            try await expect(trial.articles.findAll(title: "On"), is: [])
            try await expect(trial.articles.findAll(title: "one "), is: [])
            try await expect(trial.articles.findAll(title: ""), is: [])
        },
        finder("finders.enum", "A finder compares enums by their raw values.") { trial in
            try await trial.fillArticles()
            try await expect(trial.articles.findAll(stage: .inReview).map(\.id), is: [2, 4])
            try await expect(trial.articles.findAll(stage: .draft).map(\.id), is: [1, 3])
        },
        finder("finders.integer", "A finder compares integers by value.") { trial in
            for rank in [1, -1, 10, Int.max, 1] {
                let id = "\(rank)-\(try await trial.notes.count())"
                try await trial.notes.create(Note(id: .init(id), text: "", rank: rank))
            }
            try await expect(trial.notes.findAll(rank: 1).map(\.id), is: ["1-0", "1-4"])
            try await expect(trial.notes.findAll(rank: -1).map(\.id), is: ["-1-1"])
            try await expect(
                trial.notes.findAll(rank: .max).map(\.id.rawValue), is: ["\(Int.max)-3"])
        },
        finder("finders.whole", "A finder returns complete records.") { trial in
            try await trial.fillArticles()
            try await expect(
                trial.articles.findAll(title: "one"),
                is: [trial.articles.read(1), trial.articles.read(3)])
        },
        finder("finders.null", "A finder for null returns the records in which the field is null.")
        { trial in
            try await trial.fillArticles()
            try await expect(trial.find(0, .null), is: [4])
        },
        finder(
            "finders.descending",
            "The remaining fields of the index, also descending ones, set the order."
        ) {
            trial in
            try await trial.fillArticles()
            try await expect(trial.articles.findAll(section: "news").map(\.id), is: [3, 1, 2])
        },
        finder("finders.ties", "Records with equal index values are sorted by id.") { trial in
            for number in [5, 3, 9, 1] {
                try await trial.articles.create(
                    Article(number: .init(number), section: "news", rank: number == 9 ? 1 : 0))
            }
            try await expect(trial.articles.findAll(section: "news").map(\.id), is: [9, 1, 3, 5])
        },
        finder("finders.nullsAscending", "Null precedes all values in an ascending index.") {
            trial in
            let day = TrialClock.start
            for (number, title) in [(1, "b"), (2, nil), (3, "a"), (4, nil)] {
                try await trial.articles.create(
                    Article(number: .init(number), section: "", title: title, publishedAt: day))
            }
            try await expect(trial.find(3, .date(day)), is: [2, 4, 3, 1])
        },
        finder(
            "finders.allFields", "Values for all fields of an index restrict the result further."
        ) {
            trial in
            try await trial.fillArticles()
            try await expect(trial.find(2, .text("news"), .integer(5)), is: [1])
            try await expect(trial.find(2, .text("news"), .integer(6)), is: [])
        },
        finder("finders.dates", "A finder compares dates by value.") { trial in
            try await trial.fillArticles()
            try await expect(
                trial.articles.findAll(publishedAt: TrialClock.start).map(\.id), is: [2])
            try await expect(
                trial.articles.findAll(publishedAt: TrialClock.start + 60).map(\.id), is: [1])
            try await expect(trial.find(3, .null), is: [4, 3])
        },
        finder("finders.update", "A finder reflects updates.") { trial in
            try await trial.fillArticles()
            var article = try await trial.articles.read(1)
            article.title = "two"
            article.section = "sport"
            try await trial.articles.update(article)
            try await expect(trial.articles.findAll(title: "one").map(\.id), is: [3])
            try await expect(trial.articles.findAll(title: "two").map(\.id), is: [1, 2])
            try await expect(trial.articles.findAll(section: "sport").map(\.id), is: [1, 4])
        },
        finder("finders.save", "A finder reflects saves of stored records.") { trial in
            try await trial.fillArticles()
            try await trial.articles.save(Article(number: 1, section: "sport", title: nil))
            try await expect(trial.articles.findAll(title: "one").map(\.id), is: [3])
            try await expect(trial.find(0, .null), is: [1, 4])
        },
        finder("finders.delete", "A finder does not return deleted records.") { trial in
            try await trial.fillArticles()
            try await trial.articles.delete(1)
            try await expect(trial.articles.findAll(title: "one").map(\.id), is: [3])
            try await trial.articles.delete(3)
            try await expect(trial.articles.findAll(title: "one"), is: [])
        },
        finder("finders.bytes", "Strings are compared by their bytes, with case and Unicode form.")
        {
            trial in
            let titles = ["Caf\u{E9}", "Cafe\u{301}", "caf\u{E9}"]
            for (number, title) in titles.enumerated() {
                try await trial.articles.create(
                    Article(number: .init(number), section: "", title: title))
            }
            for (number, title) in titles.enumerated() {
                try await expect(
                    trial.articles.findAll(title: title).map(\.id.rawValue), is: [number])
            }
        },
        finder(
            "finders.hostile",
            "Quotes, separators and wildcards in a string have no special meaning."
        ) {
            trial in
            let titles = ["a'b", "a\"b", "a%", "a_", "a/b", "a,b", "a;--", "*", "a\\", "%61", ""]
            for (number, title) in titles.enumerated() {
                try await trial.articles.create(
                    Article(number: .init(number), section: title + title, title: title))
            }
            for (number, title) in titles.enumerated() {
                try await expect(
                    trial.articles.findAll(title: title).map(\.id.rawValue), is: [number])
                try await expect(
                    trial.articles.findAll(section: title + title).map(\.id.rawValue),
                    is: [number])
            }
        },
        finder(
            "finders.persistent", "The finders of a reopened store return the stored records.",
            needs: [.persistent]
        ) { trial in
            try await trial.fillArticles()
            let later = try await trial.reopened()
            try await expect(later.articles.findAll(title: "one").map(\.id), is: [1, 3])
            try await expect(later.articles.findAll(section: "news").map(\.id), is: [3, 1, 2])
        },
        StoreBehaviour(
            "finders.refused", "A store without finders throws `unsupported`.", lacks: [.finders]
        ) { trial in
            try await trial.notes.create(Note(id: "a", text: "", rank: 1))
            try await expectError(.unsupported) { try await trial.notes.findAll(rank: 1) }
        },
    ]

    /// A behaviour of stores with finders.
    private static func finder(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .listing, .finders] + needs, fileID: fileID, line: line,
            body)
    }
}

extension StoreTrial {
    /// Four articles. `1` and `3` have the same title, `2` and `4` the same stage, and `1`, `2` and
    /// `3` the same section.
    fileprivate func fillArticles() async throws {
        let day = TrialClock.start
        let articles = [
            Article(number: 4, section: "sport", stage: .inReview),
            Article(number: 3, section: "news", title: "one", rank: 9),
            Article(number: 2, section: "news", title: "two", stage: .inReview, publishedAt: day),
            Article(number: 1, section: "news", title: "one", rank: 5, publishedAt: day + 60),
        ]
        for article in articles { try await repositories.articles.create(article) }
    }

    /// The numbers of the articles that the store itself finds by an index.
    fileprivate func find(_ index: Int, _ values: StoredValue...) async throws -> [Int] {
        try await repositories.open()
        return try await store.find(
            Article.self, IndexScan(index, equal: values), limit: .max
        )
        .map(\.id.rawValue)
    }
}
