internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Scans and queries of ids, which serve as an index over the components does.
    static let idScans: [StoreBehaviour] = [
        byID(
            "equal", "A scan of ids finds those that begin with given components.", body: equalCheck
        ),
        byID(
            "range", "A scan of ids keeps to bounds of the next component, each way.",
            body: rangeCheck),
        byID(
            "after", "A scan of ids goes on behind any place, also one without a record.",
            body: afterCheck),
        byID(
            "queries", "A query for the first components of an id needs no full scan.",
            body: queriesCheck),
        byID(
            "order", "The last ids, and pages of the ids, need no full scan.", body: orderCheck),
        byID(
            "transaction", "Inside a transaction a scan of ids finds what that has changed.",
            needs: [.transactions], body: transactionCheck),
        byID(
            "reads", "No more is read than begins with the components.", body: readsCheck),
    ]

    private typealias Bounds = (lower: IndexScan.Bound?, upper: IndexScan.Bound?)

    private static func equalCheck(_ trial: StoreTrial) async throws {
        for seat in [[.text("b")], [.text("b"), .integer(2)], [.text("")]] as [[StoredValue]] {
            try await trial.expectIDScan(Seat.self, IndexScan(IndexScan.ids, equal: seat))
        }
        for part in ["a", "a,", "a%", "none"] {
            try await trial.expectIDScan(
                Chapter.self, IndexScan(IndexScan.ids, equal: [.text(part)]))
        }
    }

    private static func rangeCheck(_ trial: StoreTrial) async throws {
        for isIncluded in [false, true] {
            let two = IndexScan.Bound(.integer(2), isIncluded: isIncluded)
            let b = IndexScan.Bound(.text("b"), isIncluded: isIncluded)
            for isReversed in [false, true] {
                for bounds in [(two, nil), (nil, two), (two, two)] as [Bounds] {
                    let scan = IndexScan(
                        IndexScan.ids, equal: [.text("a")], lower: bounds.0,
                        upper: bounds.1, isReversed: isReversed)
                    try await trial.expectIDScan(Seat.self, scan)
                    try await trial.expectIDScan(Chapter.self, scan)
                }
                for bounds in [(b, nil), (nil, b)] as [Bounds] {
                    let scan = IndexScan(
                        IndexScan.ids, lower: bounds.0, upper: bounds.1,
                        isReversed: isReversed)
                    try await trial.expectIDScan(Seat.self, scan)
                    try await trial.expectIDScan(Chapter.self, scan)
                }
            }
        }
    }

    private static func afterCheck(_ trial: StoreTrial) async throws {
        for number in [-1, 2, 4] as [Int64] {
            let place: [StoredValue] = [.text("a"), .integer(number)]
            for isReversed in [false, true] {
                for equal in [[], [.text("a")]] as [[StoredValue]] {
                    try await trial.expectIDScan(
                        Chapter.self,
                        IndexScan(
                            IndexScan.ids, equal: equal, isReversed: isReversed,
                            after: place + place))
                    let seat = place + [.text("x")]
                    try await trial.expectIDScan(
                        Seat.self,
                        IndexScan(
                            IndexScan.ids, equal: equal, isReversed: isReversed,
                            after: seat + seat))
                }
            }
        }
    }

    private static func queriesCheck(_ trial: StoreTrial) async throws {
        let strict = trial.repositories(fullScans: .refuse)
        let seats = try await trial.seats.fetch()
        let chapters = try await trial.chapters.fetch()
        try await expect(
            strict.seats.fetch(.where { $0.hallID == "b" }),
            is: seats.filter { $0.hallID == "b" })
        try await expect(
            strict.seats.findAll(hallID: "b"), is: seats.filter { $0.hallID == "b" })
        try await expect(
            strict.seats.fetch(.where { $0.hallID == "b" && $0.row > 1 && $0.letter == "x" }),
            is: seats.filter { $0.hallID == "b" && $0.row > 1 && $0.letter == "x" })
        try await expect(
            strict.seats.fetch(
                .where { $0.hallID.in(["a", "c", "none"]) && $0.row.in([1, 3]) }),
            is: seats.filter { $0.hallID != "b" && $0.row != 2 })
        try await expect(
            strict.seats.fetch(.where { $0.hallID == "a" }.sorted(by: \.row, .descending)),
            is: seats.filter { $0.hallID == "a" }
                .sorted { ($1.row, $0.letter) < ($0.row, $1.letter) })
        try await expect(
            strict.chapters.fetch(.where { $0.part.hasPrefix("a") && $0.number >= 2 }),
            is: chapters.filter { $0.part.hasPrefix("a") && $0.number >= 2 })
        try await expect(strict.chapters.count { $0.part == "a" }, is: 4)
        try await expect(
            strict.chapters.fetch(.where { $0.part == "a" || $0.part == "b" }),
            is: chapters.filter { $0.part == "a" || $0.part == "b" })
    }

    private static func orderCheck(_ trial: StoreTrial) async throws {
        let strict = trial.repositories(fullScans: .refuse)
        let chapters = try await trial.chapters.fetch()
        let query = Query<Chapter>.sorted(by: \.part, .descending)
            .sorted(by: \.number, .descending)
        try await expect(
            strict.chapters.fetch(query.limit(3)), is: Array(chapters.reversed().prefix(3)))
        for asked in [query, Query<Chapter>.where { $0.part.in(["a", "a,"]) }] {
            var found: [Chapter] = []
            var cursor: QueryCursor?
            repeat {
                let page = try await strict.chapters.page(asked.limit(2), after: cursor)
                found += page.items
                cursor = page.next
            } while cursor != nil && found.count <= chapters.count
            try await expect(found, is: strict.chapters.fetch(asked))
        }
    }

    private static func transactionCheck(_ trial: StoreTrial) async throws {
        try await trial.repositories.transaction { set in
            try await set.seats.delete(Seat.ID(hallID: "b", row: 2, letter: "x"))
            try await set.seats.create(Seat(hallID: "b", row: 2, letter: "w"))
            try await set.seats.update(Seat(hallID: "b", row: 1, letter: "x", price: 7))
            try await set.chapters.delete(Chapter.ID(part: "a", number: 2))
            try await set.chapters.create(Chapter(part: "a", number: 5))
            for isReversed in [false, true] {
                try await trial.expectIDScan(
                    Seat.self,
                    IndexScan(IndexScan.ids, equal: [.text("b")], isReversed: isReversed),
                    in: set.context.store)
                try await trial.expectIDScan(
                    Chapter.self,
                    IndexScan(
                        IndexScan.ids, equal: [.text("a")],
                        lower: IndexScan.Bound(.integer(1), isIncluded: false),
                        isReversed: isReversed),
                    in: set.context.store)
            }
        }
        try await expect(
            trial.chapters.fetch(.where { $0.part == "a" }).map(\.number), is: [1, 3, 4, 5])
    }

    private static func readsCheck(_ trial: StoreTrial) async throws {
        let counter = PageCounter(trial.store)
        let chapters = ChapterRepository(trial.context(over: counter))
        try await expect(chapters.fetch(.where { $0.part == "a" }).count, is: 4)
        try expect(counter.total, is: 4, "\(counter.total) records were read for 4.")
    }

    private static func byID(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [],
        fileID: String = #fileID, line: Int = #line, body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "ids.scans." + id, sentence, needs: [.records, .queries, .idScans] + needs,
            fileID: fileID, line: line
        ) { trial in
            try await trial.repositories.halls.createAll(
                ["a", "b", "c"].map { Hall(id: .init($0)) })
            try await trial.seats.createAll(
                ["a", "b", "c"].flatMap { hall in
                    [3, 1, 2].flatMap { row in
                        ["y", "x"].map { Seat(hallID: .init(hall), row: row, letter: $0) }
                    }
                })
            try await trial.chapters.createAll(
                ["a,", "b", "a", "a%", "A"].flatMap { part in
                    [4, 2, 1, 3].map { Chapter(part: part, number: $0) }
                })
            try await body(trial)
        }
    }
}

extension StoreTrial {
    /// Throws unless the store finds what a scan of ids says, all of it and the first of it.
    fileprivate func expectIDScan<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, in store: (any EntityStore)? = nil
    ) async throws {
        let store = store ?? self.store
        let walk = ReferenceScan(scan, E.Mapper.table)
        let rows = try await store.page(type, after: nil, limit: .max)
            .map { (entity: $0, row: try StoredValueEncoder.values(of: $0, E.Mapper.self)) }
        let expected = rows.filter { walk.contains($0.row) }
            .sorted { walk.precedes(walk.place(of: $0.row), walk.place(of: $1.row)) }
            .map(\.entity)
        for limit in [Int.max, 3, 1] {
            let found = try await store.find(type, scan, limit: limit)
            try expect(found, is: Array(expected.prefix(limit)), "The scan \(scan) differs.")
        }
    }
}
