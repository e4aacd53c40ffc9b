public import Foundation

/// Where `default: now` and `default: generated` come from when an entity is made.
///
/// A generated initialiser asks here. The system's clock and version 7 UUIDs answer, unless a test puts its own in
/// place with ``withValues(now:uuid:_:)`` or a generated set's `withDefaults`.
public enum EntityDefaults {
    /// A source of moments and ids.
    public struct Source: Sendable {
        /// The present moment.
        public var now: @Sendable () -> Date
        /// A new id.
        public var uuid: @Sendable () -> UUID

        /// Makes a source.
        public init(now: @escaping @Sendable () -> Date, uuid: @escaping @Sendable () -> UUID) {
            self.now = now
            self.uuid = uuid
        }

        /// The system's clock and version 7 UUIDs.
        public static let system = Source(now: { Date() }, uuid: { UUIDVersion7.next() })
    }

    /// The source of the running task.
    @TaskLocal public static var source = Source.system

    /// The present moment, rounded to microseconds.
    public static func now() -> Date { StoredDate.rounded(source.now()) }

    /// A new id.
    public static func uuid() -> UUID { source.uuid() }

    /// Runs a body in which entities are made with this clock and these ids.
    public static func withValues<R>(
        now: @escaping @Sendable () -> Date, uuid: @escaping @Sendable () -> UUID,
        _ body: () throws -> R
    ) rethrows -> R {
        try $source.withValue(Source(now: now, uuid: uuid), operation: body)
    }
}

extension EntityDefaults {
    /// The constant default of a URL field, from a text that the generator has checked.
    ///
    /// - Parameter text: a URL or a relative reference. A text that this platform's parser refuses becomes the path of
    ///   a file URL, so that making an entity never fails.
    public static func url(_ text: String) -> URL {
        URL(string: text) ?? URL(fileURLWithPath: text)
    }
}
