/// The changes that an observation depends on.
enum ChangeInterest: Sendable, Hashable {
    /// All changes.
    case everything
    /// The changes of these tables.
    case tables(Set<String>)
    /// The changes of one record, identified by the string form of its id.
    case record(String, table: String)

    /// The changes of tables of a schema.
    ///
    /// What is only read may be a view, whose records change with those of any table.
    init(_ names: Set<String>, of schema: StoreSchema) {
        let isReadOnly = names.contains { schema.table($0)?.isReadOnly ?? false }
        self = isReadOnly ? .everything : .tables(names)
    }

    /// Whether a change of some records of a table is of interest.
    func concerns(_ records: StoreChange.Records, of table: String) -> Bool {
        switch self {
        case .everything: true
        case .tables(let tables): tables.contains(table)
        case .record(let id, table: table):
            switch records {
            case .ids(let ids): ids.contains(id)
            case .unknown: true
            }
        case .record: false
        }
    }
}

/// The changes committed since an observation last took them, limited to its interest.
///
/// Its size is bounded: a table with more than ``maximumIDs`` changed records is recorded as
/// changed, without the ids.
struct GatheredChanges: Sendable, Equatable {
    /// The changed records of a table.
    enum Records: Sendable, Equatable {
        /// The records with these ids.
        case ids(Set<TextKey>)
        /// An unknown set of records.
        case unknown
    }

    /// The largest number of ids gathered per table. Beyond it, the ids are dropped and the records
    /// count as unknown.
    static let maximumIDs = 1_000

    /// Whether the change is unspecified: any record of any table may have changed.
    private(set) var isAnything = false
    /// The changed records by table. A table without changes has no entry.
    private var tables: [String: Records] = [:]

    /// An unspecified change.
    static var anything: Self {
        var changes = Self()
        changes.isAnything = true
        return changes
    }

    var isEmpty: Bool { !isAnything && tables.isEmpty }

    /// The changed records of a table; nil if none changed.
    subscript(table: String) -> Records? {
        isAnything ? .unknown : tables[table]
    }

    /// The keys of the changed records of a table: empty if none changed, nil if they are unknown.
    func ids(of table: String) -> [TextKey]? {
        switch self[table] {
        case nil: []
        case .unknown: nil
        case .ids(let keys): Array(keys)
        }
    }

    /// Adds the part of a change that is of interest. Returns whether there is such a part.
    mutating func add(_ change: StoreChange, for interest: ChangeInterest) -> Bool {
        guard let changed = change.tables else {
            self = .anything
            return true
        }
        var isConcerned = false
        for (table, records) in changed where interest.concerns(records, of: table) {
            isConcerned = true
            if !isAnything { add(records, to: table) }
        }
        return isConcerned
    }

    /// Drops the changes that an interest does not cover.
    mutating func narrow(to interest: ChangeInterest) {
        guard case .tables(let names) = interest else { return }
        tables = tables.filter { names.contains($0.key) }
    }

    /// Adds changed records of one table. Beyond ``maximumIDs``, the records count as unknown.
    private mutating func add(_ records: StoreChange.Records, to table: String) {
        // The set is removed from the dictionary while it grows, so that it is not copied.
        var known = tables.updateValue(.unknown, forKey: table) ?? .ids([])
        guard case .ids(let added) = records, case .ids(var ids) = known else { return }
        known = .unknown
        guard added.count <= Self.maximumIDs else { return }
        for id in added { ids.insert(TextKey(id)) }
        if ids.count <= Self.maximumIDs { tables[table] = .ids(ids) }
    }
}
