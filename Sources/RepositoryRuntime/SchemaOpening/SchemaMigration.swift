internal import StoredSchema

/// The changes that bring stored data to the schema of the program, by table.
///
/// It is computed from descriptions alone. ``SchemaOpening`` compares its result with the declared
/// schema.
struct SchemaMigration: Sendable {
    /// The changes of one stored table.
    struct Table: Sendable {
        /// The table as it is stored.
        let stored: StoredTable
        /// The table after the changes.
        var changed: StoredTable
        /// The stored name of each field of ``changed`` that is stored; nil if the field is new.
        var origins: [String?]
        /// Whether stored values change, beyond the name of a field.
        var changesValues = false
        /// Whether documents can stay as they are: only whole fields are renamed, removed, or added
        /// with a constant.
        var keepsDocuments = true
        /// The stored names of the fields that are removed.
        var removedFields: [String] = []
        /// The constants of the fields that are added, by name.
        var constants: [String: StoredConstant] = [:]
        /// The position in ``SchemaMigration/functions`` of the function that makes the table; nil
        /// if the table is stored. ``stored`` is then what the function makes.
        var producer: Int?
    }

    /// A function that migrates several tables together.
    struct TablesFunction: Sendable {
        /// The name of the function.
        let name: String
        /// The number of its version.
        let number: Int
        /// The names of the tables that it reads, as they are before its version.
        let sources: [String]
        /// Those of the tables that there are, as they are before its version.
        let consumed: [Table]
        /// The tables that it makes.
        let new: [StoredTable]
    }

    /// The changes, by version.
    private(set) var changes: [(number: Int, changes: [DataChange])] = []
    /// The tables that remain.
    private(set) var tables: [Table]
    /// The tables that are dropped.
    private(set) var dropped: [Table] = []
    /// The stored names of the tables that are dropped.
    var removed: [String] { dropped.filter { $0.producer == nil }.map(\.stored.name) }
    /// The functions that migrate several tables together, in order.
    private(set) var functions: [TablesFunction] = []
    /// The stored tables that a function creates, although they are there and it does not read
    /// them.
    private(set) var occupied: [(function: String, table: String)] = []

    /// The stored names of the tables that functions replace.
    var replaced: [String] {
        functions.flatMap(\.consumed).filter { $0.producer == nil }.map(\.stored.name)
    }

    /// Applies changes to stored tables.
    ///
    /// - Parameters:
    ///   - changes: the changes of each version, in order.
    ///   - stored: the stored tables.
    ///   - skipsDone: whether to skip changes that the tables already have, because the data does
    ///     not have exactly the version that the changes begin with.
    init(
        _ changes: [(number: Int, changes: [DataChange])], to stored: [StoredTable],
        skippingDone skipsDone: Bool = false
    ) {
        tables = stored.map { table in
            Table(stored: table, changed: table, origins: table.fields.map(\.name))
        }
        for version in changes {
            var own: [DataChange] = []
            for change in version.changes {
                if skipsDone, change.isDone(in: tables.map(\.changed)) { continue }
                apply(change, version.number)
                own.append(change)
            }
            self.changes.append((version.number, own))
        }
    }

    /// Returns the table with a name after the changes.
    func table(_ name: String) -> Table? {
        tables.first { String.isSameIdentifier($0.changed.name, name) }
    }

    /// Whether nothing changes.
    var isEmpty: Bool { changes.allSatisfy(\.changes.isEmpty) }

    /// Replaces the tables of a function.
    private mutating func apply(
        _ name: String, _ number: Int, _ sources: [String], _ new: [StoredTable]
    ) {
        func isSource(_ table: Table) -> Bool {
            sources.contains { String.isSameIdentifier($0, table.changed.name) }
        }
        let consumed = tables.filter(isSource)
        tables.removeAll(where: isSource)
        for table in new where self.table(table.name) != nil { occupied.append((name, table.name)) }
        tables += new.map { table in
            Table(
                stored: table, changed: table, origins: table.fields.map(\.name),
                producer: functions.count)
        }
        functions.append(
            TablesFunction(
                name: name, number: number, sources: sources, consumed: consumed, new: new))
    }

