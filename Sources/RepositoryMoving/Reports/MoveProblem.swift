/// Something that a copy loses or refuses, or that is worth knowing before it, with the first
/// records that it concerns.
public struct MoveProblem: Sendable, Hashable, Codable {
    /// The kind of a problem. Later versions and sources may define further kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the kind.
        public var description: String { rawValue }

        /// A record of the source cannot be read.
        public static let unreadableRecord = Self(rawValue: "unreadableRecord")
        /// A value breaks a rule of the schema, or the target cannot hold it.
        public static let invalidValue = Self(rawValue: "invalidValue")
        /// A record has the value of a unique index that another record has.
        public static let duplicateValue = Self(rawValue: "duplicateValue")
        /// A record refers to a record that is not there.
        public static let danglingReference = Self(rawValue: "danglingReference")
        /// The target stores dates as whole seconds: fractions are rounded.
        public static let rounding = Self(rawValue: "rounding")
        /// Something does not fit between a source and the schema. See ``MappingProblem``.
        public static let mapping = Self(rawValue: "mapping")
        /// The table is only read, such as a view: it is not copied.
        public static let readOnlyTable = Self(rawValue: "readOnlyTable")
        /// The source has data of an earlier version of the schema, which opening it migrates.
        public static let migration = Self(rawValue: "migration")
        /// The target has records already.
        public static let targetNotEmpty = Self(rawValue: "targetNotEmpty")
        /// The external data of a record is missing or damaged.
        public static let damagedExternalData = Self(rawValue: "damagedExternalData")
    }

    /// The kind.
    public var kind: Kind
    /// The name of the table; nil if the whole store is concerned.
    public var table: String?
    /// The field; nil if whole records are concerned.
    public var field: String?
    /// The number of records.
    public var count: Int
    /// The ids of the first records, at most 20.
    public var ids: [String]
    /// The problem as a sentence. It contains no values.
    public var message: String
    /// Whether a copy stops because of it, unless a decision allows it.
    public var stops: Bool

    /// Creates a problem.
    public init(
        _ kind: Kind, table: String? = nil, field: String? = nil, count: Int = 0,
        ids: [String] = [], _ message: String, stops: Bool
    ) {
        self.kind = kind
        self.table = table
        self.field = field
        self.count = count
        self.ids = ids
        self.message = message
        self.stops = stops
    }
}

extension MoveProblem: CustomStringConvertible {
    /// The kind, the table and field, the message and the ids.
    public var description: String {
        let subject = [table, field].compactMap { $0 }.joined(separator: ".")
        let place = subject.isEmpty ? "" : " \(subject)"
        let named = ids.map { "'\($0)'" }.joined(separator: ", ")
        let more = count > ids.count && !ids.isEmpty ? ", and \(count - ids.count) more" : ""
        let records = count > 0 ? " (\(count): \(named)\(more))" : ""
        return "\(kind)\(place): \(message)\(records)"
    }
}

/// What a copy does with records that it cannot copy as they are.
public enum MoveDecision: Sendable, Hashable {
    /// The copy does not end as complete: it throws ``MoveError/Code/stopped`` with all of them.
    case stop
    /// The records are left out, and written to the file `setAside:`.
    case setAside
    /// The field is set to null if it is optional; otherwise as `stop`.
    case null
}

/// Collects problems: one for each kind, table and field.
struct ProblemList {
    private(set) var all: [MoveProblem] = []
    private var positions: [String: Int] = [:]

    /// Adds a problem that concerns one record, or none.
    mutating func add(
        _ kind: MoveProblem.Kind, table: String?, field: String? = nil, id: String? = nil,
        _ message: String, stops: Bool
    ) {
        let key = "\(kind)\u{0}\(table ?? "")\u{0}\(field ?? "")\u{0}\(stops)"
        let position = positions[key] ?? all.count
        if position == all.count {
            positions[key] = position
            all.append(MoveProblem(kind, table: table, field: field, message, stops: stops))
        }
        guard let id else { return }
        all[position].count += 1
        if all[position].ids.count < 20 { all[position].ids.append(id) }
    }
}
