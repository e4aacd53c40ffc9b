import Foundation
import RepositoryMoving
import RepositoryRuntime
import RepositorySQLite
import Testing

/// Exports, and what is read back.
@Suite("An export")
struct ExportTests {
    @Test("is read back with equal records", arguments: ExportFormat.allCases)
    func roundTrip(_ format: ExportFormat) async throws {
        let stores = try OfficeStores()
        let source = stores.store(.filesJSON, "a")
        try await OfficeStores.fill(source)
        let office = Office(source)
        try await office.bookings.create(
            Booking(personID: .init("ada"), day: 9, note: "a \"quoted\",\r\n line\n, ; \u{FEFF}"))
        try await office.bookings.create(Booking(personID: .init("ada"), day: 10, note: ""))
        let folder = stores.folder.appending(path: "export")
        try await office.export(to: folder, as: format)
        let target = stores.store(.sqlite, "b")
        let report = try await Office(target).import(from: folder)
        #expect(report.isEqual && report.isComplete, "\(report)")
        #expect(try await Office.compare(source, target).isEqual)
        #expect(try await Office(target).teams.create(.named("new")).id == 7)
        #expect(
            try await Office(target).persons.read(.init("p5")).photo?.load().count == 600_000)
        // The folder is not written twice.
        await #expect(throws: CRUDRepositoryError.self) { try await office.export(to: folder) }
    }

    @Test("that was changed, or is of other fields, is refused as a whole")
    func refusals() async throws {
        let stores = try OfficeStores()
        let source = stores.store(.memory, "a")
        try await OfficeStores.fill(source, people: 5)
        let folder = stores.folder.appending(path: "export")
        try await Office(source).export(to: folder, as: .csv)
        let file = folder.appending(path: "bookings.csv")
        let text = try String(contentsOf: file, encoding: .utf8)
        try (text + "x").write(to: file, atomically: true, encoding: .utf8)
        let error = await #expect(throws: MoveError.self) {
            try await Office(InMemoryStore()).import(from: folder)
        }
        #expect(error?.code == .invalidExport && error?.table == "bookings")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let manifest = folder.appending(path: "manifest.json")
        let list = try String(contentsOf: manifest, encoding: .utf8)
        for (old, new) in [("\"note\"", "\"remark\""), ("\"Office\"", "\"Other\"")] {
            try list.replacing(old, with: new)
                .write(to: manifest, atomically: true, encoding: .utf8)
            let error = await #expect(throws: MoveError.self) {
                try await Office(InMemoryStore()).import(from: folder)
            }
            #expect(error?.code == .invalidExport)
        }
        let nothing = await #expect(throws: MoveError.self) {
            try await Office(InMemoryStore()).import(from: stores.folder)
        }
        #expect(nothing?.code == .invalidExport)
    }

    @Test("with a wrong line takes nothing, and names the line", arguments: ExportFormat.allCases)
    func wrongLines(_ format: ExportFormat) async throws {
        let stores = try OfficeStores()
        let source = stores.store(.memory, "a")
        try await OfficeStores.fill(source, people: 5)
        let folder = stores.folder.appending(path: "export")
        try await Office(source).export(to: folder, as: format)
        // Somebody has edited the file, and its digest.
        let file = folder.appending(path: "teams.\(format.rawValue)")
        let old = try Data(contentsOf: file)
        let wrong = format == .csv ? "\"7\"x,\"a\",," : "{\"id\":7}"
        let new = old + Data((wrong + "\n").utf8)
        try new.write(to: file)
        let manifest = folder.appending(path: "manifest.json")
        let list = try String(contentsOf: manifest, encoding: .utf8)
        try list.replacing(Self.digest(old), with: Self.digest(new))
            .write(to: manifest, atomically: true, encoding: .utf8)
        let target = InMemoryStore()
        let error = await #expect(throws: MoveError.self) {
            try await Office(target).import(from: folder)
        }
        #expect(error?.code == .stopped)
        #expect(error?.report?.problems.first?.ids == [format == .csv ? "line 6" : "line 5"])
        #expect(try await Office(target).teams.count() == 0)
    }

    private static func digest(_ data: Data) -> String {
        ExternalData(data).sha256.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The plan of a copy.
@Suite("A plan")
struct PlanTests {
    @Test("names what would be lost, and writes nothing")
    func losses() async throws {
        var source = RecordFunctions("old")
        let time = Date(timeIntervalSince1970: 1.5)
        source.add(Team.self) {
            [Team(id: 1, name: "a"), Team(id: 2, name: "b\u{1}", parentID: 9)]
        }
        source.add(Person.self) {
            [
                Person(id: .init("x"), name: "x", teamID: 1, createdAt: time, changedAt: time),
                Person(
                    id: .init("y"), name: "y", teamID: 7, weight: .infinity, createdAt: time,
                    changedAt: time),
            ]
        }
        let stores = try OfficeStores()
        let folder = stores.folder.appending(path: "xml")
        let target = FileSystemStore(directory: folder, transformer: XMLDataTransformer())
        let plan = try await Office.plan(from: SortedSource(source), to: target)
        #expect(!plan.isAllowed)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        func ids(_ kind: MoveProblem.Kind, _ field: String?) -> [String]? {
            plan.problems.first { $0.kind == kind && $0.field == field }?.ids
        }
        #expect(ids(.rounding, "createdAt") == ["x"])
        #expect(ids(.invalidValue, "name") == ["2"])
        #expect(ids(.invalidValue, "weight") == ["y"])
        #expect(ids(.danglingReference, "parentID") == ["2"])
        #expect(ids(.danglingReference, "teamID") == ["y"])
        #expect(plan.problems.contains { $0.kind == .mapping && $0.table == "bookings" })
        let decoded = try JSONDecoder().decode(MovePlan.self, from: Data(plan.json().utf8))
        #expect(decoded == plan)
        #expect("\(plan)".contains("is refused"))
    }
}

/// Four-method repositories.
@Suite("Items of any type")
struct ItemTests {
    private struct Item: Codable, Sendable, Equatable {
        var name: String
        var numbers: [Double]
    }

    @Test("are copied between repositories of different kinds and formats")
    func copy() async throws {
        let stores = try OfficeStores()
        let source = FileSystemRepository(
            directoryURL: stores.folder.appending(path: "items"),
            dataTransformer: XMLDataTransformer())
        let target = SQLiteItems.repository(in: stores.folder)
        let empty = await #expect(throws: MoveError.self) {
            try await ItemCopy.copy(Item.self, from: source, to: target)
        }
        #expect(empty?.code == .nothingToMove)
        for id in ["a", "A", "caf\u{E9}", "cafe\u{301}", "x/y"] {
            try await source.create(id: id, item: Item(name: id, numbers: [0.1, 2]))
        }
        let report = try await ItemCopy.copy(Item.self, from: source, to: target)
        #expect(report.isEqual && report.tables[0].written == 5, "\(report)")
        // Copied again, nothing is written.
        #expect(try await ItemCopy.copy(Item.self, from: source, to: target).tables[0].written == 0)
        try await target.update(id: "a", item: Item(name: "other", numbers: []))
        let error = await #expect(throws: MoveError.self) {
            try await ItemCopy.copy(Item.self, from: source, to: target)
        }
        #expect(error?.report?.tables[0].differences.map(\.id) == ["a"])
        try await ItemCopy.copy(Item.self, from: source, to: target, replacing: true)
        let read: Item = try await target.read(id: "a")
        #expect(read.name == "a")
    }
}
