import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

@Suite("Eight processes and one store")
struct RaceTests {
    private static let processes = 8
    private static let records = Effort.isLong ? 64 : 16
    private static let batches = 40
    private static let batchSize = 25
    private static let incrementers = Effort.isLong ? 64 : 4

    /// The stores that several processes may use at once.
    private static let stores = DurableStore.allCases.filter { kind in
        kind.make(at: "/nowhere").capabilities.has(.multipleProcesses)
    }

    @Test(
        "One creates an id, one gets a unique value, and no increment is lost", arguments: stores)
    func wins(_ kind: DurableStore) async throws {
        let began = ContinuousClock.now
        let place = try CrashPlace(kind)
        let library = Conformance.ledger(kind.make(at: place.text))
        try await library.tickets.create(Ticket(id: SharedRecords.ticket, title: "0"))
        let lines = try await onOwnThread { [text = place.text] in
            let children = try (0..<Self.processes).map { number in
                try ChildProcess([
                    "race", kind.rawValue, text, "p\(number)", "\(Self.records)",
                    "\(Self.incrementers)",
                ])
            }
            for child in children { child.go() }
            return children.map { $0.line() ?? "died" }
        }
        let results = lines.map { line in line.split(separator: " ").compactMap { Int($0) } }
        try #require(results.allSatisfy { $0.count == 3 }, "\(lines)")
        #expect(results.map { $0[0] }.reduce(0, +) == Self.records)
        #expect(results.map { $0[2] }.reduce(0, +) == Self.records)

        let ticket = try await library.tickets.read(SharedRecords.ticket)
        let increments = Self.processes * Self.incrementers
        #expect(ticket.title == "\(increments)" && ticket.revision == increments + 1)
        try await checkRecords(library)
        print(
            "\(kind.rawValue): \(Self.processes) processes, \(Self.records) ids and unique values "
                + "that all wanted, \(increments) increments, in \(ContinuousClock.now - began)")
    }

    private func checkRecords(_ library: Conformance) async throws {
        let notes = try await library.notes.fetch()
        #expect(notes.count == Self.records * (Self.processes + 1))
        for number in 0..<Self.processes {
            let own = notes.filter { $0.id.rawValue.hasPrefix("p\(number)-") }
            #expect(own.count == Self.records && own.allSatisfy { $0.text == "p\(number)" })
        }
        let members = try await library.members.fetch()
        #expect(Set(members.map(\.email)).count == members.count && members.count == Self.records)
        for member in members {
            #expect(try await library.members.find(email: member.email)?.id == member.id)
        }
    }

    @Test("A reader sees a batch of another process whole or not at all", arguments: stores)
    func batches(_ kind: DurableStore) async throws {
        let place = try CrashPlace(kind)
        let library = Conformance.ledger(kind.make(at: place.text))
        try await library.open()
        let lines = Task {
            try await onOwnThread { [text = place.text] in
                let child = try ChildProcess([
                    "batches", kind.rawValue, text, "\(Self.batches)", "\(Self.batchSize)",
                ])
                child.go()
                return child.line() ?? "died"
            }
        }
        var looks = 0
        var rank = 0
        while rank < Self.batches, looks < 100_000 {
            let count = try await library.notes.count()
            let ids = try await library.notes.ids()
            let notes = try await library.notes.fetch()
            #expect(
                [count, ids.count, notes.count].allSatisfy { $0 % Self.batchSize == 0 },
                "A part of a batch is seen.")
            let changed = Set(notes.filter { $0.id.rawValue.hasPrefix("0-") }.map(\.rank))
            #expect(changed.count <= 1, "A part of a change is seen.")
            rank = changed.first ?? 0
            let found = try await library.notes.findAll(rank: rank + 1)
            #expect([0, Self.batchSize].contains(found.count), "A part of a change is found.")
            looks += 1
        }
        #expect(try await lines.value == "\(Self.batches)")
        print("\(kind.rawValue): \(looks) looks at \(Self.batches) batches of another process")
    }
}
