package import StoredSchema

/// Converts the records of a table from their stored form to the declared one, through the changes
/// of all versions in between.
///
/// A program is made once for a table and run for each record. It holds no state of records, so
/// that memory stays constant.
package struct RowProgram: Sendable {
    /// The names of the fields of the records to convert, in order.
    package let sourceNames: [String]
    /// The paths of the values that a change produced: by a function, a fill or a conversion, with
    /// declared names. The rules of the declared fields must hold for them.
    package let producedFields: Set<String>
    /// The fields whose values change, with declared names: ``producedFields``, those with replaced
    /// cases, and references to records with new ids.
    package let rewrittenFields: Set<String>
    /// The programs of the versions that change records.
    let versions: [VersionProgram]
    private let target: [TargetField]

    /// How a declared field gets its value.
    private enum TargetField: Sendable {
        /// From a field of the converted record.
        case field(Int)
        /// From its default. Stored records do not have the field.
        case value(StoredValue)
    }

    /// Makes the program of a table.
    ///
    /// - Parameters:
    ///   - source: the description of the stored table.
    ///   - changes: the changes of each version after the stored one, in order. Changes of other
    ///     tables are ignored.
    ///   - target: the declared fields; nil if a later version removes the table.
    ///   - sources: the name after the changes of each declared field, nil for a new one; nil if all
    ///     have their declared names.
    ///   - functions: the functions that changes call.
    ///   - isProduced: whether a function over several tables produced all values of the records.
    /// - Throws: ``MigrationFailure`` if a function is missing, or if a required field has no
    ///   value.
    package init(
        source: StoredTable, changes: [(number: Int, changes: [DataChange])],
        target layout: FieldLayout?, from sources: [String?]? = nil,
        functions: MigrationFunctions, isProduced: Bool = false
    ) throws {
        sourceNames = source.fields.map(\.name)
        var table = source
        var versions: [VersionProgram] = []
        var produced = isProduced ? Set(sourceNames) : []
        var followed: Set<String> = []
        versions: for version in changes {
            let followedIDs = version.changes.compactMap(\.followedTable)
            let key = Self.key(of: table, after: version.changes)
            var program: VersionProgram?
            for change in version.changes {
                if case .renameTable(let old, let new) = change {
                    if String.isSameIdentifier(table.name, old) { table.name = new }
                    continue
                }
                if case .removeTable(let name) = change, String.isSameIdentifier(table.name, name) {
                    break versions
                }
                guard change.concerns(table.name) else { continue }
                var own =
                    program
                    ?? VersionProgram(
                        IDChange(number: version.number, table: table.name), table,
                        newKey: key.names)
                try own.append(change, table, functions)
                produced.follow(change)
                followed.track(change)
                var tables = [table]
                change.apply(to: &tables)
                guard let changed = tables.first else { continue }
                table = changed
                own.names = table.fields.map(\.name)
                program = own
            }
            guard var program else { continue }
            if program.convertsRecords { program.changesIDs = key.isOther }
            if followedIDs.contains(where: { String.isSameIdentifier($0, table.name) }) {
                program.changesIDs = true
            }
            if !program.isEmpty { versions.append(program) }
        }
        self.versions = versions
        producedFields = produced
        rewrittenFields = produced.union(followed)
        guard let layout else {
            target = []
            return
        }
        let sources = sources ?? layout.fields.map { $0.name }
        target = try zip(layout.fields, sources).map { field, source in
            let index = source.flatMap { name in
                table.fields.firstIndex { String.isSameIdentifier($0.name, name) }
            }
            if let index { return .field(index) }
            guard field.isOptional || field.defaultValue != nil else {
                throw MigrationFailure(
                    table: table.name, field: field.name, "has no value in stored records")
            }
            return .value(field.defaultValue ?? .null)
        }
    }

    /// The components of the id after a version, and whether their names or types differ.
    private static func key(
        of table: StoredTable, after changes: [DataChange]
    ) -> (names: [String], isOther: Bool) {
        var tables = [table]
        for change in changes { change.apply(to: &tables) }
        guard let after = tables.first else { return (table.key, false) }
        func types(_ table: StoredTable) -> [StoredShape?] {
            table.key.map { table.field($0)?.type }
        }
        return (after.key, after.key != table.key || types(after) != types(table))
    }

    /// Converts a record.
    ///
    /// - Parameters:
    ///   - values: the values, in the order of ``sourceNames``; of a record that was converted
    ///     already, those before a version.
    ///   - start: the index of the first version to apply.
    ///   - ids: the new ids of records; nil if no ids change.
    /// - Returns: the values in the order of the declared fields; nil if a function drops the
    ///   record.
    /// - Throws: ``MigrationFailure`` if a value does not fit or a function throws.
    package func run(
        _ values: [StoredValue], from start: Int = 0, _ ids: NewIDs? = nil
    ) throws -> [StoredValue]? {
        guard let values = try run(values, start..<versions.count, ids) else { return nil }
        return target.map { field in
            switch field {
            case .field(let index): values[index]
            case .value(let value): value
            }
        }
    }

    /// Applies versions to a record whose new ids are known.
    ///
    /// - Returns: The values after the last one; nil if a function drops the record.
    func run(
        _ values: [StoredValue], _ range: Range<Int>, _ ids: NewIDs?
    ) throws -> [StoredValue]? {
        var values = values
        for version in versions[range] {
            var part = VersionProgram.Part.all
            if version.changesIDs, let ids {
                // Without a new id, a function has dropped the record.
                guard let id = try ids.newID(of: version.oldID(of: values), in: version.change)
                else { return nil }
                part = .rest(id)
            }
            guard let next = try version.run(values, part, ids) else { return nil }
            values = next
        }
        return values
    }
}

