#if Observability
    public import CoreMetrics
    public import RepositoryRuntime
    internal import Synchronization

    /// An instrument that passes what a store does to a metrics system of `swift-metrics`.
    ///
    /// The metrics have the dimensions `operation` and `table` (`-` for operations on the whole
    /// store):
    /// - `repository.duration`, a timer, with the dimension `outcome`
    /// - `repository.rows`, a counter of the records returned, counted or changed
    /// - `repository.bytes`, a counter of the bytes of external data
    /// - `repository.full_scans`, a counter of the queries that read every record
    public final class StoreMetrics: StoreInstrument {
        /// The operations that share metrics.
        private struct Key: Hashable {
            var kind: StoreOperation.Kind
            var table: String?
            var outcome: StoreReport.OperationOutcome
        }

        /// The metrics of operations of one kind.
        private struct Handles {
            let duration: Timer
            let rows: Counter
            let bytes: Counter
            let fullScans: Counter
        }

        private let factory: any MetricsFactory
        private let handles = Mutex<[Key: Handles]>([:])

        /// Creates an instrument.
        ///
        /// - Parameter factory: the metrics system.
        public init(factory: any MetricsFactory = MetricsSystem.factory) {
            self.factory = factory
        }

        /// Adds an operation to the metrics.
        public func record(_ report: StoreReport) {
            let key = Key(
                kind: report.operation.kind, table: report.operation.table,
                outcome: report.outcome)
            let handles = self.handles.withLock { all in
                if let known = all[key] { return known }
                let made = make(key, report.outcomeName)
                all[key] = made
                return made
            }
            let (seconds, attoseconds) = report.duration.components
            handles.duration.recordNanoseconds(
                seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
            handles.rows.increment(by: report.volume.rows)
            if report.volume.bytes > 0 { handles.bytes.increment(by: report.volume.bytes) }
            if report.operation.access == .fullScan { handles.fullScans.increment() }
        }

        private func make(_ key: Key, _ outcome: String) -> Handles {
            let dimensions = [("operation", key.kind.rawValue), ("table", key.table ?? "-")]
            return Handles(
                duration: Timer(
                    label: "repository.duration", dimensions: dimensions + [("outcome", outcome)],
                    factory: factory),
                rows: Counter(label: "repository.rows", dimensions: dimensions, factory: factory),
                bytes: Counter(label: "repository.bytes", dimensions: dimensions, factory: factory),
                fullScans: Counter(
                    label: "repository.full_scans", dimensions: dimensions, factory: factory))
        }
    }
#endif
