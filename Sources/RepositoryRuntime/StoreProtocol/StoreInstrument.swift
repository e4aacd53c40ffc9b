/// A receiver of what a store does, such as a log, metrics or traces.
///
/// ```swift
/// struct Timings: StoreInstrument {
///     func record(_ report: StoreReport) {
///         print(report.operation.kind, report.operation.table ?? "", report.duration)
///     }
/// }
/// let library = Library(SQLiteStore(path: path).instrumented(by: Timings()))
/// ```
/// An instrument receives names of tables, indexes and operations, numbers and durations. It never
/// receives values of fields or ids. Its methods are called on the task of the operation, which
/// waits for them.
public protocol StoreInstrument: Sendable {
    /// Whether the instrument wants to know of operations at the moment. It is read before each
    /// operation and must return quickly. If it is false, the operation is not measured.
    ///
    /// The default implementation returns true.
    var isEnabled: Bool { get }
    /// Runs an operation, for instruments that surround it with a context, such as a span.
    ///
    /// The default implementation runs it and passes the report to ``record(_:)``.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - body: runs the operation and returns its report. It must be called once, and does not
    ///     throw: the caller of the operation receives its error afterwards.
    func run(_ operation: StoreOperation, _ body: () async -> StoreReport) async
    /// Receives the report of an operation that has ended. The default implementation does nothing.
    func record(_ report: StoreReport)
    /// Receives a notice. The default implementation does nothing.
    func notice(_ notice: StoreNotice)
}

extension StoreInstrument {
    /// True.
    public var isEnabled: Bool { true }

    /// Runs the operation and records its report.
    public func run(_ operation: StoreOperation, _ body: () async -> StoreReport) async {
        record(await body())
    }

    /// Does nothing.
    public func record(_ report: StoreReport) {}

    /// Does nothing.
    public func notice(_ notice: StoreNotice) {}
}

/// The report of an operation that has ended.
public struct StoreReport: Sendable, Hashable {
    /// How an operation ended.
    public enum OperationOutcome: Sendable, Hashable {
        /// It returned.
        case success
        /// It threw a ``CRUDRepositoryError`` with this code.
        case failure(CRUDRepositoryError.Code)
        /// Its task was cancelled.
        case cancelled
        /// A closure of the caller threw an error.
        case callerError
    }

    /// The operation.
    public var operation: StoreOperation
    /// What it read or wrote; zero if it failed.
    public var volume: StoreVolume
    /// The time from its call to its end.
    public var duration: Duration
    /// How it ended.
    public var outcome: OperationOutcome

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - volume: what it read or wrote.
    ///   - duration: the time from its call to its end.
    ///   - outcome: how it ended.
    public init(
        _ operation: StoreOperation, volume: StoreVolume = StoreVolume(), duration: Duration,
        outcome: OperationOutcome = .success
    ) {
        self.operation = operation
        self.volume = volume
        self.duration = duration
        self.outcome = outcome
    }
}

/// Something about the use of a store that a developer should know.
public enum StoreNotice: Sendable, Hashable {
    /// A query reads every record of a table because no declared index serves it. The message names
    /// the fields of the query and the index to declare, without values. Sent once for each kind of
    /// query, in place of the line on standard error; see ``FullScanPolicy/log``.
    case fullScan(table: String, message: String)
    /// An operation took longer than the limit of the ``InstrumentedStore``.
    case slowOperation(StoreReport)
}

extension EntityStore {
    /// Nil: the store has no instrument.
    public var instrument: (any StoreInstrument)? { nil }
}

extension EntityStoreWrapper {
    /// The instrument of the wrapped store.
    public var instrument: (any StoreInstrument)? { store.instrument }
}