/// A migration that cannot be carried out for a table or a record. It contains no stored value and
/// no text of a program's function.
package struct MigrationFailure: Error, Sendable {
    /// The name of the table.
    package var table: String
    /// The path of the field, such as `shelf.room`; nil for the whole record.
    package var field: String?
    /// The problem, as a clause that follows the field.
    package var reason: String

    /// Describes a failure.
    package init(table: String, field: String? = nil, _ reason: String) {
        self.table = table
        self.field = field
        self.reason = reason
    }

    /// Describes a failure of a value.
    init(_ path: DataPath, _ reason: String) {
        let names = path.steps.filter { $0 != DataPath.elements && $0 != DataPath.mapValues }
        self.init(
            table: path.table, field: names.isEmpty ? nil : names.joined(separator: "."), reason)
    }
}

extension DataChange {
    /// Whether the change concerns the records of a table.
    func concerns(_ table: String) -> Bool {
        if let path { return String.isSameIdentifier(path.table, table) }
        switch self {
        case .records(let name, _, _), .changeKey(let name, _):
            return String.isSameIdentifier(name, table)
        default: return false
        }
    }
}

extension Set<String> {
    /// Adds the field that a change produces, or follows its renaming.
    fileprivate mutating func follow(_ change: DataChange) {
        switch change {
        case .add(let path, _, _, _), .addByCode(let path, _, _, _), .require(let path, _),
            .requireByCode(let path, _), .convert(let path, _, _, _, _),
            .convertByCode(let path, _, _, _):
            if let field = path.field { insert(field) }
        case .rename(let path, let name):
            guard path.steps.count == 1, let field = path.field, remove(field) != nil else { break }
            insert(name)
        case .remove(let path):
            if path.steps.count == 1, let field = path.field { remove(field) }
        case .records(_, let fields, _): formUnion(fields.map(\.name))
        case .renameTable, .removeTable, .replaceCases, .followID, .changeKey, .tables: break
        }
    }

    /// Adds the field that contains replaced cases or a reference to records with new ids, or
    /// follows its renaming.
    fileprivate mutating func track(_ change: DataChange) {
        switch change {
        case .followID(let path, _, _, _), .replaceCases(let path, _):
            if let field = path.field { insert(field) }
        case .rename, .remove: follow(change)
        default: break
        }
    }
}

extension DataChange {
    /// The table whose ids the change follows; nil for any other change.
    fileprivate var followedTable: String? {
        if case .followID(_, _, _, let table) = self { table } else { nil }
    }
}
