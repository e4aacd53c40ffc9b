internal import Synchronization

/// An instrument that adds up what a store does, readable as a value at any time.
///
/// ```swift
/// let meter = StoreMeter()
/// let library = Library(SQLiteStore(path: path).instrumented(by: meter))
/// // …
/// for (operation, total) in meter.totals {
///     print(operation.table ?? "", operation.kind, total.calls, total.time)
/// }
/// ```
public final class StoreMeter: StoreInstrument {
    /// The operations that are added up together.
    public struct Key: Sendable, Hashable {
        /// The kind of the operations.
        public var kind: StoreOperation.Kind
        /// The name of the table; nil for operations on the whole store.
        public var table: String?

        /// Creates a key.
        public init(_ kind: StoreOperation.Kind, table: String? = nil) {
            self.kind = kind
            self.table = table
        }
    }

    /// The totals of operations of one kind on one table.
    public struct OperationTotal: Sendable, Hashable {
        /// The number of operations.
        public var calls = 0
        /// The number of operations that threw an error, including cancelled ones.
        public var failures = 0
        /// The number of full scans.
        public var fullScans = 0
        /// The number of records that the operations returned, counted or changed.
        public var rows = 0
        /// The number of bytes of external data.
        public var bytes = 0
        /// The sum of the durations.
        public var time = Duration.zero
        /// The longest duration.
        public var longest = Duration.zero

        /// Creates a total of no operations.
        public init() {}

        /// Adds another total.
        public static func += (left: inout Self, right: Self) {
            left.calls += right.calls
            left.failures += right.failures
            left.fullScans += right.fullScans
            left.rows += right.rows
            left.bytes += right.bytes
            left.time += right.time
            left.longest = max(left.longest, right.longest)
        }
    }

    private let state = Mutex<[Key: OperationTotal]>([:])

    /// Creates a meter with no operations.
    public init() {}

    /// The totals since the creation or the last ``reset()``.
    public var totals: [Key: OperationTotal] { state.withLock { $0 } }

    /// The sum of all totals.
    public var sum: OperationTotal { totals.values.reduce(into: OperationTotal()) { $0 += $1 } }

    /// Returns the totals and starts again from zero, in one step.
    @discardableResult
    public func reset() -> [Key: OperationTotal] {
        state.withLock { totals in
            defer { totals = [:] }
            return totals
        }
    }

    /// Adds a report.
    public func record(_ report: StoreReport) {
        var one = OperationTotal()
        one.calls = 1
        one.failures = report.outcome == .success ? 0 : 1
        one.fullScans = report.operation.access == .fullScan ? 1 : 0
        one.rows = report.volume.rows
        one.bytes = report.volume.bytes
        one.time = report.duration
        one.longest = report.duration
        let key = Key(report.operation.kind, table: report.operation.table)
        state.withLock { $0[key, default: OperationTotal()] += one }
    }
}
