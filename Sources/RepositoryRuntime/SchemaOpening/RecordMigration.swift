internal import Foundation
internal import StoredSchema

/// Converts the records of a table for one entity, and checks what the changes produced.
package struct RecordMigration<E: Entity>: Sendable {
    /// The conversion of the values.
    private let program: RowProgram
    /// The declared fields whose values a change produced, by index.
    private let produced: [Int]
    /// The completion of embedded values, by the index of the declared field.
    private let completions: [Int: MemberCompletion]
    /// The rules of every item.
    private let items = ItemRules(E.Mapper.table)
    /// The patterns of the produced fields, by index.
    private let patterns: [Int: TextPattern]
    /// The checks over produced fields.
    private let checks: [TableCheck]

    /// Prepares the conversion of a table to an entity.
    package init(_ migration: TableMigration, _ type: E.Type = E.self) {
        program = migration.program
        let table = E.Mapper.table
        let fields = table.layout.fields
        let produced = fields.indices.filter {
            migration.program.producedFields.contains(fields[$0].name)
        }
        self.produced = produced
        var completions: [Int: MemberCompletion] = [:]
        var patterns: [Int: TextPattern] = [:]
        for (index, (field, source)) in zip(fields, migration.sources).enumerated() {
            guard let source, let old = migration.changed.field(source) else { continue }
            completions[index] = MemberCompletion(old.type, field.type)
        }
        for index in produced {
            patterns[index] = table.fields[index].rules.pattern.map { TextPattern($0) }
        }
        self.completions = completions
        self.patterns = patterns
        checks = table.checks.filter { !$0.condition.fields.isDisjoint(with: produced) }
    }

    /// Converts a record.
    ///
    /// - Parameters:
    ///   - record: the record.
    ///   - ids: the new ids of records; nil if no ids change.
    /// - Returns: The entity; nil if a function drops the record.
    /// - Throws: ``RecordMigrationFailure`` if the record cannot be converted or breaks a rule;
    ///   ``CRUDRepositoryError`` if a function throws; `CancellationError`.
    package func entity(_ record: MigrationRecord, _ ids: NewIDs?) throws -> E? {
        guard var values = try converted(record, ids) else { return nil }
        do {
            for (index, completion) in completions {
                values[index] = completion.completed(values[index])
            }
            for index in produced { values[index] = values[index].withoutNegativeZero }
            var fields = StoredValueDecoder(values, layout: E.Mapper.layout)
            let entity = try E.Mapper.decode(from: &fields)
            return produced.isEmpty ? entity : try checked(entity, values)
        } catch let error as RecordDecodingError {
            throw RecordMigrationFailure(clause(error.path, error.reason))
        } catch let error as CRUDRepositoryError {
            throw RecordMigrationFailure(
                "a record of '\(E.Mapper.table.name)' is refused: \(error.message)")
        }
    }

    /// Returns the values of the record after all changes; nil if a function drops it. An error of
    /// the store that keeps the new ids is not one of the record.
    private func converted(_ record: MigrationRecord, _ ids: NewIDs?) throws -> [StoredValue]? {
        do {
            return try program.run(record.values, from: record.start, ids)
        } catch let failure as MigrationFailure {
            throw RecordMigrationFailure(failure.clause)
        } catch let failure as MigrationFunctionFailure {
            throw failure.error(table: E.Mapper.table.name, id: record.id)
        } catch let error as RecordDecodingError {
            throw RecordMigrationFailure(clause(error.path, error.reason))
        }
    }

    /// Returns the entity after the rules of the produced fields were checked, with their values
    /// rounded.
    private func checked(_ entity: E, _ values: [StoredValue]) throws -> E {
        let table = E.Mapper.table
        _ = try items.check(entity)
        for index in produced {
            guard
                let reason = values[index].violation(of: table.fields[index].rules, patterns[index])
            else { continue }
            throw RecordMigrationFailure(clause(table.layout.fields[index].name, reason))
        }
        let result = try prepared(entity, values)
        if !checks.isEmpty {
            let row = try StoredValueEncoder.values(of: result, E.Mapper.self)
            for check in checks where !check.condition.matches(row) {
                throw RecordMigrationFailure(
                    "the check '\(check.name)' of '\(table.name)' refuses the record")
            }
        }
        return result
    }

    /// Returns the entity with the produced fields as the mapper prepares them for a write. All
    /// other fields stay as they are stored, even if they break a rule that was added later.
    private func prepared(_ entity: E, _ values: [StoredValue]) throws -> E {
        var copy = entity
        do {
            try E.Mapper.prepare(
                &copy, for: WriteContext(.create, now: Date(timeIntervalSince1970: 0)))
        } catch let error as CRUDRepositoryError {
            let field = error.field?.prefix { $0 != "." }
            let names = produced.map { E.Mapper.layout.fields[$0].name }
            guard let field, !names.contains(String(field)) else { throw error }
            return entity
        }
        if copy == entity { return entity }
        let new = try StoredValueEncoder.values(of: copy, E.Mapper.self)
        var merged = values
        for index in produced { merged[index] = new[index] }
        var fields = StoredValueDecoder(merged, layout: E.Mapper.layout)
        return try E.Mapper.decode(from: &fields)
    }

    private func clause(_ field: String, _ reason: String) -> String {
        let table = "'\(E.Mapper.table.name)'"
        return field.isEmpty ? "\(table) \(reason)" : "the field '\(field)' of \(table) \(reason)"
    }
}

