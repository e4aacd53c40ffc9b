public import Foundation

/// The source of the values for `default: now` and `default: generated`.
///
/// Generated initializers call it. By default it returns the system clock's date and version 7
/// UUIDs. A test can replace both with ``withValues(now:uuid:_:)`` or with `withDefaults` of a
/// generated set.
public enum EntityDefaults {
    /// A source of dates and ids.
    public struct Source: Sendable {
        /// Returns the current date.
        public var now: @Sendable () -> Date
        /// A new id.
        public var uuid: @Sendable () -> UUID

        /// Creates a source.
        public init(now: @escaping @Sendable () -> Date, uuid: @escaping @Sendable () -> UUID) {
            self.now = now
            self.uuid = uuid
        }

        /// The system's clock and version 7 UUIDs.
        public static let system = Source(now: { Date() }, uuid: { UUIDVersion7.next() })
    }

    /// The source of the current task.
    @TaskLocal public static var source = Source.system

    /// The current date, rounded to microseconds.
    public static func now() -> Date { StoredDate.rounded(source.now()) }

    /// A new id.
    public static func uuid() -> UUID { source.uuid() }

    /// Calls a closure, in which new entities use the given clock and ids.
    public static func withValues<R>(
        now: @escaping @Sendable () -> Date, uuid: @escaping @Sendable () -> UUID,
        _ body: () throws -> R
    ) rethrows -> R {
        try $source.withValue(Source(now: now, uuid: uuid), operation: body)
    }
}

extension EntityDefaults {
    /// The constant default of a URL field.
    ///
    /// - Parameter text: a URL or a relative reference, which the generator has validated. If this
    ///   platform's parser rejects it nevertheless, it becomes the path of a file URL, so that
    ///   creating an entity never fails.
    public static func url(_ text: String) -> URL {
        URL(string: text) ?? URL(fileURLWithPath: text)
    }

    /// A constant day: a default or a bound.
    ///
    /// The generator has validated the numbers; others give the first day.
    public static func localDate(_ year: Int, _ month: Int, _ day: Int) -> LocalDate {
        LocalDate(year: year, month: month, day: day) ?? .min
    }
}
