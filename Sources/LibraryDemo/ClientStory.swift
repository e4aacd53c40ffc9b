import Foundation
import Generated
import RepositoryRuntime

/// One client is stored, read, renamed and deleted; the read after that fails.
///
/// It names no database and no format: any `CRUDRepository` will do.
enum ClientStory {
    /// The client of the story.
    static func client() throws -> Client {
        Client(
            id: "client", name: "Ada Lovelace", email: "ada@example.org",
            joinedAt: Date(timeIntervalSince1970: 1_700_000_000),
            address: Address(street: "12 St James's Square", city: "London"))
    }

    /// Tells the story aloud.
    static func tell(over repository: some CRUDRepository) async throws {
        try await run(over: repository) { print("   \($0)") }
    }

    /// Plays the story.
    ///
    /// - Throws: ``StoryError`` where a step does not end as it must, or the repository's own error.
    static func run(over repository: some CRUDRepository, say: (String) -> Void) async throws {
        let client = try client()
        try await repository.create(id: "client", item: client)
        say("created  \(client.name)")

        var record: Client = try await repository.read(id: "client")
        try require(record == client, "what was read is what was stored")
        say("read     \(record.name), \(record.address?.city ?? "nowhere")")

        record.name = "Ada King, Countess of Lovelace"
        try await repository.update(id: "client", item: record)
        let renamed: Client = try await repository.read(id: "client")
        try require(renamed == record, "the update is read back")
        say("renamed  \(renamed.name)")

        try await repository.delete(id: "client")
        say("deleted  \(renamed.name)")
        do {
            let ghost: Client = try await repository.read(id: "client")
            throw StoryError("a deleted client was read: \(ghost.name)")
        } catch let error as CRUDRepositoryError {
            try require(error.code == .recordNotFound, "the read after the delete finds nothing")
            say("read     \(error.localizedDescription)")
        }
    }

    /// Stores an array under one id and reads it back; it stays there.
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
        try require(stored == clients, "the array read is the array stored")
    }

    private static func require(_ condition: Bool, _ expectation: String) throws {
        guard condition else { throw StoryError("this did not hold: \(expectation)") }
    }
}

/// A step of a story that did not end as it must.
struct StoryError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
