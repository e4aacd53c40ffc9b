/// Which changes of a store an observation looks at.
enum ChangeInterest: Sendable, Hashable {
    /// Every change.
    case everything
    /// Those of these tables.
    case tables(Set<String>)
    /// Those of one record, by its id in its text form.
    case record(String, table: String)

    /// Whether a change of some records of a table is looked at.
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

/// What was committed since an observation last looked, as far as it looks at it: of a bounded size, however much that was.
struct GatheredChanges: Sendable, Equatable {
    /// The records of a table that changed.
    enum Records: Sendable, Equatable {
        /// Those with these ids.
        case ids(Set<TextKey>)
        /// Some; nobody knows which.
        case unknown
    }

    /// How many ids of a table are remembered; of more it is only known that there were some.
    static let maximumIDs = 1_000

    /// Whether anything may have changed.
    private(set) var isAnything = false
    private var tables: [String: Records] = [:]

    /// Anything may have changed.
    static var anything: Self {
        var changes = Self()
        changes.isAnything = true
        return changes
    }

    var isEmpty: Bool { !isAnything && tables.isEmpty }

    /// What changed in a table; nil for nothing.
    subscript(table: String) -> Records? {
        isAnything ? .unknown : tables[table]
    }

    /// The ids of what changed in a table, in their text form; nil where they are not known.
    func ids(of table: String) -> [TextKey]? {
        switch self[table] {
        case nil: []
        case .unknown: nil
        case .ids(let texts): Array(texts)
        }
    }

    /// Adds what of a change an observation looks at; returns whether that is anything.
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

    /// Forgets what an observation no longer looks at.
    mutating func narrow(to interest: ChangeInterest) {
        guard case .tables(let names) = interest else { return }
        tables = tables.filter { names.contains($0.key) }
    }

    private mutating func add(_ records: StoreChange.Records, to table: String) {
        // Taken out while it grows, so that it is not copied.
        var known = tables.updateValue(.unknown, forKey: table) ?? .ids([])
        guard case .ids(let texts) = records, case .ids(var ids) = known else { return }
        known = .unknown
        guard texts.count <= Self.maximumIDs else { return }
        for text in texts { ids.insert(TextKey(text)) }
        if ids.count <= Self.maximumIDs { tables[table] = .ids(ids) }
    }
}
