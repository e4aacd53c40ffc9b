internal import RepositoryRuntime
internal import StoredSchema
internal import Synchronization

/// The results of the functions that give records new ids, which need not be pure: a later call for
/// the same record gives the same result.
final class RememberedIDs: Sendable {
    /// What a function did.
    private struct Result: Sendable {
        let isKept: Bool
        /// The whole record, if the function converts records.
        let row: MigrationRow?
        /// The values that it set.
        let values: [String: StoredValue]
    }

    private let results = Mutex<[FunctionCall: Result]>([:])
    /// The names of the functions, with whether they convert whole records.
    private let functions: [String: Bool]

    /// Finds the functions of ids in the changes of all versions.
    init(_ history: SchemaHistory) {
        var functions: [String: Bool] = [:]
        var tables = history.versions.first?.tables ?? []
        for version in history.changes(after: history.versions.first?.number ?? 0) {
            let before = tables
            for change in version.changes { change.apply(to: &tables) }
            for table in before {
                guard let key = version.changes.keyChange(of: table) else { continue }
                for change in version.changes {
                    switch change {
                    case .convertByCode(let path, _, _, let function),
                        .addByCode(let path, _, _, let function):
                        guard path.table == key.name, path.steps.count == 1,
                            key.new.contains(path.steps[0])
                        else { continue }
                        functions[function] = false
                    case .records(key.name, _, let function): functions[function] = true
                    default: break
                    }
                }
            }
            for table in history.tables(of: version.number) ?? []
            where !tables.contains(where: { $0.name == table.name }) {
                tables.append(table)
            }
        }
        self.functions = functions
    }

    /// Returns functions of which those of ids remember their results.
    func remembering(_ functions: MigrationFunctions) -> MigrationFunctions {
        var remembering = functions.functions
        for (name, function) in functions.functions {
            guard let convertsRecords = self.functions[name] else { continue }
            remembering[name] = { [self] old, new in
                let call = FunctionCall(name, old)
                let before = new
                if let known = results.withLock({ $0[call] }) {
                    if let row = known.row { new = row }
                    for (name, value) in known.values { new[name] = value }
                    return known.isKept
                }
                let isKept = try function(old, &new)
                let set = new.names.map { ($0, new[$0]) }.filter { before[$0.0] != $0.1 }
                let result = Result(
                    isKept: isKept, row: convertsRecords ? new : nil,
                    values: convertsRecords ? [:] : Dictionary(set, uniquingKeysWith: { $1 }))
                results.withLock { $0[call] = result }
                return isKept
            }
        }
        return MigrationFunctions(remembering, tables: functions.tables)
    }
}
