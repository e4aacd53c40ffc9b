public import Observation
public import RepositoryRuntime

/// The rows of an observed query for user interfaces.
///
/// ```swift
/// let available = LiveQuery(library.books.observe(where: { $0.status == .available }))
/// ```
///
/// The properties change on the main actor. Views that read them are updated, and so is
/// `withObservationTracking`. The observation ends with the object.
@MainActor @Observable
public final class LiveQuery<Row: Sendable> {
    /// The observation of the rows.
    @ObservationIgnored private let live: LiveValue<[Row]>

    /// The last rows; empty until the first result is there. An error does not change them.
    public var rows: [Row] { live.value ?? [] }
    /// Whether the observation runs and the first result, or the first one after a restart, is not
    /// there yet.
    public var isLoading: Bool { live.isLoading }
    /// The error that ended the observation; nil while it runs.
    public var error: CRUDRepositoryError? { live.error }
    /// Whether the observation has ended: because of an error, because the store was closed, or by
    /// ``stop()``.
    public var isFinished: Bool { live.isFinished }

    /// Creates the object and starts the observation.
    ///
    /// If the store can read without waiting, as the memory store does, ``rows`` are there when the
    /// initializer returns; see ``LiveValue/init(_:isStarted:)``.
    ///
    /// - Parameters:
    ///   - results: The observed query, for example `library.books.observe()`.
    ///   - isStarted: Whether the observation starts now. If not, ``start()`` starts it.
    public init(
        _ results: ObservedResults<[Row], CRUDRepositoryError>, isStarted: Bool = true
    ) {
        live = LiveValue(results, isStarted: isStarted)
    }

    /// Starts the observation, if it was not started yet.
    public func start() { live.start() }

    /// Starts the observation again, for example after an error. The last rows stay until the next
    /// ones are there.
    public func restart() { live.restart() }

    /// Observes another query from now on. The last rows stay until the next ones are there.
    ///
    /// - Parameter results: The observed query.
    public func observe(_ results: ObservedResults<[Row], CRUDRepositoryError>) {
        live.observe(results)
    }

    /// Ends the observation. The last rows stay.
    public func stop() { live.stop() }
}
