import Foundation
import Generated
import Testing

@testable import RepositoryRuntime

/// Which way to the records a query takes, and how many it reads.
@Suite struct PlannerTests {
    private let store = CountingStore()
    private let repository: VolumeRepository
    private let volumes: [Volume]

    init() async throws {
        repository = VolumeRepository(over: store)
        volumes = (0..<600).map { index in
            var volume = Volume(code: Volume.ID(String(format: "v%03d", index)))
            volume.pages = index
            volume.state = index % 100 == 0 ? .lent : .new
            volume.grade = index % 50 == 0 ? .good : nil
            return volume
        }
        try await repository.createAll(volumes)
    }

    private func expect(
        _ query: Query<Volume>, finds count: Int, reading reads: Int,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        _ = store.takeReads()
        #expect(try await repository.fetch(query).count == count, sourceLocation: location)
        #expect(store.takeReads() == reads, sourceLocation: location)
    }

    @Test func readsIdsOneByOne() async throws {
        try await expect(.where { $0.code == "v007" }, finds: 1, reading: 1)
        try await expect(.where { $0.id == "v007" && $0.pages == 8 }, finds: 0, reading: 1)
        try await expect(.where { $0.code == "none" }, finds: 0, reading: 0)
        try await expect(.where { $0.code == "" }, finds: 0, reading: 0)
        let some = Query<Volume>.where { $0.code.in(["v009", "v001", "none"]) }
        try await expect(some, finds: 2, reading: 2)
        #expect(try await repository.ids(some) == ["v001", "v009"])
        #expect(try await repository.ids(some.sorted(by: \.pages, .descending)).first == "v009")
        try await expect(
            .where { $0.id.in(["v009", "v001"]) && $0.pages > 5 }, finds: 1, reading: 2)
        try await expect(
            .where { ($0.id == "v001" && $0.pages == 0) || $0.id == "v002" }, finds: 1, reading: 2)
    }

    @Test func findsByDeclaredIndexes() async throws {
        try await expect(.where { $0.state == .lent }, finds: 6, reading: 6)
        try await expect(.where { $0.state == .lent && $0.pages > 350 }, finds: 2, reading: 6)
        try await expect(.where { $0.grade == .good && $0.pages == 50 }, finds: 1, reading: 1)
        // Of two indexes the one of which more fields are known.
        try await expect(
            .where { $0.state == .lent && $0.grade == .good && $0.pages == 100 }, finds: 1,
            reading: 1)
        let token = volumes[5].token
        try await expect(.where { $0.token == token && $0.state == .new }, finds: 1, reading: 1)
        // The index gives its own order, not that of ids.
        let good = try await repository.ids(.where { $0.grade == .good }.limit(2))
        #expect(good == ["v000", "v050"])
    }

    @Test func readsNoMoreThanNeeded() async throws {
        try await expect(Query.all.limit(3), finds: 3, reading: 3)
        try await expect(Query.all.limit(3).offset(2), finds: 3, reading: 5)
        try await expect(Query.where { $0.pages >= 0 }.limit(3), finds: 3, reading: 256)
        try await expect(Query.all.limit(0), finds: 0, reading: 0)
        try await expect(.where { $0.pages.in([]) }, finds: 0, reading: 0)
        try await expect(Query.all, finds: 600, reading: 600)
        _ = store.takeReads()
        #expect(try await repository.count(.all) == 600)
        #expect(store.takeReads() == 0)
        #expect(try await repository.exists { $0.pages == 0 })
        #expect(store.takeReads() == 256)
        let page = try await repository.page(Query.all.limit(5), after: nil)
        #expect(store.takeReads() == 6)
        _ = try await repository.page(Query.all.limit(5), after: page.next)
        #expect(store.takeReads() < 300)
    }

