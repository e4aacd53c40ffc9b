import RepositoryRuntime
import ServiceLifecycle

/// Opens the store when the program starts and closes it when it ends.
struct StoreService: Service {
    let library: Library

    func run() async throws {
        try await library.open()
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            // The program ends without a graceful shutdown. The store is closed all the same.
        }
        try await library.close()
    }
}
