import Foundation
import Testing

@testable import RepositoryRuntime

/// Which scans of which index a query becomes, and how many records these read.
@Suite struct IndexPlanTests {
    private let store = CountingStore()
    private let repository: VolumeRepository

    init() async throws {
        repository = VolumeRepository(over: store)
        try await repository.createAll(
            (0..<1000).map { index in
                var volume = Volume(code: Volume.ID(String(format: "v%03d", index)))
                volume.pages = index
                volume.state = index < 10 ? .lent : .new
                volume.grade = index % 100 == 0 ? .good : index % 10 == 0 ? .fair : nil
                volume.isOpen = index < 600
                volume.subtitle = index % 5 == 0 ? nil : "s\(index % 50)"
                volume.due = index < 300 ? nil : Date(timeIntervalSinceReferenceDate: Double(index))
                volume.price = Decimal(index % 7)
                return volume
            })
    }

    private func expect(
        _ query: Query<Volume>, finds count: Int, reading reads: Int, sorts: Bool = false,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        _ = store.takeReads()
        #expect(try await repository.fetch(query).count == count, sourceLocation: location)
        #expect(store.takeReads() == reads, sourceLocation: location)
        #expect(store.plan(query).sortsInRuntime == sorts, sourceLocation: location)
    }

    private func date(_ index: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(index)) }

    @Test func findsRanges() async throws {
        let late = date(990)
        try await expect(.where { $0.due >= late }, finds: 10, reading: 10, sorts: true)
        try await expect(.where { $0.due > late }, finds: 9, reading: 9, sorts: true)
        let early = date(303)
        // Null is no date before another one.
        try await expect(.where { $0.due < early }, finds: 3, reading: 3, sorts: true)
        try await expect(.where { $0.due <= early }, finds: 4, reading: 4, sorts: true)
        let (from, to) = (date(400), date(404))
        try await expect(.where { $0.due.in(from...to) }, finds: 5, reading: 5, sorts: true)
        try await expect(
            .where { $0.due >= from && $0.due > to && $0.due < late && $0.due <= to }, finds: 0,
            reading: 0, sorts: true)
        try await expect(.where { $0.due == nil }, finds: 300, reading: 300, sorts: true)
        try await expect(.where { $0.due != nil }, finds: 700, reading: 700, sorts: true)
        try await expect(
            .where { $0.grade == .good && $0.pages >= 800 }, finds: 2, reading: 2, sorts: true)
    }

    @Test func findsBeginnings() async throws {
        try await expect(
            .where { $0.isOpen == false && $0.subtitle.hasPrefix("s4") }, finds: 72, reading: 72,
            sorts: true)
        try await expect(
            .where { $0.isOpen == false && $0.subtitle.hasPrefix("") }, finds: 320, reading: 320,
            sorts: true)
        #expect("ab".endOfPrefix == "ac")
        #expect("a\u{D7FF}".endOfPrefix == "a\u{E000}")
        #expect("a\u{10FFFF}\u{10FFFF}".endOfPrefix == "b")
        #expect("\u{10FFFF}".endOfPrefix == nil)
        #expect("".endOfPrefix == nil)
    }

    @Test func makesAScanForEachOfAFewValues() async throws {
        try await expect(
            .where { $0.state.in([.lent, .gone]) }, finds: 10, reading: 10, sorts: true)
        try await expect(
            .where { $0.state == .lent || $0.state == .gone }, finds: 10, reading: 10,
            sorts: true)
        let few = (0..<3).map { date(500 + 100 * $0) }
        try await expect(.where { $0.due.in(few + [nil]) }, finds: 303, reading: 303, sorts: true)
        // A list that is too long bounds what is read.
        let many = (0..<101).map { date(500 + 2 * $0) }
        try await expect(.where { $0.due.in(many) }, finds: 101, reading: 201, sorts: true)
        guard case .index(let scans) = store.plan(Query<Volume>.where { $0.due.in(few) }).access
        else { return #expect(Bool(false), "it is no access by an index") }
        // In the order of the index, which descends.
        #expect(scans.map(\.equal) == few.reversed().map { [.date($0)] })
    }

    @Test func takesTheOrderOfAnIndex() async throws {
        try await expect(Query.sorted(by: \.state).limit(20), finds: 20, reading: 20)
        let last = Query<Volume>.sorted(by: \.due, .descending).sorted(by: \.price)
        try await expect(last.limit(20), finds: 20, reading: 20)
        try await expect(last.limit(20).offset(30), finds: 20, reading: 50)
        #expect(try await repository.fetch(last.limit(2)).map(\.code) == ["v999", "v998"])
        let first = Query<Volume>.sorted(by: \.due).sorted(by: \.price, .descending)
        try await expect(first.limit(20), finds: 20, reading: 20)
        // Ties stand in id order from whichever end.
        let ties = try await repository.fetch(first.limit(3)).map(\.code)
        #expect(ties == ["v006", "v013", "v020"])
        try await expect(
            Query.sorted(by: \.due).sorted(by: \.price).limit(20), finds: 20, reading: 1000,
            sorts: true)
        let graded = Query<Volume>.where { $0.grade == .fair }.sorted(by: \.pages).limit(5)
        try await expect(graded, finds: 5, reading: 5)
        #expect(try await repository.fetch(graded).map(\.pages) == [10, 20, 30, 40, 50])
        try await expect(
            Query.where { $0.grade == .fair && $0.title == "" }.sorted(by: \.pages).limit(5),
            finds: 5, reading: 90)
        let two = Query<Volume>.where { $0.grade.in([.fair, .good]) }.sorted(by: \.grade)
            .sorted(by: \.pages, .descending)
        try await expect(two.limit(3), finds: 3, reading: 3)
        #expect(
            try await repository.fetch(two.limit(95)).suffix(6).map(\.pages)
                == [10, 900, 800, 700, 600, 500])
    }

    @Test func goesOnBehindACursor() async throws {
        let orders: [Query<Volume>] = [
            .sorted(by: \.due).sorted(by: \.price, .descending),
            .sorted(by: \.due, .descending).sorted(by: \.price),
            .where { $0.grade.in([.fair, .good, nil]) }.sorted(by: \.grade, .descending)
                .sorted(by: \.pages),
            .where { $0.isOpen == true }.sorted(by: \.subtitle).sorted(by: \.score, .descending),
        ]
        for query in orders {
            let all = try await repository.fetch(query).map(\.code)
            _ = store.takeReads()
            var codes: [Volume.ID] = []
            var cursor: QueryCursor?
            var pages = 0
            repeat {
                let page = try await repository.page(query.limit(90), after: cursor)
                codes += page.items.map(\.code)
                cursor = page.next
                pages += 1
            } while cursor != nil
            #expect(codes == all)
            #expect(store.takeReads() <= all.count + pages)
        }
    }

    @Test func streamsAlongAnIndex() async throws {
        _ = store.takeReads()
        var stream = repository.stream(.sorted(by: \.due).sorted(by: \.price, .descending))
            .makeAsyncIterator()
        #expect(try await stream.next()?.due == nil)
        #expect(store.takeReads() == 256)
        var rest = 1
        while try await stream.next() != nil { rest += 1 }
        #expect(rest == 1000)
        #expect(store.takeReads() == 744)
    }

    @Test func joinsWhatSeveralIndexesFind() async throws {
        let late = date(995)
        try await expect(
            .where { $0.state == .lent || $0.due >= late || $0.due > late }, finds: 15,
            reading: 19, sorts: true)
        try await expect(
            .where { ($0.state == .lent || $0.grade == .good) && $0.pages < 200 }, finds: 11,
            reading: 12, sorts: true)
        // One alternative without an index makes all of them useless.
        try await expect(
            .where { $0.state == .lent || $0.title == "x" }, finds: 10, reading: 1000)
    }

    @Test func leavesOutWhatNobodyStores() async throws {
        try await expect(
            .where { $0.isOpen == true && $0.subtitle < "a\u{0}" }, finds: 0, reading: 600,
            sorts: true)
    }

    @Test func saysWhichIndexAndRange() async throws {
        func lines(_ query: Query<Volume>) async throws -> [Substring] {
            try await repository.explain(query).description.split(separator: "\n")
        }
        let day = date(0)
        #expect(
            try await lines(.where { $0.grade == .good && $0.pages > 7 && $0.pages <= 9 })[0]
                == "counting: finds by the index by_grade (grade, pages > ?, pages <= ?)")
        #expect(
            try await lines(.where { $0.due < day })[0]
                == "counting: finds by the index by_due (due < ?)")
        #expect(
            try await lines(Query.sorted(by: \.due).sorted(by: \.price, .descending).limit(7)) == [
                "counting: finds by the index by_due, from its end", "reads 7 records at most",
            ])
        #expect(
            try await lines(.where { $0.state.in([.new, .gone]) || $0.due == day })[..<2] == [
                "counting: finds by 2 scans of the index by_state (state)",
                "counting: finds by the index by_due (due)",
            ])
    }
}