    @Test func streamsAPageAtATime() async throws {
        _ = store.takeReads()
        var stream = repository.stream(.where { $0.pages >= 10 }.offset(1)).makeAsyncIterator()
        #expect(try await stream.next()?.code == "v011")
        #expect(store.takeReads() == 256)
        var sorted = repository.stream(.sorted(by: \.pages, .descending)).makeAsyncIterator()
        #expect(try await sorted.next()?.code == "v599")
        #expect(store.takeReads() == 600 + 256)
        // What no longer matches when its turn comes is left out.
        var lent = repository.stream(.where { $0.state == .lent }.sorted(by: \.title))
            .makeAsyncIterator()
        #expect(try await lent.next()?.code == "v000")
        var rest: [Volume.ID] = []
        while let volume = try await lent.next() { rest.append(volume.code) }
        #expect(rest == ["v100", "v200", "v300", "v400", "v500"])
    }

    @Test func saysWhatItDoes() async throws {
        func lines(_ query: Query<Volume>) async throws -> String {
            try await repository.explain(query).description
        }
        #expect(
            try await lines(.where { $0.id == "v001" }) == """
                counting: reads 1 ids of volumes
                reads 1 records at most
                """)
        #expect(
            try await lines(.where { $0.grade == .good && $0.title == "x" }) == """
                counting: finds by the index by_grade (grade)
                runtime: tests title == ?
                runtime: sorts
                reads as many records as it finds
                """)
        #expect(
            try await lines(.where { $0.title == "x" }.sorted(by: \.pages)) == """
                counting: reads volumes in id order
                runtime: tests title == ?
                runtime: sorts
                reads every record
                an index over title, pages would help
                """)
        let all = try await repository.explain(Query.all.limit(10)).plan
        #expect(!all.isFullScan)
        #expect(all.maximumReads == 10)
        #expect(try await repository.explain(.where { $0.pages > 1 }).plan.isFullScan)
        #expect(try await repository.explain(.sorted(by: \.code)).plan.isFullScan == false)
    }

    @Test func scansWhereAStoreFindsNothing() async throws {
        let capabilities = StoreCapabilities([
            .records: .native, .listing: .native, .queries: .native,
        ])
        let store = CountingStore(
            InMemoryStore(seed: volumes), capabilities: capabilities)
        let plain = VolumeRepository(over: store)
        #expect(try await plain.fetch(.where { $0.state == .lent }).count == 6)
        #expect(store.takeReads() == 600)
        #expect(try await plain.explain(.where { $0.state == .lent }).plan.access == .scan)
    }

    @Test func readsCompositeIds() async throws {
        let id = Loan.ID(bookID: "1234567890", number: 2)
        let query = Query<Loan>.where { $0.id == id }
        #expect(
            InMemoryStore().plan(query).access == .ids([[.text("1234567890"), .integer(2)]]))
        let other = Query<Loan>.where { $0.id.in([id]) || $0.id == id }
        #expect(InMemoryStore().plan(other).maximumReads == 1)
        #expect(InMemoryStore().plan(Query<Loan>.where { $0.id != id }).access == .scan)
    }

    @Test func refusesWhatItCannotAnswer() async throws {
        func code(_ query: Query<Volume>) async -> CRUDRepositoryError.Code? {
            do {
                _ = try await repository.fetch(query)
                return nil
            } catch {
                return (error as? CRUDRepositoryError)?.code
            }
        }
        #expect(await code(Query.all.limit(-1)) == .invalidQuery)
        #expect(await code(Query.all.offset(-1)) == .invalidQuery)
        let page = try await repository.page(Query.sorted(by: \.title).limit(1))
        #expect(await code(Query.all.page(after: page.next)) == .invalidQuery)
        #expect(await code(Query.sorted(by: \.title).page(after: page.next)) == nil)
        #expect(await code(.where { _ in Condition(.not(.invalid("No."))) }) == .invalidQuery)
        let loans = QueryField<Loan, Int>(1)
        #expect(await code(.where { _ in loans == 1 }) == .invalidQuery)
        #expect(await code(.where { $0.pages == 1 && loans == 1 }) == .invalidQuery)
        await #expect(throws: CRUDRepositoryError.self) {
            try await repository.page(Query.all.limit(0))
        }
    }
}
