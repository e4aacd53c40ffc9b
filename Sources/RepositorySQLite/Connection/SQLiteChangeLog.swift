internal import RepositoryRuntime

/// What a transaction has changed so far, for those who observe.
struct SQLiteChangeLog {
    /// By table; nil where any may have been changed.
    private var tables: [String: StoreChange.Records]? = [:]

    /// The change; nil where there is none.
    var change: StoreChange? {
        tables.map { $0.isEmpty ? nil : StoreChange($0) } ?? .anything
    }

    /// Adds a record of a known id.
    mutating func add(_ table: String, id: String) {
        guard tables != nil else { return }
        switch tables?[table] {
        case .unknown: return
        case .ids(var ids):
            // Taken out, so that the set is not copied.
            tables?[table] = .ids([])
            let known = ids.insert(id).memberAfterInsert
            // A set of texts holds ids that differ in their Unicode form only as one.
            tables?[table] = known.utf8.elementsEqual(id.utf8) ? .ids(ids) : .unknown
        case nil: tables?[table] = .ids([id])
        }
    }

    /// Adds records of a table that nobody knows.
    mutating func addUnknown(_ table: String) { tables?[table] = .unknown }

    /// Anything may have been changed.
    mutating func addAnything() { tables = nil }

    /// Adds what another log holds.
    mutating func add(_ other: SQLiteChangeLog) {
        guard let others = other.tables else { return addAnything() }
        for (table, records) in others {
            switch records {
            case .unknown: addUnknown(table)
            case .ids(let ids): for id in ids { add(table, id: id) }
            }
        }
    }
}
