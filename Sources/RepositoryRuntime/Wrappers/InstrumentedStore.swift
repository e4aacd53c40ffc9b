/// A store that reports each operation of another store to an instrument.
///
/// ```swift
/// let meter = StoreMeter()
/// let library = Library(SQLiteStore(path: path).instrumented(by: meter))
/// ```
/// The operations inside transactions and snapshots are reported as well, and so are commits and
/// rollbacks. While the instrument is not enabled, an operation costs one call more.
public struct InstrumentedStore: EntityStoreInterceptor, TolerantInterceptor {
    /// The wrapped store.
    public let store: any EntityStore
    private let reporter: StoreReporter

    /// Creates a store that reports its operations.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - instrument: receives the reports and notices.
    ///   - slow: the duration after which an operation is also reported as slow; nil for never.
    public init(
        _ store: any EntityStore, instrument: any StoreInstrument, slowAfter slow: Duration? = nil
    ) {
        self.store = store
        reporter = StoreReporter(instrument: instrument, slow: slow)
    }

    /// The instrument.
    public var instrument: (any StoreInstrument)? { reporter.instrument }

    /// Runs an operation and reports it, if the instrument is enabled.
    public func intercept<R>(
        _ operation: @autoclosure () -> StoreOperation, volume: (R) -> StoreVolume,
        _ body: () async throws -> R
    ) async throws -> R {
        guard reporter.instrument.isEnabled else { return try await body() }
        return try await reporter.run(operation(), volume, body)
    }

    /// Begins a transaction whose operations are reported.
    public func begin() async throws -> any StoreTransaction {
        try await reporter.transaction(.begin) { try await store.begin() }
    }

    /// Begins a read-only transaction whose operations are reported.
    public func snapshot() async throws -> any StoreTransaction {
        try await reporter.transaction(.snapshot) { try await store.snapshot() }
    }
}

extension EntityStore {
    /// Returns a store that reports each operation of this store to an instrument.
    ///
    /// - Parameters:
    ///   - instrument: receives the reports and notices.
    ///   - slow: the duration after which an operation is also reported as slow; nil for never.
    public func instrumented(
        by instrument: any StoreInstrument, slowAfter slow: Duration? = nil
    ) -> InstrumentedStore {
        InstrumentedStore(self, instrument: instrument, slowAfter: slow)
    }
}

/// Measures operations and reports them.
private struct StoreReporter: Sendable {
    let instrument: any StoreInstrument
    let slow: Duration?

    /// Runs an operation and reports it.
    func run<R>(
        _ operation: StoreOperation, _ volume: (R) -> StoreVolume, _ body: () async throws -> R
    ) async throws -> R {
        var ended: (result: Result<R, any Error>, report: StoreReport)?
        await instrument.run(operation) {
            // An instrument that calls the closure again must not repeat the operation.
            if let ended { return ended.report }
            let start = ContinuousClock.now
            let result: Result<R, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            let report = Self.report(operation, result, volume, ContinuousClock.now - start)
            ended = (result, report)
            return report
        }
        guard let ended else { return try await body() }
        if let slow, ended.report.duration > slow {
            instrument.notice(.slowOperation(ended.report))
        }
        return try ended.result.get()
    }

    private static func report<R>(
        _ operation: StoreOperation, _ result: Result<R, any Error>, _ volume: (R) -> StoreVolume,
        _ duration: Duration
    ) -> StoreReport {
        switch result {
        case .success(let value):
            StoreReport(operation, volume: volume(value), duration: duration)
        case .failure(let error as CRUDRepositoryError):
            StoreReport(operation, duration: duration, outcome: .failure(error.code))
        case .failure(let error):
            StoreReport(
                operation, duration: duration,
                outcome: error is CancellationError ? .cancelled : .callerError)
        }
    }

    /// Begins a transaction, whose operations are reported even if the instrument is enabled later.
    func transaction(
        _ kind: StoreOperation.Kind, _ body: () async throws -> any StoreTransaction
    ) async throws -> any StoreTransaction {
        let transaction =
            instrument.isEnabled
            ? try await run(StoreOperation(kind), { _ in StoreVolume() }, body) : try await body()
        return InstrumentedTransaction(transaction: transaction, reporter: self)
    }
}

/// A transaction whose operations are reported.
private struct InstrumentedTransaction: TolerantInterceptor, StoreTransaction {
    let transaction: any StoreTransaction
    let reporter: StoreReporter

    var store: any EntityStore { transaction }
    var instrument: (any StoreInstrument)? { reporter.instrument }

    func intercept<R>(
        _ operation: @autoclosure () -> StoreOperation, volume: (R) -> StoreVolume,
        _ body: () async throws -> R
    ) async throws -> R {
        guard reporter.instrument.isEnabled else { return try await body() }
        return try await reporter.run(operation(), volume, body)
    }

    func begin() async throws -> any StoreTransaction {
        try await reporter.transaction(.begin) { try await transaction.begin() }
    }

    func snapshot() async throws -> any StoreTransaction {
        try await reporter.transaction(.snapshot) { try await transaction.snapshot() }
    }

    func commit() async throws {
        try await intercept(StoreOperation(.commit), volume: { _ in StoreVolume() }) {
            try await transaction.commit()
        }
    }

    func rollBack() async {
        guard reporter.instrument.isEnabled else { return await transaction.rollBack() }
        // It throws nothing, because its body does not.
        try? await reporter.run(StoreOperation(.rollBack), { _ in StoreVolume() }) {
            await transaction.rollBack()
        }
    }
}
