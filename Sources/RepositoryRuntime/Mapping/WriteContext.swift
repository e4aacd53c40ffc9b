public import Foundation

/// The context of one write, passed to the generated `prepare`: the time, the precision of dates
/// and the path for errors.
public struct WriteContext: Sendable {
    /// The kind of a write.
    public enum Operation: Sendable {
        /// Stores a new record.
        case create
        /// Changes a stored record, or saves a record that may already be stored.
        case update
    }

    /// The kind of the write.
    public let operation: Operation
    /// The time of the write, rounded to the precision of the store.
    public let now: Date
    /// The path of the embedded record that is being prepared, with a trailing dot; empty for the
    /// stored record.
    public var path: String { field.map { "\(outer)\($0)." } ?? outer }
    /// The path of the enclosing record and the name of the field. They are joined only when an
    /// error needs the path.
    private let outer: String
    private let field: String?
    /// Whether dates are rounded to whole seconds instead of microseconds, because the store's
    /// format has no fractions.
    public let roundsToSeconds: Bool
    /// The form whose precision the dates of the field get; nil if they keep microseconds.
    let dateForm: DateForm?
    /// Whether the dates of creation and update stay as they are given.
    let keepsDates: Bool
    /// Collects broken rules; nil if the first one throws.
    private let collector: ViolationCollector?

    /// Creates the context of one write.
    ///
    /// - Parameters:
    ///   - operation: the kind of the write.
    ///   - now: the time of the write.
    ///   - path: the path of the record within the stored record, with a trailing dot.
    ///   - roundsToSeconds: whether dates are rounded to whole seconds.
    public init(
        _ operation: Operation, now: Date, path: String = "", roundsToSeconds: Bool = false
    ) {
        self.init(
            operation, now: now, path: path, roundsToSeconds: roundsToSeconds, keepsDates: false)
    }

    /// Creates the context of one write, which may keep the dates that are given.
    init(
        _ operation: Operation, now: Date, path: String = "", roundsToSeconds: Bool,
        keepsDates: Bool
    ) {
        self.operation = operation
        self.keepsDates = keepsDates
        self.now = StoredDate.rounded(now, toSeconds: roundsToSeconds)
        outer = path
        field = nil
        self.roundsToSeconds = roundsToSeconds
        dateForm = nil
        collector = nil
    }

    /// The same context, which collects broken rules instead of throwing the first one.
    init(_ write: WriteContext, collecting collector: ViolationCollector) {
        operation = write.operation
        now = write.now
        outer = write.outer
        field = write.field
        roundsToSeconds = write.roundsToSeconds
        dateForm = write.dateForm
        keepsDates = write.keepsDates
        self.collector = collector
    }

    private init(
        _ write: WriteContext, inside field: String, roundsToSeconds: Bool,
        dateForm: DateForm? = nil
    ) {
        operation = write.operation
        let isRounded = roundsToSeconds == write.roundsToSeconds
        now = isRounded ? write.now : StoredDate.rounded(write.now, toSeconds: roundsToSeconds)
        outer = write.path
        self.field = field
        self.roundsToSeconds = roundsToSeconds
        self.dateForm = dateForm
        keepsDates = write.keepsDates
        collector = write.collector
    }

    /// The context of the same write inside a field.
    public func inside(_ field: String) -> WriteContext {
        WriteContext(self, inside: field, roundsToSeconds: roundsToSeconds)
    }

    /// Prepares the value of a field that contains dates, decimals or embedded values.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - field: the field's name.
    ///   - wholeSeconds: whether the field is declared to have a precision of seconds.
    public func prepared<V: FieldValue>(
        _ value: V, _ field: String, wholeSeconds: Bool = false
    ) throws -> V {
        guard wholeSeconds else { return try value.prepared(for: inside(field)) }
        return try value.prepared(
            for: WriteContext(self, inside: field, roundsToSeconds: true))
    }

    /// Prepares the value of a field of dates whose form in a column has a precision of its own.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - field: the field's name.
    ///   - form: the declared form. Dates are rounded to its precision.
    /// - Throws: `invalidItem` for a date that the form cannot hold.
    public func prepared<V: FieldValue>(_ value: V, _ field: String, as form: DateForm) throws -> V
    {
        try value.prepared(
            for: WriteContext(
                self, inside: field, roundsToSeconds: roundsToSeconds, dateForm: form))
    }

    /// The value of a field declared `onUpdate: now`: the time of the write, or the given value in
    /// a create.
    public func stamped(_ value: Date) -> Date {
        operation == .create || keepsDates ? value : now
    }

    /// The value of an optional field declared `onUpdate: now`.
    public func stamped(_ value: Date?) -> Date? {
        operation == .create || keepsDates ? value : now
    }

    /// Reports a broken rule of a field of the record, or of the field that this context is inside
    /// of if `field` is nil.
    ///
    /// - Throws: `invalidItem`, unless broken rules are collected.
    func report(
        _ rule: CRUDRepositoryError.Violation.Rule, _ field: String?, _ reason: String
    ) throws {
        let full = field.map { path + $0 } ?? String(path.dropLast())
        let error = CRUDRepositoryError.invalidItem(field: full, reason: reason, rule: rule)
        guard let collector else { throw error }
        collector.add(error)
    }
}
