/// An asynchronous sequence of the results of an observed query, record, count or set of
/// repositories.
///
/// The first element is the current result. Each further element follows a commit that changed the
/// result.
///
/// - Nothing is read until an element is requested. Commits that happen while the reader is busy
///   are merged: a slow reader receives the latest result and skips the intermediate ones.
/// - A result that equals the previous one is not produced.
/// - Each iteration is an independent observation. It starts with the first request for an element.
///   It ends when the loop or the task ends, when the store is closed, or when it throws an error
///   of the store.
/// - A store without observers gathers no changes.
///
/// Writes by other processes are noticed on stores with the capability `externalObservation`,
/// within the interval of ``StoreChanges/externalWatch``. The writes of a transaction become
/// visible together when it commits. Inside the body of a transaction, iterating throws
/// `unsupported`.
public struct ObservedResults<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// Creates the source of one iteration.
    private let makeSource: @Sendable () -> any ObservedSource<Element>
    /// Converts errors to the failure type of the sequence.
    private let failure: @Sendable (any Error) -> Failure

    init(
        failure: @escaping @Sendable (any Error) -> Failure,
        _ makeSource: @escaping @Sendable () -> any ObservedSource<Element>
    ) {
        self.makeSource = makeSource
        self.failure = failure
    }

    /// Creates an independent observation, which starts when its first element is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(run: ObservationRun(makeSource), failure: failure)
    }

    /// Reads the current result on the caller's actor, if the store keeps its records in memory and
    /// therefore answers without waiting; nil for other stores.
    package func current() async throws(Failure) -> Element? {
        let source = makeSource()
        guard !source.context.base.capabilities.has(.persistent) else { return nil }
        do {
            try await source.context.open()
            return try await source.next(after: .anything, ChangeMailbox(source.interest))
        } catch {
            throw failure(error)
        }
    }

    /// The iterator of an observation.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let run: ObservationRun<Element>
        fileprivate let failure: @Sendable (any Error) -> Failure

        /// Waits for the next result. Returns nil if the task is cancelled or the store is closed.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Failure) -> Element? {
            do {
                return try await run.next()
            } catch {
                throw failure(error)
            }
        }

        /// Waits for the next result. Returns nil if the task is cancelled or the store is closed.
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
