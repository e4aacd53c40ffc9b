/// A store that repeats operations of another store that failed before anything was done.
///
/// ```swift
/// let library = Library(SQLiteStore(path: path).retrying())
/// ```
/// An operation is repeated if its error ``CRUDRepositoryError/isRetryable``: a lock that another
/// program held too long, or a lack of file descriptors. Such an error says that nothing was
/// changed. Other errors are thrown at once, among them `versionConflict`: the caller has to read
/// the record again.
///
/// The operations inside a transaction are not repeated, nor is its commit. A transaction that
/// conflicts with another one is run again as a whole by `transaction`. Cancelling the task ends
/// the wait with `CancellationError`.
public struct RetryingStore: EntityStoreInterceptor, TolerantInterceptor {
    /// The wrapped store.
    public let store: any EntityStore
    /// When and how often operations are repeated.
    public let policy: RetryPolicy
    /// Waits.
    private let sleep: @Sendable (Duration) async throws -> Void
    /// Returns a number of at least 0 and less than 1.
    private let random: @Sendable () -> Double

    /// Creates a store that repeats operations.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - policy: when and how often operations are repeated.
    ///   - sleep: waits for a duration; replaced in tests.
    ///   - random: returns a number of at least 0 and less than 1, which shortens a delay; replaced
    ///     in tests.
    public init(
        _ store: any EntityStore, policy: RetryPolicy = RetryPolicy(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.store = store
        self.policy = policy
        self.sleep = sleep
        self.random = random
    }

    /// Runs an operation, and repeats it while it fails and the policy allows it.
    public func intercept<R>(
        _ operation: @autoclosure () -> StoreOperation, volume: (R) -> StoreVolume,
        _ body: () async throws -> R
    ) async throws -> R {
        var delays: [Duration]?
        while true {
            do {
                return try await body()
            } catch let error as CRUDRepositoryError
                where error.isRetryable && error.code != .transactionConflict
                && error.code != .versionConflict
            {
                // Nothing is allocated for operations that succeed.
                var left = delays ?? policy.delays(random).reversed()
                guard let delay = left.popLast() else { throw error }
                delays = left
                try await sleep(delay)
            }
        }
    }
}

extension EntityStore {
    /// Returns a store that repeats operations of this store that failed before anything was done.
    ///
    /// - Parameter policy: when and how often operations are repeated.
    public func retrying(_ policy: RetryPolicy = RetryPolicy()) -> RetryingStore {
        RetryingStore(self, policy: policy)
    }
}
