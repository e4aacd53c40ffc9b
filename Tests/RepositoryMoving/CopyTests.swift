import Foundation
import Generated
import RepositoryMoving
import RepositoryRuntime
import Testing

/// Copies between all kinds of stores.
@Suite("A copy")
struct CopyTests {
    @Test("brings everything of each record along", arguments: StoreKind.ring)
    func pairs(_ from: StoreKind, _ to: StoreKind) async throws {
        let stores = try OfficeStores()
        let (source, target) = (stores.store(from, "source"), stores.store(to, "target"))
        try await OfficeStores.fill(source)
        let report = try await Office.copy(from: source, to: target)
        #expect(report.isComplete && report.isEqual, "\(report)")
        #expect(report.tables.map(\.sourceCount).reduce(0, +) == 49)

        let (before, after) = (Office(source), Office(target))
        let ada = try await after.persons.read(.init("ada"))
        #expect(ada == (try await before.persons.read(.init("ada"))))
        #expect(ada.revision == 4 && ada.name == "Person 0!!!")
        let deleted = try await after.persons.includingDeleted.read(.init("Ada"))
        #expect(deleted.deletedAt != nil && deleted.revision == 2)
        #expect(try await !after.persons.exists(.init("Ada")))
        let photo = try await after.persons.read(.init("p5")).photo
        #expect(try await photo?.load() == Data(repeating: 7, count: 600_000))
        #expect(try await after.teams.find(name: "North")?.leadID == .init("ada"))
        // No id that the source has given, and deleted, is given again.
        #expect(try await after.teams.create(.named("new")).id == .init(7))
        #expect(try await after.check().isSound)
        for store in [source, target] { try await store.close() }
    }

    @Test(
        "copies a set into user defaults and out of them",
        arguments: [StoreKind.memory, .filesCBOR, .sqlite])
    func userDefaults(_ kind: StoreKind) async throws {
        let stores = try OfficeStores()
        let (source, target) = (stores.store(kind, "source"), stores.store(kind, "target"))
        let library = Library(source)
        let author = try await library.authors.create(Author(name: "Ursula"))
        try await library.books.create(
            Book(isbn: "9780441478125", title: "Left", pages: 304, authorID: author.id))
        let defaults = stores.store(.defaults, "between")
        #expect(try await Library.copy(from: source, to: defaults).isEqual)
        #expect(try await Library.copy(from: defaults, to: target).isEqual)
        #expect(try await Library.compare(source, target).isEqual)
        for store in [source, target, defaults] { try await store.close() }
    }

