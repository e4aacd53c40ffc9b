import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting

/// What several processes do to one store at the same time.
///
/// Arguments: the store, its place, the name of the process, and how many records of
/// each kind it wants, and how many of its tasks increment. It prints how many records it
/// created that all wanted, how many increments of a shared counter it made, and how many unique values it got.
struct Racer {
    private let library: Conformance
    private let name: String
    private let count: Int
    private let tasks: Int

    init?(_ arguments: ArraySlice<String>) {
        let arguments = Array(arguments)
        guard arguments.count == 5, let kind = DurableStore(rawValue: arguments[0]),
            let count = Int(arguments[3]), let tasks = Int(arguments[4])
        else { return nil }
        library = .ledger(kind.make(at: arguments[1]))
        name = arguments[2]
        self.count = count
        self.tasks = tasks
    }

    func run() async throws -> String {
        let created = try await wins { number in
            try await library.notes.create(Note(id: .init("all-\(number)"), text: name))
        }
        _ = try await wins { number in
            try await library.notes.create(Note(id: .init("\(name)-\(number)"), text: name))
        }
        let unique = try await wins { number in
            try await library.members.create(
                Member(id: .init("\(name)-\(number)"), email: "mail \(number)"))
        }
        let incremented = try await increments()
        return "\(created) \(incremented) \(unique)"
    }

    /// How many of the calls got what only one of all processes can get.
    private func wins(_ call: @escaping @Sendable (Int) async throws -> Void) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask {
                    do {
                        try await call(number)
                        return 1
                    } catch let error as CRUDRepositoryError
                        where [.recordAlreadyExists, .constraintViolated].contains(error.code)
                    {
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// Adds one to a ticket's count in each of many tasks, read and written again until no other was quicker.
    private func increments() async throws -> Int {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    while try await !incrementOnce() {}
                }
            }
            try await group.waitForAll()
        }
        return tasks
    }

    private func incrementOnce() async throws -> Bool {
        var ticket = try await library.tickets.read(SharedRecords.ticket)
        ticket.title = "\((Int(ticket.title) ?? 0) + 1)"
        do {
            try await library.tickets.update(ticket)
            return true
        } catch let error as CRUDRepositoryError where error.code == .versionConflict {
            return false
        }
    }
}
