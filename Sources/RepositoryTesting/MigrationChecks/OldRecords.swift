internal import RepositoryRuntime
internal import StoredSchema

/// Random valid records of one version, with what they become in the present program.
///
/// Records that the declared migration cannot take are left out, with a count for each reason:
/// those with a value that does not fit its new type, and those that collide in a new unique index
/// or refer to nothing. Such a record makes a store reject the data, as documented.
struct OldRecords {
    /// A record.
    struct Record {
        /// The values, in the order of the old table.
        let old: [StoredValue]
        /// What it becomes; nil if it is dropped.
        let new: MigrationModel.Result?
        /// The functions that are called for it.
        let calls: [FunctionCall]
        /// Its new ids.
        var ids: Set<ModelID> = []
        /// The ids that its references follow.
        var followed: Set<ModelID> = []
    }

    /// The records by the name of the old table.
    private(set) var records: [String: [Record]] = [:]
    /// What the records become that functions over several tables read.
    private var combined: (rows: [MigrationModel.Result], calls: [FunctionCall]) = ([], [])
    /// The number of records that were left out, by reason.
    private(set) var leftOut: [String: Int] = [:]

    private let program: OldProgram
    private let model: MigrationModel
    private let present: PresentTables
    private let hints: [String: [String: [RandomValues.Hint]]]
    /// The references whose targets get other ids.
    private let references: [FollowedReference]
    /// The new ids of the records.
    private var ids = ModelIDs()
    private var values: RandomValues
    /// The values that are taken in unique indexes, as text, by table and index.
    private var taken: [[String]: Set<[StoredValue]>] = [:]

    /// Creates records.
    ///
    /// - Parameters:
    ///   - program: the program of the version.
    ///   - changes: the changes of the later versions.
    ///   - model: what they become.
    ///   - present: the tables of the present program.
    ///   - count: the number of records in each table.
    ///   - values: the source of values.
    /// - Throws: ``ModelProblem`` for a function that throws or is not pure.
    init(
        of program: OldProgram, changes: [[DataChange]], _ model: MigrationModel,
        _ present: PresentTables, count: Int, _ values: RandomValues
    ) throws {
        self.program = program
        self.model = model
        self.present = present
        self.values = values
        hints = Self.hints(program.tables.map(\.stored), Array(changes.joined()))
        references = FollowedReference.all(
            in: Array(changes.joined()), among: program.tables.map(\.stored))
        for table in program.tables {
            records[table.stored.name] = []
            for _ in 0..<count { try addRecord(to: table) }
        }
        try removeDangling()
    }

    /// The rows of each table.
    var rows: [String: [[StoredValue]]] { records.mapValues { $0.map(\.old) } }

    /// The expected rows of each present table.
    var expected: [String: [[StoredValue]]] {
        var expected: [String: [[StoredValue]]] = [:]
        for record in records.values.joined() {
            if let new = record.new { expected[new.table, default: []].append(new.values) }
        }
        for row in combined.rows { expected[row.table, default: []].append(row.values) }
        return expected
    }

    /// The fields of each present table whose values the migration writes.
    var produced: [String: Set<String>] {
        let names = present.schema.tables.map(\.name)
        return Dictionary(
            names.map { ($0, model.produced(in: $0)) }, uniquingKeysWith: { $1 })
    }

    /// The old tables of which no record is tested, with the reason why.
    var untestedTables: [(table: String, reason: String)] {
        records.filter(\.value.isEmpty).keys.sorted().map { table in
            let reasons = leftOut.keys.filter { $0.hasPrefix("'\(table)': ") }.sorted()
            return (
                table,
                reasons.map { String($0.dropFirst(table.count + 4)) }
                    .joined(separator: "; ")
            )
        }
    }

    /// The number of calls of each function for each record.
    var calls: [FunctionCall: Int] {
        var calls: [FunctionCall: Int] = [:]
        for call in records.values.joined().flatMap(\.calls) + combined.calls {
            calls[call, default: 0] += 1
        }
        return calls
    }

    private static let attempts = 60

