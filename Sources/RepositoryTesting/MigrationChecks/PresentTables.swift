internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// The tables of the present program, and the rules that migrated records must satisfy.
struct PresentTables: Sendable {
    /// The schema.
    let schema: StoreSchema
    /// Whether the store rounds dates to seconds.
    let hasWholeSeconds: Bool

    /// Why the migration of a record fails as documented.
    struct Rejection: Error {
        /// The reason, as a clause.
        let reason: String
    }

    /// Whether a field of a table still marks deleted records, under the same names.
    func hidesDeleted(by field: String, in table: String) -> Bool {
        schema.tables.contains { present in
            present.name == table
                && present.deletionField.map { present.layout.fields[$0].name } == field
        }
    }

    /// Returns a record as the present program reads it; a rejection if it breaks a rule of a field
    /// that the migration wrote without a function.
    ///
    /// A record for which a function was called is never rejected: what functions return must
    /// satisfy the rules.
    func accepted(
        _ record: MigrationModel.Result, callsFunctions: Bool, _ model: MigrationModel
    ) throws -> Result<MigrationModel.Result, Rejection> {
        guard let index = schema.tables.firstIndex(where: { $0.name == record.table }) else {
            return .success(record)
        }
        return try accepted(
            schema.entities[index], record, callsFunctions: callsFunctions,
            produced: model.produced(in: record.table))
    }

    private func accepted<E: Entity>(
        _ type: E.Type, _ record: MigrationModel.Result, callsFunctions: Bool,
        produced: Set<String>
    ) throws -> Result<MigrationModel.Result, Rejection> {
        let table = E.Mapper.table
        let layout = table.layout
        let values = record.values.map(stored)
        var fields = StoredValueDecoder(values, layout: layout)
        var row: [StoredValue]
        do {
            let entity = try E.Mapper.decode(from: &fields)
            row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            // Values that the migration wrote are rounded as a write would round them.
            var prepared = entity
            let write = WriteContext(
                .create, now: Date(timeIntervalSince1970: 0), roundsToSeconds: hasWholeSeconds)
            if (try? E.Mapper.prepare(&prepared, for: write)) != nil {
                let new = try StoredValueEncoder.values(of: prepared, E.Mapper.self)
                for (index, field) in layout.fields.enumerated()
                where produced.contains(field.name) { row[index] = new[index] }
            }
        } catch let error as RecordDecodingError {
            if callsFunctions { return .success(record) }
            // The reason of the error may have the value: one line is for all values.
            let field = error.path.split(separator: ".").first.map { " '\($0)'" } ?? ""
            return .failure(
                Rejection(reason: "the value of the field\(field) is none of its new type"))
        }
        let result = MigrationModel.Result(table: record.table, values: row)
        if callsFunctions { return .success(result) }
        let indexes = layout.fields.indices.filter { produced.contains(layout.fields[$0].name) }
        if let problem = table.problem(of: row, fields: Set(indexes)) {
            return .failure(Rejection(reason: problem))
        }
        return .success(result)
    }

    /// The value as stores return it: without negative zero, and with dates in their precision.
    private func stored(_ value: StoredValue) -> StoredValue {
        switch value {
        case .double(let number): .double(number + 0)
        case .date(let date): .date(StoredDate.rounded(date, toSeconds: hasWholeSeconds))
        case .list(let elements): .list(elements.map(stored))
        case .object(let members): .object(members.mapValues(stored))
        default: value
        }
    }

    /// The keys of a record in unique indexes.
    func uniqueKeys(of record: MigrationModel.Result) -> [([String], [StoredValue])] {
        schema.table(record.table)?.uniqueKeys(of: record.values) ?? []
    }

    /// The ids of records, by table.
    func ids(of records: [String: [[StoredValue]]]) -> [String: Set<[StoredValue]>] {
        var ids: [String: Set<[StoredValue]>] = [:]
        for table in schema.tables {
            ids[table.name] = Set(
                (records[table.name] ?? []).map { row in table.key.map { row[$0] } })
        }
        return ids
    }

    /// Whether a record refers to none of the given ids.
    func dangles(_ record: MigrationModel.Result, _ ids: [String: Set<[StoredValue]>]) -> Bool {
        schema.table(record.table)?.dangles(record.values, ids) ?? false
    }
}

extension EntityTable {
    /// Returns how a record breaks a rule of a field or a check, as a clause; nil if it does not.
    ///
    /// - Parameters:
    ///   - row: the values, in the order of the fields.
    ///   - fields: the fields whose rules must hold; all if nil.
    func problem(of row: [StoredValue], fields: Set<Int>? = nil) -> String? {
        if key.count == 1, row[key[0]] == .text("") { return "the id is empty" }
        for index in self.fields.indices where fields?.contains(index) ?? true {
            let rules = self.fields[index].rules
            if let violation = row[index].violation(
                of: rules, rules.pattern.map { TextPattern($0) })
            {
                return "the field '\(layout.fields[index].name)' \(violation)"
            }
        }
        for check in checks
        where fields.map({ !$0.isDisjoint(with: check.condition.fields) }) ?? true {
            if !check.condition.matches(row) { return "the check '\(check.name)' does not hold" }
        }
        return nil
    }

    /// The id of a record and its keys in unique indexes, each with the name of the table and index.
    func uniqueKeys(of row: [StoredValue]) -> [([String], [StoredValue])] {
        var keys = [([name, "id"], key.map { row[$0] })]
        for index in indexes where index.isUnique {
            if let condition = index.condition, !condition.matches(row) { continue }
            let values = index.keys.map { comparable($0, in: row) }
            if !values.contains(.null) { keys.append(([name, index.name], values)) }
        }
        return keys
    }

    /// Whether an enforced reference of a record is to none of the given ids.
    func dangles(_ row: [StoredValue], _ ids: [String: Set<[StoredValue]>]) -> Bool {
        fields.indices.contains { index in
            guard let reference = fields[index].reference, reference.onDelete != .none,
                row[index] != .null, let known = ids[reference.table]
            else { return false }
            guard case .object(let members) = row[index],
                case .composite(let layout) = self.layout.fields[index].type
            else { return !known.contains([row[index]]) }
            return !known.contains(layout.fields.map { members[$0.name] ?? .null })
        }
    }
}
