import Generated
import RepositoryRuntime
import RepositorySQLite
import Testing

/// Texts of every length, which SQLite reads where they stand until the statement has run, or copies.
@Suite struct SQLiteTextTests {
    private func client(_ number: Int, _ lengths: (Int, Int)) -> Client {
        Client(
            id: Client.ID("\(number) " + String(repeating: "ä", count: lengths.0)),
            name: "Client \(number)", email: "\(number)@" + String(repeating: "x", count: lengths.1)
        )
    }

    @Test func textsOfAnyLengthAreStored() async throws {
        try await withFolder { folder in
            let library = Library(SQLiteStore(path: folder + "/data.sqlite"))
            let lengths = [1, 15, 16, 5_000, 8_200, 16_380, 16_384, 20_000, 100_000]
            var clients: [Client] = []
            for first in lengths {
                for second in lengths { clients.append(client(clients.count, (first, second))) }
            }
            try await library.clients.createAll(clients)
            for client in clients {
                let stored = try await library.clients.read(client.id)
                #expect(stored.id == client.id && stored.email == client.email)
            }
            // Each statement after one whose texts were longer, and shorter.
            for (client, other) in zip(clients, clients.reversed()) {
                var changed = try await library.clients.read(client.id)
                changed.email = "again" + other.email
                try await library.clients.update(changed)
                let stored = try await library.clients.read(client.id)
                #expect(stored.email == changed.email && stored.name == client.name)
            }
        }
    }
}