    private mutating func addRecord(to table: OldTable) throws {
        var reason = ""
        for _ in 0..<Self.attempts {
            switch try candidate(table) {
            case .success(let record):
                records[table.stored.name, default: []].append(record)
                return
            case .failure(let rejection): reason = rejection.reason
            }
        }
        leftOut["'\(table.stored.name)': \(reason)", default: 0] += 1
    }

    /// Why a candidate is not used.
    private struct Rejection: Error {
        let reason: String
    }

    private mutating func candidate(_ table: OldTable) throws -> Result<Record, Rejection> {
        var row: [StoredValue] = []
        for (index, field) in table.stored.fields.enumerated() {
            guard let value = value(of: field, at: index, table, row) else {
                return .failure(
                    Rejection(reason: "no value of the field '\(field.name)' was found"))
            }
            row.append(value)
        }
        for reference in references where reference.table == table.stored.name {
            choose(reference, in: &row, of: table)
        }
        if let problem = table.table.problem(of: row) {
            return .failure(Rejection(reason: problem))
        }
        var keys = table.table.uniqueKeys(of: row).map { (["old"] + $0, $1) }
        let members = Dictionary(
            zip(table.stored.fields.map(\.name), row), uniquingKeysWith: { $1 }
        ).filter { $0.value != .null }
        var (result, record): (MigrationModel.Result?, ModelRecord)
        do {
            (result, record) =
                model.isConsumed(table.stored.name)
                ? (nil, ModelRecord(table.stored, members, model.functions, ids))
                : try model.result(of: table.stored.name, members, ids)
        } catch ModelProblem.doesNotFit(let path) {
            return .failure(Rejection(reason: "\(path) does not fit its new type"))
        } catch ModelProblem.refersToNothing(let path) {
            return .failure(Rejection(reason: "\(path) refers to nothing"))
        } catch ModelProblem.sameID(let name) {
            return .failure(Rejection(reason: "the new id in '\(name)' is not unique"))
        }
        if let new = result {
            switch try present.accepted(new, callsFunctions: !record.calls.isEmpty, model) {
            case .success(let accepted): result = accepted
            case .failure(let problem): return .failure(Rejection(reason: problem.reason))
            }
            keys += present.uniqueKeys(of: result ?? new).map { (["new"] + $0, $1) }
        }
        for (name, key) in keys where taken[name]?.contains(key) == true {
            return .failure(Rejection(reason: "\(name.joined(separator: " ")) is not unique"))
        }
        for (name, key) in keys { taken[name, default: []].insert(key) }
        ids.add(record.ownIDs)
        return .success(
            Record(
                old: row, new: result, calls: record.calls, ids: Set(record.ownIDs.keys),
                followed: record.followed))
    }

    private mutating func value(
        of field: StoredField, at index: Int, _ table: OldTable, _ row: [StoredValue]
    ) -> StoredValue? {
        if table.stored.version == field.name { return .integer(1) }
        // Deleted records prevent a version without `softDelete`.
        if table.stored.deletion == field.name,
            !present.hidesDeleted(by: field.name, in: table.stored.name)
        {
            return .null
        }
        let hints = hints[table.stored.name]?[field.name] ?? []
        guard let reference = field.reference else { return values.value(of: field, hints: hints) }
        if field.isOptional, values.source.once(in: 4) { return .null }
        let targets = records[reference.table] ?? []
        if !reference.isEnforced, targets.isEmpty || values.source.once(in: 4) {
            return values.value(of: field, hints: hints)
        }
        let target = program.tables.first { $0.stored.name == reference.table }?.table
        guard let target, !targets.isEmpty else {
            if field.isOptional { return .null }
            // The first record refers to itself, if its id is already known.
            let isOwn = reference.table == table.stored.name
            return isOwn && table.table.key.allSatisfy { $0 < index }
                ? field.type.reference(to: table.table.key.map { row[$0] }) : nil
        }
        let chosen = values.source.one(of: targets)
        return field.type.reference(to: target.key.map { chosen.old[$0] })
    }

