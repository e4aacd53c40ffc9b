/// What opening a store would change in its data. The program gets it from `migrationPlan()`, which
/// changes nothing.
///
/// ```swift
/// let plan = try await library.migrationPlan()
/// if plan.rewritesRecords { showProgress(plan.records) }
/// ```
public struct MigrationPlan: Sendable, Hashable {
    /// The version of stored data or of a schema.
    public enum Version: Sendable, Hashable {
        /// There is no data of the set yet.
        case none
        /// A released version.
        case released(Int)
        /// A version that reached data without a release, by the name of `release --side`.
        case side(String)
        /// An unreleased schema, which follows this version if it is known.
        case unreleased(after: Int?)
        /// The version cannot be determined; ``MigrationPlan/problems`` has the reason.
        case unknown
    }

    /// A change.
    public struct Step: Sendable, Hashable {
        /// The code of the change, such as `field-added`: one of those that the page `Verdicts`
        /// lists.
        public var code: String
        /// The table.
        public var table: String
        /// The field, or the path of a member; nil for a change of a whole table.
        public var field: String?
        /// The released version that makes the change; nil for a change that comparing the schemas
        /// found.
        public var version: Int?
        /// The change as a clause without a final period.
        public var text: String

        /// Creates a step.
        public init(
            code: String, table: String, field: String? = nil, version: Int? = nil, text: String
        ) {
            self.code = code
            self.table = table
            self.field = field
            self.version = version
            self.text = text
        }
    }

    /// A table whose records are all rewritten, or read by a function over several entities.
    public struct Table: Sendable, Hashable {
        /// The declared name of the table; the stored name of one that a function over several
        /// entities reads.
        public var name: String
        /// The number of records.
        public var records: Int
        /// The approximate size of the stored records in bytes, with their indexes.
        public var bytes: Int

        /// Creates a value.
        public init(name: String, records: Int, bytes: Int) {
            self.name = name
            self.records = records
            self.bytes = bytes
        }
    }

    /// The kind of store.
    public var store: String
    /// The version of the stored data.
    public var from: Version
    /// The version of the program's schema.
    public var to: Version
    /// The changes, in their order.
    public var steps: [Step] = []
    /// The tables whose records are rewritten, or read by functions over several entities, by name.
    public var tables: [Table] = []
    /// The approximate number of bytes that the migration needs on disk until it has ended. A
    /// function over several entities is assumed to write as much as it reads.
    public var neededBytes = 0
    /// The number of bytes that are free on the volume; nil if it is unknown.
    public var freeBytes: Int?
    /// The reasons why the data cannot be opened, as clauses without a final period.
    public var problems: [String] = []
    /// Whether the store or its description changes when it is opened.
    public var isNeeded = false
    /// Whether `opening: .refuse` would throw.
    public var isRefusedByRefuse = false

    /// Creates a plan.
    public init(store: String, from: Version, to: Version) {
        self.store = store
        self.from = from
        self.to = to
    }
}

extension MigrationPlan {
    /// Whether stored records are rewritten.
    public var rewritesRecords: Bool { !tables.isEmpty }
    /// The number of records that are rewritten, or read by functions over several entities.
    public var records: Int { tables.reduce(0) { $0 + $1.records } }
    /// Whether the data can be opened, and the disk has space for it.
    public var isPossible: Bool {
        problems.isEmpty && (freeBytes.map { $0 >= neededBytes } ?? true)
    }
    /// Whether no released version wrote the data, so that a development build may remove it.
    package var isUnreleased: Bool {
        if case .unreleased = from { true } else { false }
    }
}

extension MigrationPlan.Version: CustomStringConvertible {
    /// The version in words.
    public var description: String {
        switch self {
        case .none: "no data"
        case .released(let number): "version \(number)"
        case .side(let name): "the side version '\(name)'"
        case .unreleased(let number?): "an unreleased schema after version \(number)"
        case .unreleased(nil): "an unreleased schema"
        case .unknown: "an unknown version"
        }
    }
}

extension MigrationPlan: CustomStringConvertible {
    /// The plan as lines of text.
    public var description: String {
        var lines = ["\(store): from \(from) to \(to)" + (isNeeded ? "" : ", nothing to do")]
        lines += steps.map { "- \($0.code): \($0.text)" }
        lines += tables.map {
            "- '\($0.name)' is rewritten: \($0.records) records, about \(MigrationControl.text($0.bytes))"
        }
        if neededBytes > 0 {
            let free = freeBytes.map { ", \(MigrationControl.text($0)) are free" } ?? ""
            lines.append("- disk space: about \(MigrationControl.text(neededBytes))\(free)")
        }
        lines += problems.map { "- problem: \($0)" }
        return lines.joined(separator: "\n")
    }
}
