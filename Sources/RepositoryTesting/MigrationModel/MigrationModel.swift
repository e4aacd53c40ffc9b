internal import RepositoryRuntime
internal import StoredSchema

/// What the records of one version become in the present program, by the declared changes.
struct MigrationModel: Sendable {
    /// The changes of the later versions.
    private let changes: [[DataChange]]
    private let functions: MigrationFunctions
    /// The old tables by name.
    private let tables: [String: StoredTable]
    /// The present table of each old one that remains, by the old name.
    private let targets: [String: Target]

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
        self.tables = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        var targets: [String: Target] = [:]
        for table in tables {
            var changed = [table]
            for change in changes.joined() { change.apply(to: &changed) }
            guard let changed = changed.first else { continue }
            let present =
                schema.tables.first { $0.name == changed.name }
                ?? schema.tables.first { $0.renamedFrom.contains(changed.name) }
            if let present {
                targets[table.name] = Target(
                    changed: changed, table: present,
                    produced: Self.produced(in: table.name, Array(changes.joined())))
            }
        }
        self.targets = targets
    }

    /// Returns the name of the present table of an old one; nil if it is dropped.
    func target(of table: String) -> String? { targets[table]?.table.name }

    /// Returns the fields of a present table whose values changes write.
    func produced(in table: String) -> Set<String> {
        targets.values.first { $0.table.name == table }?.produced ?? []
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
            tables[table] ?? StoredTable(name: table, fields: [], key: []), values, functions, ids)
        for version in changes {
            guard try record.apply(version) else { return (nil, record) }
        }
        guard let target = targets[table] else { return (nil, record) }
        let members = target.changed.fields.map { ($0.name, $0.type) }
        let row = Self.completed(
            record.values, members: members, to: target.table.layout)
        let result = target.table.layout.fields.map { row[$0.name] ?? .null }
        return (Result(table: target.table.name, values: result), record)
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
