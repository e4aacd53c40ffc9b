public import Foundation

/// One write of a record, as the generated `prepare` sees it: the moment, and the rules in words.
public struct WriteContext: Sendable {
    /// What the write does.
    public enum Operation: Sendable {
        /// A new record.
        case create
        /// A change of a record that must be there, or a save over one that may be there.
        case update
    }

    /// What the write does.
    public let operation: Operation
    /// The moment of the write, rounded to microseconds.
    public let now: Date
    /// The path of the record within the one that is written, with a final dot; empty for the record itself.
    public var path: String { field.map { "\(outer)\($0)." } ?? outer }
    /// The path of what the field lies in, and the field: put together where somebody asks, which is in errors.
    private let outer: String
    private let field: String?
    /// Whether moments are rounded to whole seconds rather than microseconds, because the store's format keeps no more.
    public let keepsWholeSeconds: Bool

    /// Makes the context of one write.
    ///
    /// - Parameters:
    ///   - operation: what the write does.
    ///   - now: the moment of the write.
    ///   - path: the path of the record within the one that is written, with a final dot.
    ///
    /// - Parameter keepsWholeSeconds: whether moments are rounded to whole seconds.
    public init(
        _ operation: Operation, now: Date, path: String = "", keepsWholeSeconds: Bool = false
    ) {
        self.operation = operation
        self.now = StoredDate.rounded(now, toSeconds: keepsWholeSeconds)
        outer = path
        field = nil
        self.keepsWholeSeconds = keepsWholeSeconds
    }

    private init(_ write: WriteContext, inside field: String, keepsWholeSeconds: Bool) {
        operation = write.operation
        let isRounded = keepsWholeSeconds == write.keepsWholeSeconds
        now = isRounded ? write.now : StoredDate.rounded(write.now, toSeconds: keepsWholeSeconds)
        outer = write.path
        self.field = field
        self.keepsWholeSeconds = keepsWholeSeconds
    }

    /// The same write, one field down.
    public func inside(_ field: String) -> WriteContext {
        WriteContext(self, inside: field, keepsWholeSeconds: keepsWholeSeconds)
    }

    /// The value to store for a field that holds dates, decimals or embedded values.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - field: the field's name.
    ///   - wholeSeconds: whether the field is declared to keep no more of a moment than its seconds.
    public func prepared<V: FieldValue>(
        _ value: V, _ field: String, wholeSeconds: Bool = false
    ) throws -> V {
        guard wholeSeconds else { return try value.prepared(for: inside(field)) }
        return try value.prepared(
            for: WriteContext(self, inside: field, keepsWholeSeconds: true))
    }

    /// What a field declared `onUpdate: now` becomes: the moment of the write, except in a create.
    public func stamped(_ value: Date) -> Date {
        operation == .create ? value : now
    }

    /// What an optional field declared `onUpdate: now` becomes.
    public func stamped(_ value: Date?) -> Date? {
        operation == .create ? value : now
    }

    /// The error for the field that this context is inside of, or for `field` of the record.
    func failure(_ field: String?, _ reason: String) -> CRUDRepositoryError {
        let full = field.map { path + $0 } ?? String(path.dropLast())
        return .invalidItem(field: full, reason: reason)
    }
}