    @Test("follows what the source changed while it was interrupted")
    func changedSource() async throws {
        struct Killed: Error {}
        let stores = try OfficeStores()
        let source = stores.store(.sqlite, "source")
        try await OfficeStores.fill(source, people: 20)
        let target = stores.store(.filesCBOR, "target")
        let counter = Counter()
        var options = CopyOptions()
        options.batchSize = 4
        options.afterCommit = { if await counter.next() == 6 { throw Killed() } }
        await #expect(throws: Killed.self) {
            try await Office.copy(from: source, to: target, options)
        }
        let office = Office(source)
        // Two desks change hands, one record goes, one comes.
        var (one, two) = (
            try await office.persons.read(.init("p4")),
            try await office.persons.read(.init("p5"))
        )
        (one.desk, two.desk) = (two.desk, one.desk)
        try await office.persons.saveAll([one, two])
        try await office.bookings.deleteAll()
        try await office.teams.create(.named("late"))
        let report = try await Office.copy(from: source, to: target)
        #expect(report.isComplete && report.isEqual, "\(report)")
        #expect(try await Office(target).persons.read(.init("p4")).desk == one.desk)
    }

    @Test("is a merge once it has ended, and asks who wins")
    func merge() async throws {
        let stores = try OfficeStores()
        let (source, target) = (stores.store(.sqlite, "a"), stores.store(.filesJSON, "b"))
        try await OfficeStores.fill(source, people: 12)
        try await Office.copy(from: source, to: target)
        // Nothing has changed: nothing is written, and nobody has to win.
        #expect(try await Office.copy(from: source, to: target).isEqual)

        let (before, after) = (Office(source), Office(target))
        try await after.persons.update(.init("p4")) { $0.name = "target" }
        try await after.bookings.delete(.init(personID: .init("ada"), day: 0))
        try await after.bookings.create(Booking(personID: .init("ada"), day: 77))
        try await before.persons.update(.init("p6")) { $0.name = "source" }
        for (library, name) in [(before, "one"), (after, "two")] {
            try await library.persons.update(.init("p7")) { $0.name = name }
        }
        let refusal = await #expect(throws: MoveError.self) {
            try await Office.copy(from: source, to: target)
        }
        #expect(refusal?.code == .mergeNeeded)
        #expect(try await after.persons.read(.init("p6")).name == "Person 6")

        var options = CopyOptions()
        options.merge = .keepTarget
        let report = try await Office.copy(from: source, to: target, options)
        #expect(report.isComplete && !report.isEqual)
        #expect(report.tables.map(\.written).reduce(0, +) == 1)
        #expect(try await after.persons.read(.init("p4")).name == "target")
        #expect(try await after.persons.read(.init("p6")).name == "source")
        #expect(try await after.persons.read(.init("p7")).name == "two")
        #expect(try await !after.bookings.exists(.init(personID: .init("ada"), day: 0)))
        #expect(try await after.bookings.exists(.init(personID: .init("ada"), day: 77)))

        options.merge = .keepSource
        try await Office.copy(from: source, to: target, options)
        #expect(try await after.persons.read(.init("p7")).name == "one")
        // What only the target's programs changed stays, whoever wins a conflict.
        #expect(try await after.persons.read(.init("p4")).name == "target")
        #expect(try await !after.bookings.exists(.init(personID: .init("ada"), day: 0)))
    }

    @Test("that is not complete keeps what somebody has written to the target meanwhile")
    func usedUnfinishedTarget() async throws {
        struct Killed: Error {}
        let stores = try OfficeStores()
        let (source, target) = (stores.store(.filesJSON, "a"), stores.store(.sqlite, "b"))
        try await OfficeStores.fill(source, people: 12)
        let counter = Counter()
        var options = CopyOptions()
        options.batchSize = 4
        options.afterCommit = { if await counter.next() == 6 { throw Killed() } }
        await #expect(throws: Killed.self) {
            try await Office.copy(from: source, to: target, options)
        }
        // A program takes the half of the records for all of them.
        let office = Office(target)
        let person = try #require(try await office.persons.fetch().first)
        try await office.persons.update(person.id) { $0.name = "mine" }
        try await office.persons.create(
            Person(id: .init("own"), name: "own", teamID: person.teamID))
        try await Office(source).persons.includingDeleted.update(person.id) { $0.name = "theirs" }
        let error = await #expect(throws: MoveError.self) {
            try await Office.copy(from: source, to: target)
        }
        #expect(error?.code == .mergeNeeded)
        let conflict = error?.report?.problems.first { $0.kind == .targetNotEmpty }
        #expect(conflict?.ids == [person.id.description])
        #expect(try await office.persons.read(person.id).name == "mine")
        var merging = CopyOptions()
        merging.merge = .resolve { $0.id == person.id.description ? .target : .source }
        let report = try await Office.copy(from: source, to: target, merging)
        #expect(report.isComplete && !report.isEqual, "\(report)")
        #expect(try await office.persons.read(person.id).name == "mine")
        #expect(try await office.persons.exists(.init("own")))
    }

    @Test("brings the records along that refer to a deleted one")
    func deletedParent() async throws {
        let stores = try OfficeStores()
        let (source, target) = (stores.store(.filesCBOR, "a"), stores.store(.sqlite, "b"))
        try await OfficeStores.fill(source, people: 6)
        let office = Office(source)
        try await office.bookings.create(Booking(personID: .init("p4"), day: 1))
        try await office.persons.delete(.init("p4"))
        #expect(try await Office.copy(from: source, to: target).isEqual)
        #expect(try await Office(target).bookings.exists(.init(personID: .init("p4"), day: 1)))
        #expect(try await !Office(target).persons.exists(.init("p4")))
    }

    @Test("refuses a target that somebody has written to")
    func usedTarget() async throws {
        let stores = try OfficeStores()
        let (source, target) = (stores.store(.filesJSON, "a"), stores.store(.sqlite, "b"))
        try await OfficeStores.fill(source, people: 5)
        try await Office(target).teams.create(.named("mine"))
        let error = await #expect(throws: MoveError.self) {
            try await Office.copy(from: source, to: target)
        }
        #expect(error?.code == .targetNotEmpty)
        #expect(try await Office(target).teams.count() == 1)
    }

    @Test("never empties a target from an emptied source")
    func emptiedSource() async throws {
        let stores = try OfficeStores()
        let (source, target) = (stores.store(.sqlite, "a"), stores.store(.filesJSON, "b"))
        try await OfficeStores.fill(source, people: 5)
        try await Office.copy(from: source, to: target)
        let people = try await Office(target).persons.count()
        try await Office(source).bookings.deleteAll()
        for merge in [MergePolicy.keepSource, .keepTarget] {
            var options = CopyOptions()
            options.merge = merge
            let error = await #expect(throws: MoveError.self) {
                try await Office.copy(from: source, to: target, options)
            }
            #expect(error?.code == .sourceEmptied && error?.table == "bookings")
        }
        let empty = stores.store(.memory, "c")
        try await Office(empty).open()
        let error = await #expect(throws: MoveError.self) {
            try await Office.copy(from: empty, to: target)
        }
        #expect(error?.code == .sourceEmptied)
        #expect(try await Office(target).bookings.count() == 5)
        #expect(try await Office(target).persons.count() == people)
    }

    @Test("is not begun from a source that is not there, and does not create it")
    func missingSource() async throws {
        let stores = try OfficeStores()
        let target = stores.store(.memory, "b")
        for kind in [StoreKind.sqlite, .filesJSON, .defaults] {
            let error = await #expect(throws: MoveError.self) {
                try await Office.copy(from: stores.store(kind, "nothing"), to: target)
            }
            #expect(error?.code == .sourceNotFound)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: stores.folder.path)
        #expect(left == [])
        let error = await #expect(throws: MoveError.self) {
            try await Office.copy(from: InMemoryStore(), to: target)
        }
        #expect(error?.code == .nothingToMove)
    }

    @Test("begins again after the target was reset", arguments: [StoreKind.sqlite, .filesJSON])
    func resetTarget(_ kind: StoreKind) async throws {
        let stores = try OfficeStores()
        let (source, target) = (stores.store(.memory, "a"), stores.store(kind, "b"))
        try await OfficeStores.fill(source, people: 8)
        try await Office.copy(from: source, to: target)
        try await Office(target).reset()
        let report = try await Office.copy(from: source, to: target)
        #expect(report.isEqual && report.tables.map(\.written).reduce(0, +) > 0)
    }

    @Test("ends when another program begins the same one")
    func secondCopier() async throws {
        let stores = try OfficeStores()
        let source = stores.store(.sqlite, "a")
        try await OfficeStores.fill(source, people: 20)
        let target = stores.store(.sqlite, "b")
        let other = stores.store(.sqlite, "b")
        let counter = Counter()
        var options = CopyOptions()
        options.batchSize = 5
        options.afterCommit = {
            if await counter.next() == 4 {
                let report = try await Office.copy(from: source, to: other)
                #expect(report.isEqual)
            }
        }
        let error = await #expect(throws: MoveError.self) {
            try await Office.copy(from: source, to: target, options)
        }
        #expect(error?.code == .takenOver)
        #expect(try await Office.compare(source, target).isEqual)
    }

    @Test("stops at records that cannot be read, or sets them aside")
    func unreadable() async throws {
        let stores = try OfficeStores()
        let source = stores.store(.filesJSON, "a")
        try await OfficeStores.fill(source, people: 12)
        try await source.close()
        let folder = stores.folder.appending(path: "a/persons")
        let names = try #require(
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var damaged = 0
        for case let file as URL in names
        where ["p9.json", "p10.json"].contains(file.lastPathComponent.replacing("item_", with: ""))
        {
            try Data("{".utf8).write(to: file)
            damaged += 1
        }
        #expect(damaged == 2)
        let again = stores.store(.filesJSON, "a")
        let target = stores.store(.sqlite, "b")
        let error = await #expect(throws: MoveError.self) {
            try await Office.copy(from: again, to: target)
        }
        #expect(error?.code == .stopped)
        let problem = error?.report?.problems.first { $0.kind == .unreadableRecord }
        #expect(problem?.count == 2 && problem?.ids == ["p10", "p9"])

        var options = CopyOptions()
        options.decisions = [.unreadableRecord: .setAside]
        options.setAside = stores.folder.appending(path: "left.ndjson")
        let report = try await Office.copy(from: again, to: target, options)
        #expect(report.isComplete && !report.isEqual, "\(report)")
        let lines = try String(contentsOf: #require(options.setAside), encoding: .utf8)
        #expect(lines.split(separator: "\n").count == 2)
        #expect(try await Office(target).persons.includingDeleted.fetch().count == 10)
    }
}

/// Counts calls.
actor Counter {
    private var count = 0
    func next() -> Int {
        count += 1
        return count
    }
}
