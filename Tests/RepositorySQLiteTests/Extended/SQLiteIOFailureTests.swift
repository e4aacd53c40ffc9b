import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLite

/// Every call of the file system that a write makes fails in turn, as a full or a broken disk lets it.
@Suite("Every file operation of SQLite that can fail")
struct SQLiteIOFailureTests {
    private typealias Fault = FailingFileSystem.Fault

    private func library(_ folder: String, _ system: FailingFileSystem? = nil) -> Library {
        var location = SQLiteLocation.file(folder + "/data.sqlite", busyTimeout: .seconds(3_600))
        location.fileSystem = system?.name
        return Library(SQLiteStore(location))
    }

    /// What a program reads that starts after this one has died: the memory that connections share is not there.
    private func found(_ folder: String) async throws -> Records {
        try await withFolder { copy in
            for name in ["data.sqlite", "data.sqlite-wal"]
            where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
                try FileManager.default.copyItem(
                    atPath: "\(folder)/\(name)", toPath: "\(copy)/\(name)")
            }
            let records = try await Records(library(copy))
            #expect(
                try PlainDatabase(copy + "/data.sqlite").value("PRAGMA integrity_check") == "ok")
            return records
        }
    }

    private func run(
        _ scenario: Scenario, _ fault: Fault, forEver: Bool
    ) async throws -> (calls: Int, reported: Int, unknown: Int) {
        var counts = (calls: 0, reported: 0, unknown: 0)
        // Every third call, with `REPOSITORY_LONG=1` each.
        let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
        for number in stride(from: forEver ? 2 : 1, to: Int.max, by: isLong ? 1 : 3) {
            let hasFailed = try await withFolder { folder in
                let system = try FailingFileSystem(fault, forEver: forEver)
                defer { system.unregister() }
                let plain = library(folder)
                try await Scenario.prepare(plain)
                let before = try await Records(plain)
                let library = library(folder, system)
                #expect(try await Records(library) == before)
                system.arm(failing: number)
                var failure: CRUDRepositoryError?
                do {
                    try await scenario.run(library)
                } catch let error as CRUDRepositoryError {
                    failure = error
                }
                guard system.hasFailed else {
                    #expect(failure == nil)
                    return false
                }
                counts.calls += 1
                let place =
                    "\(scenario), \(fault), call \(number): \(failure.map { "\($0)" } ?? "success")"
                let after = try await scenario.result(of: before)
                let there = try await found(folder)
                switch failure?.code {
                case nil: #expect(there == after, "\(place)")
                case .outcomeUnknown?:
                    counts.unknown += 1
                    #expect(there == before || there == after, "\(place)")
                default: #expect(there == before, "\(place)")
                }
                // The trouble has passed, and the program goes on with the store it has.
                system.arm(failing: 0)
                let here = try await Records(library)
                #expect(here == (failure == nil ? after : before), "\(place)")
                if failure != nil {
                    counts.reported += 1
                    try await scenario.run(library)
                    #expect(try await Records(library) == after, "\(place), again")
                }
                #expect(try await found(folder) == after, "\(place), again")
                return true
            }
            if !hasFailed { return counts }
        }
        return counts
    }

    @Test("Once, and for ever", arguments: Scenario.all, [false, true])
    func failing(_ scenario: Scenario, _ forEver: Bool) async throws {
        for fault in Fault.allCases {
            let counts = try await run(scenario, fault, forEver: forEver)
            #expect(counts.reported > 0)
            print(
                "SQLite, \(scenario), \(fault)\(forEver ? " for ever" : ""): \(counts.calls) failing calls, "
                    + "\(counts.reported) reported, \(counts.unknown) with unknown outcome")
        }
    }
}

/// The records of the tables that the scenarios write.
private struct Records: Equatable {
    var clients: [String: Client]
    var authors: [Author.ID: Author]

    init(_ library: Library) async throws {
        clients = Dictionary(
            uniqueKeysWithValues: try await library.clients.fetch().map { ($0.id.rawValue, $0) })
        authors = Dictionary(
            uniqueKeysWithValues: try await library.authors.fetch().map { ($0.id, $0) })
    }
}

/// Writes that are whole or do not happen.
struct Scenario: Sendable, CustomStringConvertible {
    let description: String
    let run: @Sendable (Library) async throws -> Void

    private static func client(_ id: String, _ size: Int = 10) -> Client {
        Client(
            id: Client.ID(id), name: "N", email: "\(id)@x",
            joinedAt: Date(timeIntervalSinceReferenceDate: 0),
            address: Address(street: String(repeating: "s", count: size), city: "C"))
    }

    private static let author = Author(
        id: Author.ID(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        name: "A")

    /// What all start from.
    static func prepare(_ library: Library) async throws {
        try await library.clients.createAll((0..<20).map { client("old-\($0)", 300) })
        try await library.authors.create(author)
    }

    /// What the records are afterwards.
    fileprivate func result(of before: Records) async throws -> Records {
        let library = Library(InMemoryStore())
        try await Self.prepare(library)
        #expect(try await Records(library) == before)
        try await run(library)
        return try await Records(library)
    }

    static let all = [
        Scenario(description: "create") { try await $0.clients.create(client("new")) },
        Scenario(description: "create of many pages") {
            try await $0.clients.create(client("new", 30_000))
        },
        Scenario(description: "update") { try await $0.clients.update(client("old-3", 5_000)) },
        Scenario(description: "delete") { try await $0.clients.delete("old-4") },
        Scenario(description: "batch") { library in
            try await library.clients.createAll((0..<40).map { client("new-\($0)", 500) })
        },
        Scenario(description: "updateAll") { library in
            try await library.clients.updateAll(
                .where { $0.name == "N" }.allowingFullScan(), set: { $0.name = "M" })
        },
        Scenario(description: "transaction") { library in
            try await library.transaction { library in
                try await library.clients.delete("old-0")
                var changed = author
                changed.name = "B"
                try await library.authors.update(changed)
                try await library.clients.create(client("new", 9_000))
            }
        },
    ]
}
