import Foundation
import RepositoryMoving
import RepositoryRuntime
import Synchronization
import Testing

/// Sources that are no stores, and moves out of them.
@Suite("A source")
struct SourceTests {
    /// Teams, people and bookings of an old library, in no order.
    private static func functions(
        people: Int = 1000, state: @escaping @Sendable () async throws -> String? = { "1" }
    ) -> RecordFunctions {
        let time = Date(timeIntervalSince1970: 1_700_000_000.123456789)
        var source = RecordFunctions("old objects", state: state)
        source.add(Team.self) {
            [Team(id: 2, name: "South", parentID: 1), Team(id: 1, name: "North", parentID: 2)]
        }
        source.add(Person.self) { take in
            for number in 0..<people {
                let shuffled = number * 7919 % people
                try await take(
                    Person(
                        id: .init("p\(shuffled)"), name: "Person", teamID: 1, desk: shuffled,
                        createdAt: time, changedAt: time))
            }
        }
        return source
    }

    @Test("is sorted on disk, whatever fits into memory", arguments: [1 << 10, 1 << 14, 1 << 24])
    func sorting(_ memory: Int) async throws {
        let source = SortedSource(Self.functions(people: 1009), memory: memory)
        var ids: [Person.ID] = []
        while true {
            let page = try await source.page(Person.self, after: ids.last, limit: 100)
            guard page.last != nil else { break }
            ids += page.records.map(\.id)
        }
        #expect(ids.count == 1009)
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(try await source.record(Person.self, id: .init("p500"))?.desk == 500)
        #expect(try await source.record(Person.self, id: .init("q")) == nil)
    }