    /// Calls the functions over several tables.
    private mutating func combine() throws {
        var rows: [String: [[String: StoredValue]]] = [:]
        for table in program.tables {
            let names = table.stored.fields.map(\.name)
            rows[table.stored.name] = (records[table.stored.name] ?? []).map { record in
                Dictionary(zip(names, record.old), uniquingKeysWith: { $1 })
                    .filter { $0.value != .null }
            }
        }
        let (results, calls) = try model.results(of: rows)
        let accepted = try results.map { result in
            // A record that a function wrote is never rejected.
            try present.accepted(result, callsFunctions: true, model).get()
        }
        combined = (accepted, calls)
    }

    /// Replaces the references at a place by those to stored records, or to the record itself.
    private mutating func choose(
        _ reference: FollowedReference, in row: inout [StoredValue], of table: OldTable
    ) {
        guard
            let index = table.stored.fields.firstIndex(where: { $0.name == reference.field }),
            let target = program.tables.first(where: { $0.stored.name == reference.target })?.table
        else { return }
        let field = table.stored.fields[index]
        // Single references are chosen already, unless they are not enforced.
        if reference.steps.isEmpty, field.reference?.isEnforced == true { return }
        let own = reference.target == table.stored.name ? [row] : []
        let targets = (records[reference.target] ?? []).map(\.old) + own
        func chosen() -> StoredValue? {
            // A record with the random id may follow.
            guard !targets.isEmpty else { return reference.isOptional ? .null : nil }
            let components = target.key
            let chosen = values.source.one(of: targets)
            guard components.count > 1 else { return components.first.map { chosen[$0] } }
            let names = components.map { target.layout.fields[$0].name }
            return .object(
                Dictionary(
                    zip(names, components.map { chosen[$0] }), uniquingKeysWith: { $1 }))
        }
        row[index] = row[index].replacing(reference.steps[...], chosen)
    }

    /// Removes records that refer to removed ones, before or after the migration.
    private mutating func removeDangling() throws {
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            try combine()
            var oldIDs: [String: Set<[StoredValue]>] = [:]
            for table in program.tables {
                let ids = (records[table.stored.name] ?? []).map { record in
                    table.table.key.map { record.old[$0] }
                }
                oldIDs[table.stored.name] = Set(ids)
            }
            let newIDs = present.ids(of: expected)
            let known = Set(records.values.joined().flatMap(\.ids))
            for table in program.tables {
                let name = table.stored.name
                let kept = (records[name] ?? []).filter { record in
                    !table.table.dangles(record.old, oldIDs) && record.followed.isSubset(of: known)
                        && record.new.map { !present.dangles($0, newIDs) } != false
                }
                let count = (records[name]?.count ?? 0) - kept.count
                if count > 0 {
                    leftOut["'\(name)': a reference is to no record", default: 0] += count
                    records[name] = kept
                    hasChanged = true
                }
            }
        }
    }

    /// Returns what later versions convert the values of each field to, by table and field.
    private static func hints(
        _ tables: [StoredTable], _ changes: [DataChange]
    ) -> [String: [String: [RandomValues.Hint]]] {
        var hints: [String: [String: [RandomValues.Hint]]] = [:]
        for table in tables {
            var name = table.name
            var fields = Dictionary(
                table.fields.map { ($0.name, $0.name) }, uniquingKeysWith: { $1 })
            for change in changes {
                if case .renameTable(name, let new) = change { name = new }
                guard let path = change.path, path.table == name, let field = path.field else {
                    continue
                }
                switch change {
                case .rename(_, let new) where path.steps.count == 1:
                    fields[new] = fields.removeValue(forKey: field)
                case .remove where path.steps.count == 1,
                    .add where path.steps.count == 1, .addByCode where path.steps.count == 1:
                    fields[field] = nil
                case .convert(_, let shape, _, let cases, _):
                    guard let old = fields[field] else { continue }
                    hints[table.name, default: [:]][old, default: []].append(
                        RandomValues.Hint(shape: shape, cases: cases))
                default: break
                }
            }
        }
        return hints
    }
}

extension StoredShape {
    /// The value of a reference to an id.
    fileprivate func reference(to components: [StoredValue]) -> StoredValue? {
        guard case .composite(let members) = self else { return components.first }
        return .object(
            Dictionary(zip(members.map(\.name), components), uniquingKeysWith: { $1 }))
    }
}
