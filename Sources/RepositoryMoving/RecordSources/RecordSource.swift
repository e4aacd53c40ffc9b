public import RepositoryRuntime

/// Records that are read in id order and never written: those of another database's file, of an
/// export, or of a library that an app is leaving.
///
/// ``RecordFunctions`` is a source of one function per entity. A type of its own implements
/// ``page(_:after:limit:)``; if its records are not in id order, it implements
/// ``UnorderedRecordSource``, and ``SortedSource`` sorts them on disk.
///
/// Id order is the order of ids in Swift: integers by value, strings by their UTF-8 bytes, UUIDs by
/// their 16 bytes, enums by raw value, and composite ids component by component.
public protocol RecordSource: Sendable {
    /// What is read, for reports, such as `Realm file default.realm`. It contains no values.
    var name: String { get }

    /// Returns a value that is different when the content of the source is, such as the size,
    /// version and modification time of a file; nil if that is not known.
    ///
    /// - Throws: an error if the source cannot be read. A source that cannot be read is never an
    ///   empty one.
    func state() async throws -> String?

    /// Returns what does not fit between the source and the entities of a schema: properties that
    /// no field takes, and fields that nothing fills. The default implementation returns none.
    func mappingProblems(_ schema: StoreSchema) async throws -> [MappingProblem]

    /// Returns the greatest id that was given for each table whose ids are assigned, if the source
    /// knows it. The default implementation returns none.
    func idCounters() async throws -> [String: Int64]

    /// Returns the number of records of a type, including those that cannot be read.
    func count<E: Entity>(_ type: E.Type) async throws -> Int

    /// Returns records of a type after an id, in id order; the first ones if `id` is nil.
    ///
    /// A page with fewer records than the limit is not the end. The end is a page whose `last` is
    /// nil.
    func page<E: Entity>(
        _ type: E.Type, after id: E.ID?, limit: Int
    ) async throws -> SourcePage<E>

    /// Returns the record with an id; nil if there is none.
    ///
    /// The default implementation reads all records before it.
    ///
    /// - Throws: `invalidRecord` if the record cannot be read.
    func record<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E?
}

/// Records of a source in id order.
public struct SourcePage<Model: Entity>: Sendable {
    /// The records that can be read, in id order.
    public var records: [Model]
    /// The records of the same part of the source that cannot be read.
    public var failures: [RecordFailure]
    /// The id after which the next page begins; nil at the end, where the page is empty.
    public var last: Model.ID?

    /// Creates a page that ends with its last record.
    public init(_ records: [Model]) {
        self.init(records, failures: [], last: records.last?.id)
    }

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - records: the records that can be read, in id order.
    ///   - failures: the records that cannot be read.
    ///   - last: the id after which the next page begins.
    public init(_ records: [Model], failures: [RecordFailure], last: Model.ID?) {
        self.records = records
        self.failures = failures
        self.last = last
    }
}

/// A record that cannot be read, or cannot be stored.
public struct RecordFailure: Sendable, Hashable, Codable {
    /// The name of the table.
    public var table: String
    /// The text of the id; in a source that has none, what identifies the record there.
    public var id: String
    /// The path of the field; nil if the whole record is concerned.
    public var field: String?
    /// The problem, as a clause without a final period. It contains no values.
    public var reason: String

    /// Creates a value.
    public init(table: String, id: String, field: String? = nil, reason: String) {
        self.table = table
        self.id = id
        self.field = field
        self.reason = reason
    }
}

/// What does not fit between a source and a schema.
public struct MappingProblem: Sendable, Hashable, Codable {
    /// The kind of a problem. Sources may define further kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A table or class of the source that no entity takes.
        public static let unusedTable = Self(rawValue: "unusedTable")
        /// A property of the source that no field takes: its values are not copied.
        public static let unusedProperty = Self(rawValue: "unusedProperty")
        /// An entity for which the source has no table.
        public static let missingTable = Self(rawValue: "missingTable")
        /// A field that nothing in the source fills: it gets its default, or null.
        public static let unfilledField = Self(rawValue: "unfilledField")
        /// A field that is filled by a conversion that may lose something, such as rounding.
        public static let convertedField = Self(rawValue: "convertedField")
        /// Data that the source says is not complete, such as changes that are not synced.
        public static let pendingChanges = Self(rawValue: "pendingChanges")
    }

    /// The kind.
    public var kind: Kind
    /// The name of the table of the entity; for an unused table, its name in the source.
    public var table: String
    /// The field of the entity; for an unused property, its name in the source.
    public var field: String?
    /// The problem as a sentence. It contains no values.
    public var message: String
    /// Whether records cannot be read because of it, so that a copy stops until the mapping is
    /// corrected.
    public var isFatal: Bool

    /// Creates a problem.
    public init(
        _ kind: Kind, table: String, field: String? = nil, _ message: String, isFatal: Bool = false
    ) {
        self.kind = kind
        self.table = table
        self.field = field
        self.message = message
        self.isFatal = isFatal
    }
}

extension RecordSource {
    /// Returns no problems.
    public func mappingProblems(_ schema: StoreSchema) async throws -> [MappingProblem] { [] }

    /// Returns no counters.
    public func idCounters() async throws -> [String: Int64] { [:] }

    /// Reads all records up to the one with the id.
    public func record<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E? {
        var last: E.ID?
        while true {
            let page = try await page(type, after: last, limit: 256)
            if let found = page.records.first(where: { $0.id == id }) { return found }
            if let failure = page.failures.first(where: { $0.id == id.description }) {
                throw CRUDRepositoryError.invalidRecord(
                    id: failure.id, table: failure.table, field: failure.field,
                    reason: failure.reason)
            }
            guard let next = page.last, next < id else { return nil }
            last = next
        }
    }
}
