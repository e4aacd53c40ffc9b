internal import RepositoryRuntime

extension StoreBehaviour {
    /// Sort orders with several keys, limits and offsets.
    static let queryOrder: [StoreBehaviour] = [
        query("order.ids", "The default order is that of the ids.") { trial in
            for id in ["b", "a", "B", "\u{E9}", "10", "9", "e\u{301}"] {
                try await trial.sparses.create(Sparse(id: .init(id), int: 1))
            }
            try await expect(
                trial.sparses.ids(.where { $0.int == 1 }).map(\.rawValue),
                is: ["10", "9", "B", "a", "b", "e\u{301}", "\u{E9}"])
        },
        query("order.numbers", "Integer ids are sorted by value.") { trial in
            for number in [10, 9, -1, 100, 0] {
                try await trial.counters.create(Counter(number: .init(number), label: "x"))
            }
            try await expect(
                trial.counters.ids(.where { $0.label == "x" }), is: [-1, 0, 9, 10, 100])
            try await expect(
                trial.counters.ids(.sorted(by: \.number, .descending)), is: [100, 10, 9, 0, -1])
        },
        query("order.ties", "Records with equal values are sorted by id, in both directions.") {
            trial in
            try await trial.store([1, 0, 1, 0, 1]) { $0.int = $1 }
            try await trial.expectOrder([1, 3, 0, 2, 4], .sorted(by: \.int))
            try await trial.expectOrder([0, 2, 4, 1, 3], .sorted(by: \.int, .descending))
        },
        query("order.keys", "A later sort key orders records with equal earlier ones.") { trial in
            try await trial.store([(1, "b"), (0, "a"), (1, "a"), (0, "b"), (1, "a")]) {
                $0.int = $1.0
                $0.string = $1.1
            }
            try await trial.expectOrder([1, 3, 2, 4, 0], .sorted(by: \.int).sorted(by: \.string))
            try await trial.expectOrder([1, 2, 4, 3, 0], .sorted(by: \.string).sorted(by: \.int))
        },
        query("order.directions", "Each sort key has its own direction.") { trial in
            try await trial.store([(1, "b"), (0, "a"), (1, "a"), (0, "b"), (1, "a")]) {
                $0.int = $1.0
                $0.string = $1.1
            }
            try await trial.expectOrder(
                [2, 4, 0, 1, 3], .sorted(by: \.int, .descending).sorted(by: \.string))
            try await trial.expectOrder(
                [3, 1, 0, 2, 4], .sorted(by: \.int).sorted(by: \.string, .descending))
        },
        query("order.nulls", "Null comes first in ascending and last in descending order.") {
            trial in
            try await trial.store([(1, "a"), (nil, "a"), (1, nil), (nil, nil), (0, "a")]) {
                $0.int = $1.0
                $0.string = $1.1
            }
            try await trial.expectOrder([3, 1, 4, 2, 0], .sorted(by: \.int).sorted(by: \.string))
            try await trial.expectOrder(
                [0, 2, 4, 1, 3],
                .sorted(by: \.int, .descending).sorted(by: \.string, .descending))
            try await trial.expectOrder(
                [1, 3, 4, 0, 2], .sorted(by: \.int).sorted(by: \.string, .descending))
        },
        query("order.byID", "The id can be a sort key, also descending and among others.") {
            trial in
            try await trial.store([1, 0, 1, 0]) { $0.int = $1 }
            try await trial.expectOrder([3, 2, 1, 0], .sorted(by: \.id, .descending))
            try await trial.expectOrder(
                [3, 1, 2, 0], .sorted(by: \.int).sorted(by: \.id, .descending))
            try await trial.expectOrder([0, 1, 2, 3], .sorted(by: \.id).sorted(by: \.int))
        },
        query("order.repeated", "A repeated sort key has no effect.") { trial in
            try await trial.store([2, 1, 2, nil]) { $0.int = $1 }
            try await trial.expectOrder(
                [3, 1, 0, 2], .sorted(by: \.int).sorted(by: \.int, .descending))
        },
        query("order.condition", "A result found by an index is sorted.", needs: [.finders]) {
            trial in
            for (number, rank) in [(1, 5), (2, 9), (3, 5), (4, 1)] {
                try await trial.articles.create(
                    Article(number: .init(number), section: "news", title: "t", rank: rank))
            }
            try await expect(
                trial.articles.ids(
                    .where { $0.title == "t" && $0.rank > 1 }.sorted(by: \.rank, .descending)),
                is: [2, 1, 3])
            try await expect(
                trial.articles.ids(.where { $0.section == "news" }.sorted(by: \.rank)),
                is: [4, 1, 3, 2])
            try await expect(
                trial.articles.ids(
                    .where { $0.section == "news" }.sorted(by: \.rank, .descending).limit(2)),
                is: [2, 1])
        },
    ]

