import Foundation
import Generated
import RepositoryRuntime

/// The part of the demo that creates, reads, updates and deletes a client with the four-method
/// protocol.
///
/// It works with any `CRUDRepository`, whatever the database and the format.
enum FourMethodDemo {
    /// The client that the demo stores.
    static func client() throws -> Client {
        Client(
            id: "client", name: "Ada Lovelace", email: "ada@example.org",
            joinedAt: Date(timeIntervalSince1970: 1_700_000_000),
            address: Address(street: "12 St James's Square", city: "London"))
    }

    /// Runs the steps and prints each of them.
    static func printSteps(over repository: some CRUDRepository) async throws {
        try await run(over: repository) { print("   \($0)") }
    }

    /// Runs the steps and checks their results.
    ///
    /// - Parameters:
    ///   - repository: the repository to use.
    ///   - say: receives a line for each step.
    /// - Throws: ``DemoError`` if a step has an unexpected result, or an error of the repository.
    static func run(over repository: some CRUDRepository, say: (String) -> Void) async throws {
        let client = try client()
        try await repository.create(id: "client", item: client)
        say("created  \(client.name)")

        var record: Client = try await repository.read(id: "client")
        try require(record == client, "the client read equals the client stored")
        say("read     \(record.name), \(record.address?.city ?? "nowhere")")

        record.name = "Ada King, Countess of Lovelace"
        try await repository.update(id: "client", item: record)
        let renamed: Client = try await repository.read(id: "client")
        try require(renamed == record, "the client read equals the updated client")
        say("renamed  \(renamed.name)")

        try await repository.delete(id: "client")
        say("deleted  \(renamed.name)")
        do {
            let ghost: Client = try await repository.read(id: "client")
            throw DemoError("a deleted client was read: \(ghost.name)")
        } catch let error as CRUDRepositoryError {
            try require(
                error.code == .recordNotFound, "reading a deleted client throws recordNotFound")
            say("read     \(error.localizedDescription)")
        }
    }

    /// Stores an array under one id and reads it back. The array remains stored.
    static func runWithArray(over repository: some CRUDRepository) async throws {
        var second = try client()
        second.name = "Grace Hopper"
        let clients = [try client(), second]
        do {
            try await repository.create(id: "clients", item: clients)
        } catch let error as CRUDRepositoryError where error.code == .recordAlreadyExists {
            try await repository.update(id: "clients", item: clients)
        }
        let stored: [Client] = try await repository.read(id: "clients")
        try require(stored == clients, "the array read equals the array stored")
    }

    private static func require(_ condition: Bool, _ expectation: String) throws {
        guard condition else { throw DemoError("unexpected result: \(expectation)") }
    }
}

/// The error for a step of the demo with an unexpected result.
struct DemoError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
