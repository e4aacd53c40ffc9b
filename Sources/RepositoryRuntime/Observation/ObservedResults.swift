/// The results of something observed: the present one at once, then one after each commit that changes it.
///
/// A reader pulls: nothing is read before it asks, and what is committed while it is busy is joined, so that a slow reader
/// is given the newest result and skips those between. A result equal to the one before it is not given again. Each loop
/// over it is an observation of its own; it begins with the first element asked for and ends with its task, with the
/// loop, or by throwing what the store throws. Where nobody observes nothing is gathered.
///
/// What other processes write is seen as ``StoreChanges/externalWatch`` says, where the store has
/// `externalObservation`. What an open transaction has written is not seen before it is committed, and then all at once;
/// inside the body of a transaction an observation throws `unsupported`.
public struct ObservedResults<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    private let makeSource: @Sendable () -> any ObservedSource<Element>
    private let failure: @Sendable (any Error) -> Failure

    init(
        failure: @escaping @Sendable (any Error) -> Failure,
        _ makeSource: @escaping @Sendable () -> any ObservedSource<Element>
    ) {
        self.makeSource = makeSource
        self.failure = failure
    }

    /// Begins an observation, which does nothing before its first element is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(run: ObservationRun(makeSource), failure: failure)
    }

    /// The place in an observation.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let run: ObservationRun<Element>
        fileprivate let failure: @Sendable (any Error) -> Failure

        /// Waits for the next result; nil when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Failure) -> Element? {
            do {
                return try await run.next()
            } catch {
                throw failure(error)
            }
        }

        /// Waits for the next result; nil when the task is cancelled.
        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: #isolation)
        }
    }
}

extension ObservedResults where Failure == CRUDRepositoryError {
    init(_ makeSource: @escaping @Sendable () -> any ObservedSource<Element>) {
        self.init(
            failure: { error in
                error as? CRUDRepositoryError
                    ?? CRUDRepositoryError(
                        .databaseError, "The store failed.", underlyingError: error)
            }, makeSource)
    }
}
