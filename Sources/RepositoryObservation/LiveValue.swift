public import Observation
public import RepositoryRuntime

/// An observed result for user interfaces: a number, a record or anything else that a store
/// observes.
///
/// ```swift
/// let count = LiveValue(library.books.observeCount())
/// ```
///
/// The properties change on the main actor. Views that read them are updated, and so is
/// `withObservationTracking`. The observation ends with the object.
@MainActor @Observable
public final class LiveValue<Value: Sendable> {
    /// The last result; nil until the first one is there. An error does not change it.
    public private(set) var value: Value?
    /// Whether the observation runs and the first result, or the first one after a restart, is not
    /// there yet.
    public private(set) var isLoading = false
    /// The error that ended the observation; nil while it runs.
    public private(set) var error: CRUDRepositoryError?
    /// Whether the observation has ended: because of an error, because the store was closed, or by
    /// ``stop()``.
    public private(set) var isFinished = false

    @ObservationIgnored private var results: ObservedResults<Value, CRUDRepositoryError>
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Creates the object and starts the observation.
    ///
    /// If the store can read without waiting, as the memory store does, ``value`` is set when the
    /// initializer returns. This needs macOS 26, iOS 26 or Linux; on earlier systems the value is set
    /// shortly afterwards.
    ///
    /// - Parameters:
    ///   - results: What is observed, for example `library.books.observeCount()`.
    ///   - isStarted: Whether the observation starts now. If not, ``start()`` starts it.
    public init(
        _ results: ObservedResults<Value, CRUDRepositoryError>, isStarted: Bool = true
    ) {
        self.results = results
        if isStarted { start() }
    }

    deinit { task?.cancel() }

    /// Starts the observation, if it was not started yet.
    public func start() {
        if task == nil, !isFinished { run() }
    }

    /// Starts the observation again, for example after an error. The last result stays until the
    /// next one is there.
    public func restart() {
        task?.cancel()
        run()
    }

    /// Observes something else from now on. The last result stays until the next one is there.
    ///
    /// - Parameter results: What is observed.
    public func observe(_ results: ObservedResults<Value, CRUDRepositoryError>) {
        self.results = results
        restart()
    }

    /// Ends the observation. The last result stays.
    public func stop() {
        task?.cancel()
        task = nil
        isLoading = false
        isFinished = true
    }

    private func run() {
        isLoading = true
        isFinished = false
        error = nil
        let results = results
        let body: @MainActor () async -> Void = { [weak self] in
            do throws(CRUDRepositoryError) {
                if let value = try await results.current() { self?.take(value) }
                var iterator = results.makeAsyncIterator()
                while let value = try await iterator.next(isolation: MainActor.shared) {
                    // A cancelled observation may have a last result on its way.
                    if Task.isCancelled { return }
                    self?.take(value)
                }
                if !Task.isCancelled { self?.finish(nil) }
            } catch {
                if !Task.isCancelled { self?.finish(error) }
            }
        }
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            task = Task.immediate { await body() }
        } else {
            task = Task { await body() }
        }
    }

    private func take(_ value: Value) {
        self.value = value
        isLoading = false
    }

    private func finish(_ error: CRUDRepositoryError?) {
        self.error = error
        isLoading = false
        isFinished = true
        task = nil
    }
}
