/// The changes of a transaction so far, for the observers of the store.
///
/// The ids of changed records are collected per table. A table of which they are not known is
/// recorded as a whole.
package struct ChangeLog {
    /// The changed records by table; `nil` if anything may have changed.
    private var tables: [String: StoreChange.Records]? = [:]

    /// Creates a log without changes.
    package init() {}

    /// The collected change; `nil` if there is none.
    package var change: StoreChange? {
        tables.map { $0.isEmpty ? nil : StoreChange($0) } ?? .anything
    }

    /// Adds a changed record.
    package mutating func add(_ table: String, id: String) {
        guard tables != nil else { return }
        switch tables?[table] {
        case .unknown: return
        case .ids(var ids):
            // The dictionary's set is replaced first, so that `ids` is uniquely referenced and not
            // copied.
            tables?[table] = .ids([])
            let known = ids.insert(id).memberAfterInsert
            // A `Set<String>` treats canonically equivalent ids as one element. Such ids make the
            // whole table unknown.
            tables?[table] = known.utf8.elementsEqual(id.utf8) ? .ids(ids) : .unknown
        case nil: tables?[table] = .ids([id])
        }
    }

    /// Records that unknown records of a table have changed.
    package mutating func addUnknown(_ table: String) { tables?[table] = .unknown }

    /// Records that anything may have changed.
    package mutating func addAnything() { tables = nil }

    /// Adds the changes of another log.
    package mutating func add(_ other: ChangeLog) {
        guard let others = other.tables else { return addAnything() }
        for (table, records) in others {
            switch records {
            case .unknown: addUnknown(table)
            case .ids(let ids): for id in ids { add(table, id: id) }
            }
        }
    }
}
