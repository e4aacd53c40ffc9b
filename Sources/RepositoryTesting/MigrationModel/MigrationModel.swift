internal import RepositoryRuntime
internal import StoredSchema

/// What the records of one version become in the present program, by the declared changes.
struct MigrationModel: Sendable {
    /// The changes of the later versions.
    private let changes: [[DataChange]]
    let functions: MigrationFunctions
    /// The old tables by name.
    private let byName: [String: StoredTable]
    /// The present table of each old one that remains, by the old name.
    private let targets: [String: Target]
    /// The present tables by the names that they have after the changes.
    private let finals: [String: Target]
    /// The old tables that functions over several tables read.
    private let consumed: Set<String>
    /// The tables of the old version.
    private let tables: [StoredTable]

    /// What a table becomes.
    private struct Target: Sendable {
        /// The old table after the changes.
        let changed: StoredTable
        /// The present table.
        let table: EntityTable
        /// The present fields whose values changes write.
        let produced: Set<String>
    }

    /// A record as the present program reads it.
    struct Result: Sendable {
        /// The name of the present table.
        let table: String
        /// The values, in the order of the present table.
        let values: [StoredValue]
    }

    /// Prepares the model.
    ///
    /// - Parameters:
    ///   - tables: the tables of the old version.
    ///   - changes: the changes of the later versions, in order.
    ///   - schema: the present schema.
    ///   - functions: the functions of the present program.
    init(
        _ tables: [StoredTable], changes: [[DataChange]], to schema: StoreSchema,
        _ functions: MigrationFunctions
    ) {
        self.changes = changes
        self.functions = functions
        let all = Array(changes.joined())
        self.byName = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        var targets: [String: Target] = [:]
        var finals: [String: Target] = [:]
        var consumed: Set<String> = []
        func target(_ changed: StoredTable, _ produced: Set<String>) -> Target? {
            let present =
                schema.tables.first { $0.name == changed.name }
                ?? schema.tables.first { $0.renamedFrom.contains(changed.name) }
            let target = present.map { Target(changed: changed, table: $0, produced: produced) }
            finals[changed.name] = target
            return target
        }
        for table in tables {
            if let changed = Self.changed(table, by: all) {
                targets[table.name] = target(changed, Self.produced(in: table.name, all))
            } else if Self.isConsumed(table.name, by: all) {
                consumed.insert(table.name)
            }
        }
        for (index, change) in all.enumerated() {
            guard case .tables(_, let new, _) = change else { continue }
            let later = Array(all[(index + 1)...])
            for table in new {
                guard let changed = Self.changed(table, by: later) else { continue }
                let names = Set(table.fields.map(\.name)).union(changed.fields.map(\.name))
                _ = target(changed, names)
            }
        }
        self.targets = targets
        self.finals = finals
        self.consumed = consumed
        self.tables = tables
    }

    /// Returns a table after changes; nil if it is removed, or if a function over several tables
    /// reads it.
    private static func changed(_ table: StoredTable, by changes: [DataChange]) -> StoredTable? {
        var changed = table
        for change in changes {
            if case .tables(let names, _, _) = change {
                if names.contains(changed.name) { return nil }
                continue
            }
            var tables = [changed]
            change.apply(to: &tables)
            guard let table = tables.first else { return nil }
            changed = table
        }
        return changed
    }

    /// Whether a function over several tables reads a table.
    private static func isConsumed(_ table: String, by changes: [DataChange]) -> Bool {
        var table = table
        for change in changes {
            switch change {
            case .renameTable(table, let new): table = new
            case .removeTable(table): return false
            case .tables(let names, _, _): if names.contains(table) { return true }
            default: break
            }
        }
        return false
    }

    /// Whether a function over several tables reads the records of an old table, so that what one
    /// of them becomes depends on the others.
    func isConsumed(_ table: String) -> Bool { consumed.contains(table) }

    /// Returns the name of the present table of an old one; nil if it is dropped.
    func target(of table: String) -> String? { targets[table]?.table.name }

    /// Returns the fields of a present table whose values changes write.
    func produced(in table: String) -> Set<String> {
        finals.values.first { $0.table.name == table }?.produced ?? []
    }

    /// Follows the changes of a table.
    private static func produced(in table: String, _ changes: [DataChange]) -> Set<String> {
        var table = table
        var fields: Set<String> = []
        for change in changes {
            if case .renameTable(table, let new) = change { table = new }
            if case .records(table, let new, _) = change { fields.formUnion(new.map(\.name)) }
            guard let path = change.path, path.table == table, let field = path.field else {
                continue
            }
            switch change {
            case .rename(_, let new):
                if path.steps.count == 1, fields.remove(field) != nil { fields.insert(new) }
            case .remove:
                if path.steps.count == 1 { fields.remove(field) }
            case .replaceCases, .followID: break
            default: fields.insert(field)
            }
        }
        return fields
    }

