internal import RepositoryRuntime
internal import StoredSchema

/// The id of a record of a table in one version.
struct ModelID: Hashable {
    /// The index of the changes of the version.
    let version: Int
    /// The name of the table after the renames of the version.
    let table: String
    /// The id: the value, or the components by name.
    let id: StoredValue
}

/// The new ids of the records that are known so far.
struct ModelIDs {
    /// The new id of each record, by its id before the version.
    private(set) var new: [ModelID: StoredValue] = [:]
    private var taken: Set<ModelID> = []

    /// The new id of a record; nil if it is not known.
    subscript(_ old: ModelID) -> StoredValue? { new[old] }

    /// Whether another record has a new id.
    func isTaken(_ id: StoredValue, by record: ModelID) -> Bool {
        taken.contains(ModelID(version: record.version, table: record.table, id: id))
    }

    /// Adds the ids of a record.
    mutating func add(_ ids: [ModelID: StoredValue]) {
        for (old, id) in ids {
            new[old] = id
            taken.insert(ModelID(version: old.version, table: old.table, id: id))
        }
    }
}

extension [DataChange] {
    /// Returns how the key of a table changes in the version; nil if its records keep their ids, or
    /// if these are converted by value.
    ///
    /// - Parameter table: the table before the version.
    func keyChange(of table: StoredTable) -> (name: String, old: [String], new: [String])? {
        var tables = [table]
        for change in self { change.apply(to: &tables) }
        guard let after = tables.first else { return nil }
        let isChanged = contains { change in
            switch change {
            case .convertByCode(let path, _, _, _), .addByCode(let path, _, _, _):
                path.table == after.name && path.steps.count == 1
                    && after.key.contains(path.steps[0])
            case .followID(_, _, _, after.name): true
            case .records(after.name, _, _):
                after.key != table.key
                    || after.key.map { after.field($0)?.type }
                        != table.key.map { table.field($0)?.type }
            default: false
            }
        }
        return isChanged ? (after.name, table.key, after.key) : nil
    }
}

extension [String: StoredValue] {
    /// The id that consists of members, as a reference stores it.
    func id(_ key: [String]) -> StoredValue {
        guard key.count > 1 else { return key.first.flatMap { self[$0] } ?? .null }
        return .object(
            Dictionary(key.map { ($0, self[$0] ?? .null) }, uniquingKeysWith: { $1 }))
    }
}
