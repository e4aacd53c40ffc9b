import Foundation
import RepositoryTesting
import Synchronization
import Testing

@testable import RepositoryRuntime

/// Queries that would read every record.
@Suite struct FullScanTests {
    private let store = InMemoryStore()

    private func repository(_ policy: FullScanPolicy) async throws -> VolumeRepository {
        let repository = VolumeRepository(
            RepositoryContext(
                store: store, schema: StoreSchema("Volumes", [Volume.self]), fullScans: policy))
        try await repository.save(Volume(code: "a"))
        return repository
    }

    private func message(_ body: () async throws -> Void) async throws -> String {
        do {
            try await body()
        } catch let error as CRUDRepositoryError where error.code == .fullScanRefused {
            #expect(error.table == "volumes")
            return error.localizedDescription
        }
        return "answered"
    }

    @Test func areRefusedWithTheIndexToDeclare() async throws {
        let volumes = try await repository(.refuse)
        func reason(_ query: Query<Volume>) async throws -> String {
            try await message { _ = try await volumes.fetch(query) }
        }
        #expect(
            try await reason(.where { $0.pages > 300 && $0.title == "secret" })
                == "A query of 'volumes' where pages > ? && title == ? reads every record, because no index serves it. Declare one in the schema of Volume, `indexes: [{ fields: [title, pages] }]`, or call `allowingFullScan()` on the query."
        )
        #expect(
            try await reason(Query.sorted(by: \.pages, .descending).limit(3))
                .contains("sorted by -pages reads every record"))
        #expect(
            try await reason(.where { $0.title == "x" }.sorted(by: \.pages, .descending))
                .contains("`indexes: [{ fields: [title, -pages] }]`"))
        #expect(
            try await reason(.where { $0.title.contains("x") })
                .contains("No index can serve it; call"))
        // An index that gives no more than the order.
        #expect(
            try await reason(Query.where { $0.title.contains("x") }.sorted(by: \.state).limit(1))
                != "answered")
    }

    @Test func areRefusedByEveryOperation() async throws {
        let volumes = try await repository(.refuse)
        let query = Query<Volume>.where { $0.title == "x" }
        let operations: [() async throws -> Void] = [
            { _ = try await volumes.fetchOne(query) }, { _ = try await volumes.ids(query) },
            { _ = try await volumes.count(query) },
            { _ = try await volumes.exists { $0.title == "x" } },
            { _ = try await volumes.page(query) },
            { _ = try await volumes.sum(of: \.pages, from: query) },
            { _ = try await volumes.minimum(of: \.pages, from: query) },
            { for try await _ in volumes.stream(query) {} },
            { for try await _ in volumes.observe(query) { break } },
            { for try await _ in volumes.changes(query) { break } },
            { for try await _ in volumes.observeCount(query) { break } },
        ]
        for operation in operations {
            #expect(try await message(operation).hasPrefix("A query of 'volumes' where title == ?"))
        }
    }

    @Test func areNotWhatAsksForEverything() async throws {
        let volumes = try await repository(.refuse)
        #expect(try await volumes.fetch(.all).count == 1)
        #expect(try await volumes.fetch(.sorted(by: \.pages)).count == 1)
        #expect(try await volumes.fetch(Query.all.limit(1)).count == 1)
        #expect(try await volumes.fetch(.where { $0.code == "a" && $0.pages == 0 }).count == 1)
        #expect(try await volumes.fetch(.where { $0.state == .new && $0.pages == 0 }).count == 1)
        #expect(try await volumes.fetch(.where { $0.pages.in([]) }).isEmpty)
        #expect(try await volumes.fetch(Query.sorted(by: \.state).limit(1)).count == 1)
        #expect(try await volumes.count(Query.sorted(by: \.pages).limit(1)) == 1)
        #expect(try await volumes.sum(of: \.pages) == 0)
        let query = Query<Volume>.where { $0.title == "" }
        #expect(try await volumes.fetch(query.allowingFullScan()).count == 1)
        #expect(try await volumes.explain(query).plan.isFullScan)
    }

    /// Queries leave out deleted records by themselves, which no index needs to serve, whether the
    /// store finds by itself or not.
    @Test(arguments: [false, true])
    func areNotWhatLeavesOutDeletedRecords(isSelecting: Bool) async throws {
        let memory: any EntityStore = InMemoryStore()
        let context = RepositoryContext(
            store: isSelecting ? SelectingStore(store: memory) : memory,
            schema: StoreSchema(
                "Letters", [Sender.self, Route.self, Letter.self, Counterfoil.self]),
            fullScans: .refuse)
        let (letters, senders) = (LetterRepository(context), SenderRepository(context))
        let counterfoils = CounterfoilRepository(context)
        func isRefused<E: Entity>(_ query: Query<E>) throws -> Bool {
            do {
                try context.admit(context.scoped(query))
                return false
            } catch let error as CRUDRepositoryError where error.code == .fullScanRefused {
                return true
            }
        }
        #expect(try !isRefused(Query<Letter>.sorted(by: \.weight).limit(3)))
        #expect(try !isRefused(Query<Letter>.sorted(by: \.weight, .descending).limit(3)))
        #expect(try !isRefused(Query<Letter>.all.limit(3)))
        #expect(try !isRefused(Query<Letter>.where { $0.erasedAt == nil }.limit(3)))
        #expect(try !isRefused(Query<Counterfoil>.sorted(by: \.page).limit(3)))
        #expect(try isRefused(Query<Letter>.sorted(by: \.text).limit(3)))
        #expect(try isRefused(Query<Letter>.where { $0.text == "x" }))
        guard !isSelecting else { return }
        #expect(try await letters.fetch(Query.sorted(by: \.weight).limit(3)).isEmpty)
        #expect(try await letters.fetch(.where { $0.sender.deletedAt == nil }).isEmpty)
        #expect(try await senders.fetch(.where { $0.letters.any { $0.weight > 0 } }).isEmpty)
        #expect(try await counterfoils.fetch(Query.sorted(by: \.page).limit(3)).isEmpty)
    }

    /// What is said about conditions on related records is the same on stores that follow them.
    @Test func areJudgedAlikeBehindReferences() throws {
        let store = SelectingStore()
        #expect(
            !QueryPlan(Query<Letter>.where { $0.sender.deletedAt == nil }.hidingDeleted, store)
                .isFullScan)
        #expect(
            !QueryPlan(
                Query<Sender>.where { $0.letters.any { $0.weight > 0 } }.hidingDeleted, store
            ).isFullScan)
        #expect(
            QueryPlan(Query<Letter>.where { $0.sender.town != "" }.hidingDeleted, store).isFullScan)
    }

    @Test func areLoggedOnceForEachKind() async throws {
        let lines = Mutex<[String]>([])
        let volumes = try await repository(.log { line in lines.withLock { $0.append(line) } })
        for number in 0..<3 {
            #expect(try await volumes.fetch(.where { $0.pages > number }).isEmpty)
        }
        #expect(try await volumes.count { $0.title == "" } == 1)
        let logged = lines.withLock { $0 }
        #expect(logged.count == 2)
        #expect(logged[0].contains("where pages > ?"))
        #expect(try await repository(.allow).count { $0.title == "" } == 1)
    }

    @Test func areRefusedInTestsUnlessSomethingElseIsSaid() async throws {
        let volumes = VolumeRepository(
            RepositoryContext(store: store, schema: StoreSchema("Volumes", [Volume.self])))
        #expect(try await message { _ = try await volumes.count { $0.pages > 1 } } != "answered")
    }

    /// A store that finds by itself is judged by the declared indexes and its primary key.
    @Test func areWhatASelectingStoreCannotFindByAnIndex() throws {
        let selecting = SelectingStore()
        func scans(_ query: Query<Volume>) -> Bool { QueryPlan(query, selecting).isFullScan }
        #expect(scans(.where { $0.pages > 1 }))
        #expect(scans(Query.sorted(by: \.pages).limit(1)))
        #expect(!scans(.where { $0.state == .new }))
        #expect(!scans(.where { $0.grade == .good && $0.pages > 1 }))
        #expect(!scans(.where { $0.code > "a" }))
        #expect(!scans(Query.sorted(by: \.code, .descending).limit(1)))
        #expect(!scans(.all))
        #expect(
            QueryPlan(Query<Volume>.where { $0.pages > 1 }, selecting).missingIndex == ["pages"])
    }
}

/// A store that says that it finds everything by itself.
private struct SelectingStore: EntityStoreWrapper {
    var store: any EntityStore = InMemoryStore()

    func plan<E: Entity>(_ query: Query<E>) -> QueryPlan {
        QueryPlan(
            .selection(StoreSelection(query.condition.tree.conjuncts)), remainder: [],
            sortsInRuntime: false)
    }
}