    /// Limits and offsets of queries.
    static let queryLimits: [StoreBehaviour] = [
        query("limit.first", "A limit applies after the condition and the order.") { trial in
            try await trial.store([5, 1, 4, 2, 3]) { $0.int = $1 }
            try await trial.expectOrder([1, 3], .sorted(by: \.int).limit(2))
            try await trial.expectOrder([0, 2], .sorted(by: \.int, .descending).limit(2))
            try await trial.expectOrder([4, 2], .where { $0.int > 2 }.sorted(by: \.int).limit(2))
        },
        query("limit.zero", "A limit of 0 gives an empty result.") { trial in
            try await trial.store([1, 2]) { $0.int = $1 }
            try await trial.expectOrder([], .limit(0))
            try await trial.expectOrder([], .where { $0.int > 0 }.sorted(by: \.int).limit(0))
            try await expect(trial.sparses.count(.limit(0)), is: 0)
            try await expect(trial.sparses.fetchOne(.limit(0)), is: nil)
        },
        query("limit.large", "A limit larger than the result has no effect.") { trial in
            try await trial.store([1, 2]) { $0.int = $1 }
            try await trial.expectOrder([0, 1], .limit(3))
            try await trial.expectOrder([0, 1], .limit(.max).offset(0))
            try await trial.expectOrder([1], .limit(.max).offset(1))
        },
        query("offset.rest", "An offset skips the first records in the order of the query.") {
            trial in
            try await trial.store([5, 1, 4, 2, 3]) { $0.int = $1 }
            try await trial.expectOrder([4, 2, 0], .sorted(by: \.int).offset(2))
            try await trial.expectOrder([2, 0], .where { $0.int > 2 }.sorted(by: \.int).offset(1))
            try await trial.expectOrder([2, 3, 4], .all.offset(2))
        },
        query("offset.limit", "A limit applies after the offset.") { trial in
            try await trial.store([5, 1, 4, 2, 3]) { $0.int = $1 }
            try await trial.expectOrder([3, 4], .sorted(by: \.int).limit(2).offset(1))
            try await trial.expectOrder([0], .sorted(by: \.int).offset(4).limit(2))
            try await expect(trial.sparses.count(.all.offset(4).limit(2)), is: 1)
            try await expect(
                trial.sparses.count(Query<Sparse>.where { $0.int > 1 }.offset(1).limit(2)), is: 2)
        },
        query("offset.beyond", "An offset beyond the result gives an empty result.") { trial in
            try await trial.store([1, 2]) { $0.int = $1 }
            try await trial.expectOrder([], .all.offset(2))
            try await trial.expectOrder([], .sorted(by: \.int).offset(.max))
            try await expect(trial.sparses.count(.all.offset(3)), is: 0)
        },
        query("limit.one", "`fetchOne` returns the first record of the result.") { trial in
            try await trial.store([2, 1, 2]) { $0.int = $1 }
            try await expect(
                trial.sparses.fetchOne(.sorted(by: \.int, .descending))?.id, is: "00")
            try await expect(
                trial.sparses.fetchOne(.sorted(by: \.int, .descending).offset(1))?.id, is: "02")
            try await expect(trial.sparses.fetchOne(.where { $0.int > 2 }), is: nil)
        },
        query("limit.whole", "A query returns complete records.") { trial in
            let full = try Samples.sparse()
            try await trial.store([full, Sparse(id: "none")], in: trial.sparses)
            try await expect(
                trial.sparses.fetch(.where { $0.int != nil }), is: [trial.sparses.read("full")])
            try await expect(
                trial.sparses.fetch(.sorted(by: \.int)),
                is: [Sparse(id: "none"), trial.sparses.read("full")])
        },
        query("changes.seen", "A query sees previous updates, saves and deletes.") {
            trial in
            try await trial.store([1, 2, 3]) { $0.int = $1 }
            try await trial.expectMatches([1, 2]) { $0.int > 1 }
            try await trial.sparses.update(Sparse(id: "01", int: 0))
            try await trial.expectMatches([2]) { $0.int > 1 }
            try await trial.sparses.save(Sparse(id: "00", int: 9))
            try await trial.expectMatches([0, 2]) { $0.int > 1 }
            try await trial.sparses.delete("02")
            try await trial.expectMatches([0]) { $0.int > 1 }
        },
        query(
            "changes.reopened", "The results of a reopened store are unchanged.",
            needs: [.persistent]
        ) {
            trial in
            try await trial.store([3, 1, nil]) { $0.int = $1 }
            let later = try await trial.reopened()
            try await later.expectOrder([2, 1, 0], .sorted(by: \.int))
            try await later.expectMatches([0]) { $0.int > 1 }
        },
        query("empty", "A query of an empty table gives an empty result.") { trial in
            try await trial.expectMatches([]) { $0.int != 1 }
            try await trial.expectOrder([], .sorted(by: \.int, .descending).limit(3))
            try await expect(trial.sparses.maximum(of: \.int), is: nil)
            try await expect(trial.sparses.page(.all).next, is: nil)
        },
    ]
}
