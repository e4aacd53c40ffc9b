internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Queries declared in a schema.
    static let declaredQueries: [StoreBehaviour] = [
        query("declared.sorted", "A declared query has the declared condition, order and limit.") {
            trial in
            try await trial.fillArticles()
            let found = try await trial.articles.ranked(section: "news", least: 1)
            try expect(found.map(\.id), is: [3, 6, 1])
            try await expect(
                trial.articles.ranked(section: "news", least: 9).map(\.id), is: [3, 6])
            try await expect(trial.articles.ranked(section: "none", least: 0), is: [])
            try await trial.expectSame(
                found,
                .where { $0.section == "news" && $0.rank >= 1 }
                    .sorted(by: \.rank, .descending).sorted(by: \.title).limit(3))
        },
        query("declared.lists", "A list parameter matches any of its values.") { trial in
            try await trial.fillArticles()
            let articles = trial.articles
            try await expect(articles.inStages(stages: [.published]).map(\.id), is: [4, 6])
            try await expect(articles.inStages(stages: []).map(\.id), is: [4])
            try await expect(
                articles.inStages(stages: [.inReview, .draft]).map(\.id), is: [3, 4, 5, 2, 1])
        },
        query(
            "declared.text", "A parameter can be searched for in strings, of which null has none."
        ) {
            trial in
            try await trial.fillArticles()
            try await expect(trial.articles.about(part: "o").map(\.id), is: [2])
            try await expect(trial.articles.about(part: "").map(\.id), is: [2, 6])
            try await expect(trial.articles.about(part: "O"), is: [])
        },
        query("declared.range", "A comparison has the same result with its operands exchanged.") {
            trial in
            try await trial.fillArticles()
            let day = TrialClock.start
            let articles = trial.articles
            try await expect(
                articles.published(from: day, until: day + 60).map(\.id), is: [2])
            try await expect(
                articles.published(from: day, until: day + 61).map(\.id), is: [1, 2])
            try await expect(
                articles.published(from: day, until: day + 61),
                is: articles.fetch(
                    .where { $0.publishedAt.in(day..<(day + 61)) }
                        .sorted(by: \.publishedAt, .descending)))
        },
        query(
            "declared.negation", "A negated comparison matches null, a negated null test does not."
        ) {
            trial in
            try await trial.fillArticles()
            try await expect(trial.articles.unranked().map(\.id), is: [2])
        },
        query("declared.all", "A declared query without a condition selects all records.") {
            trial in
            try await expect(trial.articles.byRank(), is: [])
            try await trial.fillArticles()
            try await expect(trial.articles.byRank().map(\.id), is: [3, 6, 1, 5, 2, 4])
        },
        query("declared.ids", "Conditions on ids can be combined with other alternatives.") {
            trial in
            try await trial.fillArticles()
            try await expect(trial.articles.these(numbers: [1, 2, 3, 7]).map(\.id), is: [1, 2, 3])
            try await expect(trial.articles.these(numbers: [5, 6]).map(\.id), is: [5, 6])
            try await expect(trial.articles.these(numbers: []), is: [])
        },
        query(
            "declared.composite", "Composite ids, their components and references can be compared."
        ) {
            trial in
            let set = trial.repositories
            try await set.halls.create(Hall(id: "h"))
            for row in 1...3 {
                try await set.seats.create(
                    Seat(hallID: "h", row: row, letter: "a", price: Decimal(row) * 5))
            }
            try await expect(set.seats.inRows(hall: "h", rows: [1, 2, 3]).map(\.row), is: [1, 2])
            try await expect(set.seats.inRows(hall: "i", rows: [1]), is: [])
            let seat = Seat.ID(hallID: "h", row: 2, letter: "a")
            try await expect(set.seats.except(seat: seat).map(\.row), is: [1, 3])
            try await set.bookings.create(Booking(id: "b", seatID: seat))
            try await expect(set.bookings.of(seat: seat).map(\.id), is: ["b"])
            try await expect(
                set.bookings.of(seat: Seat.ID(hallID: "h", row: 1, letter: "a")), is: [])
        },
    ]
}

extension StoreTrial {
    /// Six articles in all stages. The fourth has no title.
    fileprivate func fillArticles() async throws {
        let day = TrialClock.start
        try await store(
            [
                Article(number: 1, section: "news", title: "one", rank: 5, publishedAt: day + 60),
                Article(
                    number: 2, section: "news", title: "two", stage: .inReview, publishedAt: day),
                Article(number: 3, section: "news", title: "one", rank: 9),
                Article(number: 4, section: "sport", stage: .published),
                Article(number: 5, section: "news", title: "three", rank: 5),
                Article(
                    number: 6, section: "news", title: "six", stage: .published, rank: 9,
                    publishedAt: day + 120),
            ], in: repositories.articles)
    }

    /// Throws unless a query returns the same articles in the same order.
    fileprivate func expectSame(_ articles: [Article], _ query: Query<Article>) async throws {
        try await expect(self.articles.fetch(query), is: articles)
    }
}
