internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Scans of declared indexes: the records found and their order.
    static let indexes: [StoreBehaviour] = indexScans + indexedQueries + indexUpkeep

    private static let indexScans: [StoreBehaviour] = [
        index("indexes.equal", "A scan finds the records with equal values, in index order.") {
            try await $0.expectScan(IndexScan(2, equal: [.text("news")]))
            try await $0.expectScan(IndexScan(2, equal: [.text("news"), .integer(3)]))
            try await $0.expectScan(IndexScan(0, equal: [.text("nothing")]))
        },
        index("indexes.null", "A scan for null finds the records in which the field is null.") {
            try await $0.expectScan(IndexScan(0, equal: [.null]))
            try await $0.expectScan(IndexScan(3, equal: [.null, .null]))
        },
        index("indexes.whole", "A scan without values returns the whole index, with nulls first.") {
            try await $0.expectScan(IndexScan(0))
            try await $0.expectScan(IndexScan(1))
        },
        index("indexes.descending", "A descending field is sorted from the largest value to null.")
        {
            try await $0.expectScan(IndexScan(3))
            try await $0.expectScan(IndexScan(2))
        },
        index("indexes.reversed", "A reversed scan reverses every field, but not the ids.") {
            for index in 0..<4 {
                try await $0.expectScan(IndexScan(index, isReversed: true))
            }
            try await $0.expectScan(IndexScan(2, equal: [.text("news")], isReversed: true))
        },
        index("indexes.lower", "A lower bound excludes smaller values.") {
            for isIncluded in [true, false] {
                let bound = IndexScan.Bound(.text("t3"), isIncluded: isIncluded)
                try await $0.expectScan(IndexScan(0, lower: bound))
                try await $0.expectScan(IndexScan(0, lower: bound, isReversed: true))
            }
        },
        index("indexes.upper", "An upper bound excludes larger values, but not null.") {
            for isIncluded in [true, false] {
                let bound = IndexScan.Bound(.text("t3"), isIncluded: isIncluded)
                try await $0.expectScan(IndexScan(0, upper: bound))
                try await $0.expectScan(IndexScan(0, upper: bound, isReversed: true))
            }
        },
        index("indexes.notNull", "An excluded lower bound of null excludes records with null.") {
            let bound = IndexScan.Bound(.null, isIncluded: false)
            try await $0.expectScan(IndexScan(0, lower: bound))
            try await $0.expectScan(IndexScan(3, lower: bound))
        },
        index("indexes.descendingRange", "Bounds are independent of a field's direction.") {
            let days = [10, 40].map { StoredValue.date(TrialClock.start + Double($0)) }
            for isIncluded in [true, false] {
                try await $0.expectScan(
                    IndexScan(
                        3, lower: IndexScan.Bound(days[0], isIncluded: isIncluded),
                        upper: IndexScan.Bound(days[1], isIncluded: !isIncluded)))
            }
            try await $0.expectScan(
                IndexScan(
                    2, equal: [.text("news")],
                    lower: IndexScan.Bound(.integer(2), isIncluded: false)))
        },
        index("indexes.emptyRange", "An empty range finds nothing.") {
            try await $0.expectScan(
                IndexScan(
                    0, lower: IndexScan.Bound(.text("t3"), isIncluded: false),
                    upper: IndexScan.Bound(.text("t3"), isIncluded: true)))
            try await $0.expectScan(
                IndexScan(
                    0, lower: IndexScan.Bound(.text("t5"), isIncluded: true),
                    upper: IndexScan.Bound(.text("t1"), isIncluded: true)))
        },
        index("indexes.after", "A scan can start after any position, with or without a record.") {
            for isReversed in [false, true] {
                let places: [[StoredValue]] = [
                    [.text("t3"), .integer(17)], [.null, .integer(-1)],
                    [.text("t25"), .integer(0)],
                ]
                for place in places {
                    try await $0.expectScan(IndexScan(0, isReversed: isReversed, after: place))
                }
                try await $0.expectScan(
                    IndexScan(
                        2, equal: [.text("news")], isReversed: isReversed,
                        after: [.text("news"), .integer(3), .integer(20)]))
            }
        },
        index("indexes.limit", "A limit ends a scan, and pages together give the complete result.")
        { trial in
            for scan in [IndexScan(0), IndexScan(2, isReversed: true), IndexScan(3)] {
                let all = try await trial.found(scan)
                for size in [1, 7, all.count, all.count + 1] {
                    var part = scan
                    var paged: [Article] = []
                    var page: [Article] = []
                    repeat {
                        page = try await trial.store.find(Article.self, part, limit: size)
                        paged += page
                        part.after = try page.last.map { try Self.place($0, in: scan) }
                    } while page.count == size && paged.count <= all.count
                    try expect(
                        paged, is: all, "Pages of size \(size) differ from the complete result.")
                }
            }
        },
    ]

    private static let indexedQueries: [StoreBehaviour] = [
        index("indexes.queries.ranges", "A query for a range does not need a full scan.") { trial in
            let articles = trial.repositories(fullScans: .refuse).articles
            try await expect(
                articles.fetch(.where { $0.title >= "t3" && $0.title < "t5" }),
                is: trial.expected { $0.title == "t3" || $0.title == "t4" })
            let day = TrialClock.start + 40
            try await expect(
                articles.fetch(.where { $0.publishedAt < day }),
                is: trial.expected { $0.publishedAt.map { $0 < day } ?? false })
        },
        index("indexes.queries.prefix", "A query for a prefix does not need a full scan.") {
            trial in
            let articles = trial.repositories(fullScans: .refuse).articles
            try await expect(
                articles.fetch(.where { $0.title.hasPrefix("t") }),
                is: trial.expected { $0.title != nil })
            try await expect(
                articles.count { $0.section.hasPrefix("s") },
                is: trial.expected { $0.section.hasPrefix("s") }.count)
        },
        index("indexes.queries.in", "A query for several values does not need a full scan.") {
            trial in
            let articles = trial.repositories(fullScans: .refuse).articles
            try await expect(
                articles.fetch(.where { $0.title.in(["t4", nil, "t1", "none"]) }),
                is: trial.expected { [nil, "t1", "t4"].contains($0.title) })
            try await expect(
                articles.fetch(.where { $0.stage == .published || $0.title == "t1" }),
                is: trial.expected { $0.stage == .published || $0.title == "t1" })
        },
        index("indexes.queries.order", "A sorted query with a limit does not need a full scan.") {
            trial in
            let articles = trial.repositories(fullScans: .refuse).articles
            let sorted = try await trial.expected { _ in true }
                .sorted { ($0.title ?? "", $0.number) < ($1.title ?? "", $1.number) }
            try await expect(
                articles.fetch(Query.sorted(by: \.title).limit(20)), is: Array(sorted.prefix(20)))
            var codes: [Article] = []
            var cursor: QueryCursor?
            repeat {
                let page = try await articles.page(
                    Query.sorted(by: \.title).limit(9), after: cursor)
                codes += page.items
                cursor = page.next
            } while cursor != nil && codes.count <= sorted.count
            try expect(codes, is: sorted)
        },
        index(
            "indexes.queries.overlap",
            "A record that matches several alternatives is returned once."
        ) {
            trial in
            let articles = trial.repositories(fullScans: .refuse).articles
            let expected = try await trial.expected { $0.stage == .published || $0.title == "t1" }
            try await expect(
                articles.fetch(
                    .where {
                        $0.stage.in([.published]) || ($0.stage == .published && $0.rank >= -1_000)
                            || $0.title == "t1" || $0.title.in(["t1"])
                    }), is: expected)
            try await expect(
                articles.count {
                    $0.title == "t1" || $0.stage == .published || $0.title.hasPrefix("t1")
                },
                is: trial.expected {
                    $0.stage == .published || $0.title?.hasPrefix("t1") == true
                }.count)
        },
        index(
            "indexes.queries.cursor",
            "A cursor may be at a position that does not match the condition."
        ) {
            trial in
            let articles = trial.repositories(fullScans: .refuse).articles
            for direction in [SortDirection.ascending, .descending] {
                let sorted = Query<Article>.sorted(by: \.title, direction)
                for size in [1, 9, 20] {
                    let page = try await articles.page(sorted.limit(size))
                    let rest = try await articles.fetch(sorted.page(after: page.next))
                    for title in ["t1", "t3", "t5", nil] {
                        let query = Query<Article>.where { $0.title == title }
                            .sorted(by: \.title, direction).page(after: page.next)
                        try await expect(
                            articles.fetch(query), is: rest.filter { $0.title == title },
                            "\(title ?? "nil") differs with pages of size \(size).")
                        try await expect(
                            articles.fetch(query.limit(2)),
                            is: Array(rest.filter { $0.title == title }.prefix(2)))
                    }
                }
            }
        },
        index("indexes.queries.refused", "A rejected full scan names the index to declare.") {
            trial in
            let articles = trial.repositories(fullScans: .refuse).articles
            let error = try await expectError(.fullScanRefused, table: "articles") {
                try await articles.fetch(.where { $0.rank > 1 })
            }
            try expect(
                error.description.contains("rank > ?"), "The error lacks the condition: \(error)")
            try expect(
                error.description.contains("fields: [rank]"), "The error lacks the index: \(error)")
            try await expectError(.fullScanRefused) { try await articles.count { $0.rank > 1 } }
            try await expectError(.fullScanRefused) {
                try await articles.fetch(Query.sorted(by: \.rank, .descending).limit(1))
            }
            try await expect(
                articles.count(Query.where { $0.rank > 1 }.allowingFullScan()),
                is: trial.expected { $0.rank > 1 }.count)
        },
    ]

    /// A behaviour of stores with index scans.
    static func index(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [],
        _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(id, sentence, needs: [.records, .queries, .indexScans] + needs) { trial in
            try await trial.fillShelf()
            try await body(trial)
        }
    }

    /// The position of an article in a scan: the values of the indexed fields and the id.
    fileprivate static func place(_ article: Article, in scan: IndexScan) throws -> [StoredValue] {
        let walk = ReferenceScan(scan, Article.Mapper.table)
        return walk.place(of: try StoredValueEncoder.values(of: article, Article.Mapper.self))
    }
}
