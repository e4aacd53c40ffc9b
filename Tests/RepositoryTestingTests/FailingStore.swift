import RepositoryRuntime
import Synchronization

@testable import RepositoryTesting

/// A store that fails now and then before it has done anything, with errors that can be repeated.
struct FailingStore: EntityStoreInterceptor {
    let store: any EntityStore
    private let numbers: Numbers

    /// The random numbers of the store.
    private final class Numbers: Sendable {
        let generator: Mutex<SeededGenerator>
        init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }
    }

    init(_ store: any EntityStore, seed: UInt64) {
        self.store = store
        numbers = Numbers(seed: seed)
    }

    func intercept<R>(
        _ operation: @autoclosure () -> StoreOperation, volume: (R) -> StoreVolume,
        _ body: () async throws -> R
    ) async throws -> R {
        let number = numbers.generator.withLock { Int.random(in: 0..<4, using: &$0) }
        if number == 0 {
            throw CRUDRepositoryError(.databaseError, "The store is busy.", isRetryable: true)
        }
        return try await body()
    }
}