/// A record that cannot be converted, or that breaks a rule of the new version.
package struct RecordMigrationFailure: Error, Sendable {
    /// The problem as a clause without a final period and without stored values.
    package let reason: String

    /// Describes a failure.
    package init(_ reason: String) { self.reason = reason }
}

/// The records that a migration cannot convert: how many for each reason, and the least ids, so that
/// the message does not depend on the order in which a store reads its records.
package struct MigrationFailures: Sendable {
    /// The maximum number of ids and of reasons that are named.
    package static let limit = 20
    private var reasons: [Reason] = []

    /// A reason with its records.
    private struct Reason {
        let text: String
        /// What is counted: `record` or `pair`.
        let noun: String
        var count = 0
        /// The least ids in their order: one of each record, two of each pair.
        var ids: [[String]] = []

        /// Keeps the ids if they are among the least ones.
        mutating func keep(_ new: [String]) {
            if ids.count == MigrationFailures.limit {
                guard let last = ids.last, Self.precedes(new, last) else { return }
                ids.removeLast()
            }
            ids.insert(new, at: ids.firstIndex { Self.precedes(new, $0) } ?? ids.endIndex)
        }

        private static func precedes(_ left: [String], _ right: [String]) -> Bool {
            left.lexicographicallyPrecedes(right) { left, right in
                switch (Int64(left), Int64(right)) {
                case (let left?, let right?) where left != right: left < right
                case (_?, nil): true
                case (nil, _?): false
                default: left.utf8.lexicographicallyPrecedes(right.utf8)
                }
            }
        }
    }

    /// Creates an empty list.
    package init() {}

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - reason: the problem, as a clause.
    ///   - id: the id as text; nil if it is sensitive.
    package mutating func add(_ reason: String, id: String?) {
        add(reason, "record", id.map { [$0] })
    }

    /// Adds two records that cannot both remain.
    ///
    /// - Parameters:
    ///   - reason: the problem, as a clause.
    ///   - pair: the ids as text; nil if they are sensitive.
    package mutating func add(_ reason: String, pair: (String, String)?) {
        add(reason, "pair", pair.map { [$0, $1] })
    }

    private mutating func add(_ reason: String, _ noun: String, _ ids: [String]?) {
        var index = reasons.firstIndex { $0.text == reason }
        if index == nil, reasons.count < Self.limit {
            index = reasons.count
            reasons.append(Reason(text: reason, noun: noun))
        }
        guard let index else { return }
        reasons[index].count += 1
        if let ids { reasons[index].keep(ids) }
    }

    /// Throws if records were added.
    ///
    /// - Parameter store: the kind of store, for the message.
    /// - Throws: `schemaMismatch` with the number of records and the least ids for each reason.
    package func check(store: String) throws {
        if reasons.isEmpty { return }
        throw CRUDRepositoryError.schemaMismatch(
            store: store,
            differences: reasons.map { Self.words($0.text, $0.count, $0.noun, $0.ids) })
    }

    /// Returns a reason with the number of records and their first ids.
    package static func words(_ reason: String, _ count: Int, _ ids: [String]) -> String {
        words(reason, count, "record", ids.map { [$0] })
    }

    private static func words(
        _ reason: String, _ count: Int, _ noun: String, _ ids: [[String]]
    ) -> String {
        let number = count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
        let names = ids.map { $0.map { "'\($0)'" }.joined(separator: " and ") }
            .joined(separator: ", ")
        let rest = !ids.isEmpty && ids.count < count ? " …" : ""
        return "\(reason), in \(number)" + (names.isEmpty ? "" : ": \(names)\(rest)")
    }
}

extension [StoredValue] {
    /// The components of an id as its text, for messages.
    package var identifierText: String {
        guard count > 1 else { return first?.identifierText ?? "?" }
        return map { CompositeIDText.escape($0.identifierText) }.joined(separator: ",")
    }
}

extension StoredValue {
    /// The value as a component of an id, for messages.
    package var identifierText: String {
        switch self {
        case .text(let text): text
        case .integer(let integer): integer.identifierString
        case .uuid(let uuid): uuid.uuidString
        case .bool(let flag): flag ? "true" : "false"
        case .object(let components):
            components.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { CompositeIDText.escape($0.value.identifierText) }.joined(separator: ",")
        default: "?"
        }
    }

    /// Returns how the value violates rules, as a predicate; nil if it does not. Null is valid.
    ///
    /// - Parameters:
    ///   - rules: the rules.
    ///   - pattern: the pattern of the rules, if they have one and it is to be tested.
    package func violation(of rules: FieldRules, _ pattern: TextPattern? = nil) -> String? {
        if self == .null { return nil }
        if let minimum = rules.minimum, isSameKind(as: minimum), self < minimum {
            return "is below its minimum"
        }
        if let maximum = rules.maximum, isSameKind(as: maximum), maximum < self {
            return "is above its maximum"
        }
        let length: Int? =
            switch self {
            case .text(let text): text.unicodeScalars.count
            case .list(let elements): elements.count
            case .data(let bytes): bytes.count
            default: nil
            }
        if let length, let minimum = rules.minLength, length < minimum {
            return "is shorter than \(minimum)"
        }
        if let length, let maximum = rules.maxLength, length > maximum {
            return "is longer than \(maximum)"
        }
        if case .text(let text) = self, let pattern, !pattern.matches(text) {
            return "does not match \(pattern.text)"
        }
        return nil
    }

    private func isSameKind(as other: StoredValue) -> Bool {
        switch (self, other) {
        case (.integer, .integer), (.double, .double), (.decimal, .decimal), (.date, .date): true
        default: false
        }
    }
}