    @Test("with two records of one id reports the second")
    func duplicates() async throws {
        var source = RecordFunctions("twice")
        source.add(Team.self) { [Team(id: 1, name: "a"), Team(id: 1, name: "b")] }
        let error = await #expect(throws: MoveError.self) {
            try await Office.copy(from: SortedSource(source), to: InMemoryStore())
        }
        #expect(error?.code == .stopped)
        #expect(error?.report?.problems.first { $0.kind == .unreadableRecord }?.ids == ["1"])
    }

    @Test("is copied, with rounding on both sides, and says which entities it lacks")
    func copying() async throws {
        let target = InMemoryStore()
        let source = SortedSource(Self.functions())
        let report = try await Office.copy(from: source, to: target)
        #expect(report.isEqual && report.isComplete, "\(report)")
        #expect(report.problems.map(\.table) == ["bookings"])
        #expect(try await Office.compare(source, target).isEqual)
        #expect(try await Office(target).teams.read(1).parentID == 2)
    }

    @Test("answers queries through repositories, and takes no writes")
    func queries() async throws {
        let office = Office(SourceStore(SortedSource(Self.functions(people: 50))))
        #expect(try await office.persons.count() == 50)
        #expect(try await office.teams.find(name: "South")?.id == 2)
        let found = try await office.persons.fetch(
            .where { $0.desk >= 48 }.sorted(by: \.desk, .descending).allowingFullScan())
        #expect(found.map(\.desk) == [49, 48])
        await #expect(throws: CRUDRepositoryError.self) { try await office.teams.delete(1) }
    }

    @Test("refers to nothing: the copy names the record, sets it aside or sets null")
    func danglingReferences() async throws {
        var source = RecordFunctions("dangling")
        source.add(Team.self) { [Team(id: 1, name: "a"), Team(id: 2, name: "b", parentID: 9)] }
        source.add(Person.self) {
            [
                Person(id: .init("x"), name: "x", teamID: 1),
                Person(id: .init("y"), name: "y", teamID: 7),
            ]
        }
        let stores = try OfficeStores()
        for kind in [StoreKind.memory, .sqlite] {
            let target = stores.store(kind, "t\(kind)")
            let error = await #expect(throws: MoveError.self) {
                try await Office.copy(from: SortedSource(source), to: target)
            }
            let problems = error?.report?.problems.filter { $0.kind == .danglingReference }
            #expect(problems?.map(\.ids).sorted { $0[0] < $1[0] } == [["2"], ["y"]], "\(kind)")
            var options = CopyOptions()
            options.decisions = [.danglingReference: .null]
            await #expect(throws: MoveError.self) {
                // The team is optional nowhere.
                try await Office.copy(from: SortedSource(source), to: target, options)
            }
            options.decisions = [.danglingReference: .setAside]
            options.setAside = stores.folder.appending(path: "\(kind).ndjson")
            let report = try await Office.copy(from: SortedSource(source), to: target, options)
            #expect(report.isComplete, "\(report)")
            #expect(try await Office(target).persons.count() == 1)
        }
    }

    @Test("is moved while the program reads it; writes wait for the end")
    func moving() async throws {
        let stores = try OfficeStores()
        let source = SortedSource(Self.functions(people: 300))
        let store = MovingStore(
            Office.self, from: source, to: stores.store(.sqlite, "t"), writes: .wait(.seconds(60)))
        let office = Office(store)
        #expect(try await office.persons.count() == 300)
        #expect(try await office.persons.read(.init("p7")).desk == 7)
        #expect(!store.hasMoved)
        async let written = office.teams.create(.named("new"))
        var fractions: [Double] = []
        for try await progress in store.move() { fractions.append(progress.fraction) }
        #expect(try await written.id == 3)
        #expect(fractions == fractions.sorted() && fractions.last == 1)
        #expect(store.hasMoved && store.report?.isComplete == true)
        #expect(try await office.teams.count() == 3)
        try await store.finish()
        try await store.close()

        // The next launch uses the target at once, and does not move again.
        let next = MovingStore(Office.self, from: source, to: stores.store(.sqlite, "t"))
        #expect(try await Office(next).teams.count() == 3)
        #expect(next.hasMoved)
        for try await _ in next.move() { Issue.record("it was moved already") }
        #expect(try await !next.sourceHasChanged())
    }

    @Test("refuses writes that may not wait")
    func refusedWrites() async throws {
        let store = MovingStore(
            Office.self, from: SortedSource(Self.functions(people: 5)), to: InMemoryStore(),
            writes: .refuse)
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await Office(store).teams.create(.named("new"))
        }
        #expect(error?.code == .moving && error?.isRetryable == true)
    }

    @Test("that changes after the move is noticed, and merged")
    func changedAfterwards() async throws {
        let count = Mutex(10)
        let version = Mutex("1")
        var source = RecordFunctions("old", state: { version.withLock { $0 } })
        source.add(Team.self) {
            (1...count.withLock { $0 }).map { Team(id: .init($0), name: "t\($0)") }
        }
        let target = InMemoryStore()
        let store = MovingStore(Office.self, from: SortedSource(source), to: target)
        for try await _ in store.move() {}
        try await Office(store).teams.update(.init(4)) { $0.name = "mine" }
        count.withLock { $0 = 12 }
        version.withLock { $0 = "2" }
        let next = MovingStore(Office.self, from: SortedSource(source), to: target)
        #expect(try await next.sourceHasChanged())
        let report = try await next.merge(.keepTarget)
        #expect(report?.isComplete == true)
        #expect(try await Office(next).teams.count() == 12)
        #expect(try await Office(next).teams.read(.init(4)).name == "mine")
        #expect(try await !next.sourceHasChanged())
    }

    @Test("that cannot be read is an error, and never an empty one")
    func unreadableSource() async throws {
        struct Protected: Error {}
        let source = SortedSource(Self.functions(state: { throw Protected() }))
        await #expect(throws: Protected.self) {
            try await Office.copy(from: source, to: InMemoryStore())
        }
        let store = MovingStore(Office.self, from: source, to: InMemoryStore())
        await #expect(throws: Protected.self) { try await Office(store).teams.count() }
    }

    @Test("gives values by name, which are converted to the types of the fields")
    func namedRecords() async throws {
        var record = NamedRecord([
            "id": .text("p"), "name": .text("n"), "teamID": .double(3), "weight": .integer(2),
            "createdAt": .date(.now), "changedAt": .date(.now), "revision": .bool(true),
            "photo": .data(Data([1, 2])),
        ])
        let person: Person = try record.entity(Person.self)
        #expect(person.teamID == 3 && person.weight == 2 && person.desk == nil)
        #expect(try await person.photo?.load() == Data([1, 2]))
        record.values["teamID"] = .text("x")
        let error = #expect(throws: RecordDecodingError.self) { try record.entity(Person.self) }
        #expect(error?.path == "teamID")
        record.values["teamID"] = nil
        #expect(throws: RecordDecodingError.self) { try record.entity(Person.self) }
    }
}