    private mutating func apply(_ change: DataChange, _ number: Int) {
        if case .tables(let sources, let new, let function) = change {
            apply(function, number, sources, new)
            return
        }
        if case .removeTable(let name) = change {
            dropped += tables.filter { String.isSameIdentifier($0.changed.name, name) }
            tables.removeAll { String.isSameIdentifier($0.changed.name, name) }
            return
        }
        for index in tables.indices {
            var changed = [tables[index].changed]
            change.apply(to: &changed)
            guard let table = changed.first else { continue }
            if change.changesValues(of: tables[index].changed.name) {
                tables[index].changesValues = true
                tables[index].note(change)
            }
            if case .rename(let path, let name) = change, path.steps.count == 1,
                String.isSameIdentifier(path.table, tables[index].changed.name)
            {
                tables[index].constants[name] = tables[index].constants
                    .removeValue(forKey: path.steps[0])
            }
            tables[index].origins = table.fields.map { field in
                tables[index].origin(of: field, after: change)
            }
            tables[index].changed = table
        }
    }
}

extension SchemaMigration.Table {
    /// Records a change of values, from the fields before it.
    fileprivate mutating func note(_ change: DataChange) {
        guard let path = change.path, path.steps.count == 1, let name = path.name else {
            keepsDocuments = false
            return
        }
        switch change {
        case .remove: constants[name] = nil
        case .add(_, _, _, let value): constants[name] = value
        default:
            keepsDocuments = false
            return
        }
        let index = changed.fields.firstIndex { String.isSameIdentifier($0.name, name) }
        if let origin = index.flatMap({ origins[$0] }) { removedFields.append(origin) }
    }

    /// Returns the stored name of a field after a change, from those before it.
    fileprivate func origin(of field: StoredField, after change: DataChange) -> String? {
        var name = field.name
        switch change {
        case .rename(let path, let new)
        where path.steps.count == 1 && String.isSameIdentifier(path.table, changed.name)
            && String.isSameIdentifier(new, name):
            name = path.steps[0]
        case .add(let path, _, _, _), .addByCode(let path, _, _, _):
            guard path.steps != [name] || !String.isSameIdentifier(path.table, changed.name) else {
                return nil
            }
        default: break
        }
        let index = changed.fields.firstIndex { String.isSameIdentifier($0.name, name) }
        return index.flatMap { origins[$0] }
    }
}

extension DataChange {
    /// Returns whether the change concerns the values of a table, and not only names.
    fileprivate func changesValues(of table: String) -> Bool {
        switch self {
        case .records(let name, _, _), .changeKey(let name, _):
            return String.isSameIdentifier(name, table)
        default: break
        }
        guard let path, String.isSameIdentifier(path.table, table) else { return false }
        if case .rename = self { return path.steps.count > 1 }
        return true
    }

    /// Returns whether tables already are as after the change.
    fileprivate func isDone(in tables: [StoredTable]) -> Bool {
        switch self {
        case .renameTable(let old, _), .removeTable(let old):
            return !tables.contains { String.isSameIdentifier($0.name, old) }
        case .changeKey(let name, let key):
            return tables.first { $0.isNamed(name) }.map { $0.key == key } ?? true
        case .records, .tables: return false
        default: break
        }
        guard let path, let table = tables.first(where: { $0.isNamed(path.table) }) else {
            return true
        }
        let value = table.value(at: path.steps)
        switch self {
        case .rename, .remove: return value == nil
        case .add, .addByCode: return value != nil
        case .require, .requireByCode: return value?.isOptional != true
        case .convert(_, let shape, let isOptional, _, _),
            .convertByCode(_, let shape, let isOptional, _),
            .followID(_, let shape, let isOptional, _):
            return value == nil || (value?.type == shape && value?.isOptional == isOptional)
        case .replaceCases(_, let replacements):
            // A reference has no cases; those of the id to which it refers tell.
            return value?.cases.map { $0.allSatisfy { replacements[$0] == nil } } ?? true
        case .renameTable, .removeTable, .changeKey, .records, .tables: return false
        }
    }
}

extension StoredTable {
    fileprivate func isNamed(_ name: String) -> Bool { String.isSameIdentifier(self.name, name) }

    /// Returns the field or member at the end of a path, as a member; nil if there is none.
    fileprivate func value(at steps: [String]) -> StoredMember? {
        guard let first = steps.first, let field = field(first) else { return nil }
        var value = field.asMember
        for step in steps.dropFirst() {
            switch value.type {
            case .list(let element, let isOptional) where step == DataPath.elements:
                value.type = element
                value.isOptional = isOptional
            case .map(let element, let isOptional) where step == DataPath.mapValues:
                value.type = element
                value.isOptional = isOptional
            case .object(let members), .composite(let members):
                guard let member = members.first(where: { $0.name == step }) else { return nil }
                value = member
            default: return nil
            }
        }
        return value
    }
}
