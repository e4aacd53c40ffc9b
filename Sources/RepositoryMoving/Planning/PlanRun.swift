internal import Foundation
internal import RepositoryRuntime

/// Reads a source once, and finds what a target would not take. Writes nothing.
final class PlanRun {
    private let schema: StoreSchema
    private let source: MoveSide
    private let target: any EntityStore
    /// The rules and the precision of the target, which need not be open.
    private let rules: RepositoryContext
    private var problems = ProblemList()

    init(_ schema: StoreSchema, from source: MoveSide, to target: any EntityStore) {
        (self.schema, self.source, self.target) = (schema, source, target)
        rules = RepositoryContext(store: target, schema: schema)
    }

    /// Returns the plan.
    func run() async throws -> MovePlan {
        var plan = MovePlan(set: schema.name, source: source.name, target: target.name)
        plan.problems = source.problems
        if !target.capabilities.has(.transactions) {
            throw MoveError(.unsupported, "\(target.name) has no transactions.")
        }
        let hasTarget = try await openTarget(&plan.problems)
        for entity in schema.entities {
            let table = entity.table
            if table.isReadOnly {
                plan.problems.append(
                    MoveProblem(
                        .readOnlyTable, table: table.name,
                        "The table is only read, and not copied.", stops: false))
            } else {
                plan.tables.append(try await check(entity, hasTarget: hasTarget))
            }
        }
        for table in plan.tables where table.targetCount > 0 {
            plan.problems.append(
                MoveProblem(
                    .targetNotEmpty, table: table.name, count: table.targetCount,
                    "The target has records already: say who wins with 'merge:'.", stops: true))
        }
        if !plan.tables.isEmpty, plan.tables.allSatisfy({ $0.sourceCount == 0 }) {
            throw MoveError(.nothingToMove, "\(source.name) has no records.")
        }
        plan.problems += problems.all
        return plan
    }

    /// Opens the target if it has data of the set and this changes nothing.
    private func openTarget(_ found: inout [MoveProblem]) async throws -> Bool {
        if let plan = try await MoveSide.migrationPlan(of: target, schema) {
            if target.capabilities.has(.persistent), case .none = plan.from { return false }
            if plan.isNeeded, plan.from != .none {
                found.append(
                    MoveProblem(
                        .migration,
                        "The target has data of \(plan.from), which is migrated to \(plan.to).",
                        stops: false))
                return false
            }
        }
        try await rules.open()
        return true
    }

    private func check<E: Entity>(
        _ type: E.Type, hasTarget: Bool
    ) async throws -> MovePlan.Table {
        let table = E.Mapper.table
        let fields = ComparedFields<E>(rounding: nil)
        let checksValues = source.context == nil || !target.capabilities.has(.fractionalSeconds)
        var cursor = try await RecordCursor<E>(source.source)
        while true {
            for failure in cursor.takeFailures() {
                problems.add(
                    .unreadableRecord, table: failure.table, field: failure.field, id: failure.id,
                    "Records of the source cannot be read.", stops: true)
            }
            guard let record = cursor.current else { break }
            if checksValues { try check(record, fields) }
            try checkText(record)
            try await checkReferences(record)
            try await cursor.advance()
        }
        let there = hasTarget ? try await rules.store.count(type) : 0
        return MovePlan.Table(name: table.name, sourceCount: cursor.count, targetCount: there)
    }

    /// Checks that the target takes a record as it is.
    private func check<E: Entity>(_ record: E, _ fields: ComparedFields<E>) throws {
        let (table, id) = (E.Mapper.table.name, record.id.description)
        do {
            let rounded = try rules.rounded(record)
            guard try fields.bytes(rounded) != fields.bytes(record) else { return }
            for name in try fields.differences(record, rounded, showingValues: false).names {
                problems.add(
                    .rounding, table: table, field: name, id: id,
                    "Values are rounded to what \(target.name) stores.", stops: false)
            }
        } catch let error as CRUDRepositoryError {
            problems.add(
                .invalidValue, table: table, field: error.field, id: id,
                "Records have values that break a rule of the schema.", stops: true)
        }
    }

    /// Checks the characters of strings in a store whose format lacks some.
    private func checkText<E: Entity>(_ record: E) throws {
        guard !target.capabilities.has(.controlCharacters) else { return }
        let values = try StoredValueEncoder.values(of: record, E.Mapper.self)
        for (index, value) in values.enumerated() where value.hasControlCharacters {
            problems.add(
                .invalidValue, table: E.Mapper.table.name,
                field: E.Mapper.layout.fields[index].name, id: record.id.description,
                "Strings have characters that the format of \(target.name) lacks.", stops: true)
        }
    }

    /// Checks the references of a source that is no store with references.
    private func checkReferences<E: Entity>(_ record: E) async throws {
        if source.context?.store.capabilities.has(.references) ?? false { return }
        let table = E.Mapper.table
        var values: [StoredValue]?
        for (index, field) in table.fields.enumerated() {
            guard let reference = field.reference, reference.isEnforced,
                let entity = schema.entities.first(where: {
                    $0.table.name == reference.table
                })
            else { continue }
            let row = try values ?? StoredValueEncoder.values(of: record, E.Mapper.self)
            values = row
            guard row[index] != .null, try await !exists(entity, row[index]) else { continue }
            problems.add(
                .danglingReference, table: table.name, field: table.layout.fields[index].name,
                id: record.id.description, "Records refer to a record that is not there.",
                stops: true)
        }
    }

    private func exists<E: Entity>(_ type: E.Type, _ key: StoredValue) async throws -> Bool {
        var fields = StoredValueDecoder([key])
        let id = try E.ID.decode(from: &fields, at: 0)
        do {
            return try await source.source.record(type, id: id) != nil
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            // It is reported as unreadable.
            return true
        }
    }
}

extension StoredValue {
    /// Whether a string in the value has a character that XML 1.0 lacks.
    fileprivate var hasControlCharacters: Bool {
        switch self {
        case .text(let text):
            text.unicodeScalars.contains { scalar in
                switch scalar.value {
                case 0x9, 0xA, 0xD: false
                case ..<0x20, 0xFFFE, 0xFFFF: true
                default: false
                }
            }
        case .list(let elements): elements.contains(where: \.hasControlCharacters)
        case .object(let members):
            members.contains {
                StoredValue.text($0.key).hasControlCharacters || $0.value.hasControlCharacters
            }
        default: false
        }
    }
}
