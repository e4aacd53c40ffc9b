/// The result of a check of a store: its problems, and which of them were repaired.
///
/// ```swift
/// let check = try await library.check()
/// for problem in check.problems { print(problem) }
/// ```
public struct StoreCheck: Sendable, Hashable {
    /// One problem.
    public struct Problem: Sendable, Hashable {
        /// The kind of a problem. Stores may define further kinds.
        public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
            /// The name of the kind.
            public let rawValue: String

            /// Creates a kind from its name.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The name of the kind.
            public var description: String { rawValue }

            /// A stored record cannot be decoded. It cannot be derived from anything else: replace
            /// or delete it.
            public static let unreadableRecord = Self(rawValue: "unreadableRecord")
            /// A record refers to a record that is not stored. Change or delete it.
            public static let danglingReference = Self(rawValue: "danglingReference")
            /// Two records have the same value of a unique index, because something else than the
            /// store has written one of them. Change or delete one of them; until then, the index
            /// cannot be rebuilt.
            public static let duplicateValue = Self(rawValue: "duplicateValue")
            /// An index does not find a record. Indexes are derived from the records, and repaired.
            public static let outdatedIndex = Self(rawValue: "outdatedIndex")
            /// The search index of a table does not find all records with a word. It is derived
            /// from the records, and repaired.
            public static let outdatedSearchIndex = Self(rawValue: "outdatedSearchIndex")
            /// The counter of assigned ids cannot be read, or is behind an id that a record has. It
            /// is repaired.
            public static let outdatedCounter = Self(rawValue: "outdatedCounter")
            /// The external data of a field is missing, or has another hash than the record says.
            /// Restore it from a backup, or store it again.
            public static let damagedExternalData = Self(rawValue: "damagedExternalData")
            /// External data that no record has is still stored, because another program removed
            /// records without it. It is removed.
            public static let strayExternalData = Self(rawValue: "strayExternalData")
            /// The database reports damage of its file. Its indexes are repaired; restore a backup
            /// if problems remain.
            public static let damagedDatabase = Self(rawValue: "damagedDatabase")
        }

        /// The kind.
        public var kind: Kind
        /// The name of the table; nil if the problem concerns the whole store.
        public var table: String?
        /// The string form of the record's id.
        public var id: String?
        /// The name of the field or of the index.
        public var field: String?
        /// A sentence that describes the problem. It contains no values of fields.
        public var message: String
        /// Whether the check has repaired the problem.
        public var isRepaired = false

        /// Creates a problem that is not repaired.
        public init(
            _ kind: Kind, table: String? = nil, id: String? = nil, field: String? = nil,
            _ message: String
        ) {
            self.kind = kind
            self.table = table
            self.id = id
            self.field = field
            self.message = message
        }
    }

    /// The problems, in the order of the tables and of the ids.
    public var problems: [Problem]
    /// The number of records that were read.
    public var recordCount: Int

    /// Creates a result.
    public init(problems: [Problem] = [], recordCount: Int = 0) {
        self.problems = problems
        self.recordCount = recordCount
    }

    /// Whether no problem remains.
    public var isSound: Bool { problems.allSatisfy(\.isRepaired) }
}

extension StoreCheck.Problem: CustomStringConvertible {
    /// The kind and the message.
    public var description: String {
        "\(kind): \(message)\(isRepaired ? " It was repaired." : "")"
    }
}
