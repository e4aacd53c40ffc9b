import Foundation
import Hummingbird
import LibraryService
import RepositoryRuntime
import ServiceLifecycle

/// Runs the server in this process, on a free port, while a body runs. Then it is shut down gracefully.
func withServer(
    _ store: any EntityStore = InMemoryStore(), _ body: (Client) async throws -> Void
) async throws {
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = libraryApplication(
        store: store, address: .hostname("127.0.0.1", port: 0),
        onServerRunning: { port.yield($0) })
    let services = ServiceGroup(
        configuration: ServiceGroupConfiguration(
            services: [application], logger: application.logger))
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await services.run() }
        for await number in ports {
            try await body(Client(port: number))
            break
        }
        await services.triggerGracefulShutdown()
        try await group.waitForAll()
    }
}