    /// Returns what a record becomes, with the functions that were called for it.
    ///
    /// - Parameters:
    ///   - table: the old name of the table.
    ///   - values: the values of the record, by field.
    ///   - ids: the new ids of other records.
    /// - Returns: The record of the present program; nil if it is dropped.
    /// - Throws: ``ModelProblem``.
    func result(
        of table: String, _ values: [String: StoredValue], _ ids: ModelIDs
    ) throws -> (result: Result?, record: ModelRecord) {
        var record = ModelRecord(
            description(of: table), values, functions, ids)
        for version in changes {
            guard try record.apply(version) else { return (nil, record) }
        }
        guard let target = targets[table] else { return (nil, record) }
        return (Self.result(of: record, target), record)
    }

    /// Returns the description of an old table.
    private func description(of table: String) -> StoredTable {
        byName[table] ?? StoredTable(name: table, fields: [], key: [])
    }

    /// Returns a record as the present program reads it.
    private static func result(of record: ModelRecord, _ target: Target) -> Result {
        let members = target.changed.fields.map { ($0.name, $0.type) }
        let row = completed(record.values, members: members, to: target.table.layout)
        let result = target.table.layout.fields.map { row[$0.name] ?? .null }
        return Result(table: target.table.name, values: result)
    }

    /// Returns what the records of the tables become that functions over several tables read.
    ///
    /// - Parameter rows: the values of the records by field, by the old name of the table.
    /// - Returns: The records of the present program, with the functions that were called.
    /// - Throws: ``ModelProblem``.
    func results(
        of rows: [String: [[String: StoredValue]]]
    ) throws -> (results: [Result], calls: [FunctionCall]) {
        if consumed.isEmpty { return ([], []) }
        var records = rows.filter { consumed.contains($0.key) }.flatMap { table, rows in
            rows.map { ModelRecord(description(of: table), $0, functions, ModelIDs()) }
        }
        var calls: [FunctionCall] = []
        var described = tables
        for version in changes {
            records = try records.compactMap { record in
                var record = record
                let isKept = try record.apply(version)
                calls += record.takeCalls()
                return isKept ? record : nil
            }
            for change in version {
                defer { change.apply(to: &described) }
                guard case .tables(let names, let new, let function) = change else { continue }
                let tables = ModelTables(
                    described.filter { names.contains($0.name) }, names, new, function, functions)
                let read = records.filter { names.contains($0.table) }
                records.removeAll { names.contains($0.table) }
                records += try tables.records(from: read)
                calls.append(FunctionCall(function, MigrationRow()))
            }
        }
        let results = records.compactMap { record in
            finals[record.table].map { Self.result(of: record, $0) }
        }
        return (results, calls)
    }

    /// Returns the members that a declared type has: by their names and earlier names, and with the
    /// defaults of those that are new.
    private static func completed(
        _ values: [String: StoredValue], members: [(name: String, shape: StoredShape)],
        to layout: FieldLayout
    ) -> [String: StoredValue] {
        let declared = Set(layout.fields.map(\.name))
        var result: [String: StoredValue] = [:]
        for field in layout.fields {
            let names = [field.name] + field.renamedFrom.filter { !declared.contains($0) }
            let member = names.lazy.compactMap { name in members.first { $0.name == name } }.first
            if let member {
                result[field.name] = values[member.name].map {
                    completed($0, member.shape, to: field.type)
                }
            } else {
                result[field.name] = field.defaultValue
            }
        }
        return result.filter { $0.value != .null }
    }

    private static func completed(
        _ value: StoredValue, _ shape: StoredShape, to type: StoredType
    ) -> StoredValue {
        switch (value, shape, type) {
        case (.list(let elements), .list(let shape, _), .list(let type, _)):
            return .list(elements.map { completed($0, shape, to: type) })
        case (.object(let values), .map(let shape, _), .map(let type, _)):
            return .object(values.mapValues { completed($0, shape, to: type) })
        case (.object(let values), .object(let members), .object(let layout)),
            (.object(let values), .composite(let members), .composite(let layout)):
            return .object(
                completed(values, members: members.map { ($0.name, $0.type) }, to: layout))
        default: return value
        }
    }
}
