public import Foundation

/// Why a copy or a comparison stopped. Nothing is lost: the source is unchanged, and a copy that is
/// called again goes on.
public struct MoveError: Error, Sendable {
    /// The kind of an error. Later versions may define further codes.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the code.
        public var description: String { rawValue }

        /// The source has no data of the set: it does not exist, or the path, suite, schema or
        /// tenant is another one. It was not created.
        public static let sourceNotFound = Self(rawValue: "sourceNotFound")
        /// The source has no records. Nothing was written, and nothing is noted as done.
        public static let nothingToMove = Self(rawValue: "nothingToMove")
        /// A table of the source that had records at an earlier copy has none. Nothing was removed
        /// from the target.
        public static let sourceEmptied = Self(rawValue: "sourceEmptied")
        /// The target has records that this copy did not write. Nothing was written.
        public static let targetNotEmpty = Self(rawValue: "targetNotEmpty")
        /// Both sides have changed since the copy: say who wins with `merge:`.
        public static let mergeNeeded = Self(rawValue: "mergeNeeded")
        /// The target was begun from another source, or by a program with another schema.
        public static let otherMove = Self(rawValue: "otherMove")
        /// The source was changed while it was copied.
        public static let sourceChanged = Self(rawValue: "sourceChanged")
        /// Another program has taken over the copy. It goes on there.
        public static let takenOver = Self(rawValue: "takenOver")
        /// Records are lost or refused that the decisions do not allow. The report lists them.
        public static let stopped = Self(rawValue: "stopped")
        /// A source gave ids that do not rise, or fewer records than it counts.
        public static let unreliableSource = Self(rawValue: "unreliableSource")
        /// The files of an export are incomplete, changed or of another schema.
        public static let invalidExport = Self(rawValue: "invalidExport")
        /// The store, or the pair of stores, cannot be copied.
        public static let unsupported = Self(rawValue: "unsupported")
    }

    /// The kind.
    public var code: Code
    /// A sentence that describes the error.
    public var message: String
    /// The name of the table; nil if none is concerned.
    public var table: String?
    /// What was found until then; nil if nothing was compared.
    public var report: MoveReport?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, table: String? = nil, report: MoveReport? = nil
    ) {
        self.code = code
        self.message = message
        self.table = table
        self.report = report
    }

    /// Whether the same call may succeed if it is repeated.
    public var isRetryable: Bool { code == .sourceChanged }
}

extension MoveError: LocalizedError, CustomStringConvertible {
    /// The message.
    public var errorDescription: String? { message }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
