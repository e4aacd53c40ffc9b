import Foundation

/// Shows rows to somebody.
func show(_ books: [Book]) {}

/// Notes an error.
func log(_ id: (some Sendable)?, _ error: any Error) {}

/// A request whose body arrives in parts.
struct Request: Sendable {
    /// The parts.
    let body: AsyncThrowingStream<Data, any Error>
}

/// Stands for the protocol of `swift-service-lifecycle`.
protocol Service: Sendable {
    /// Runs until the service has to end.
    func run() async throws
}

/// Stands for the function of `swift-service-lifecycle`.
func gracefulShutdown() async throws {}
