internal import Foundation
internal import StoredSchema

/// Converts the records of a table for one entity, and checks what the changes produced.
package struct RecordMigration<E: Entity>: Sendable {
    /// The conversion of the values.
    private let program: RowProgram
    /// The positions of the components of the id among the stored values; empty if the id must not
    /// be named.
    private let key: [Int]
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
        let stored = migration.stored
        let isSensitive = table.key.contains { fields[$0].isSensitive }
        key =
            isSensitive
            ? []
            : stored.key.compactMap { name in
                stored.fields.firstIndex { String.isSameIdentifier($0.name, name) }
            }
        let produced = fields.indices.filter {
            migration.program.producedFields.contains(fields[$0].name)
        }
        self.produced = produced
        var completions: [Int: MemberCompletion] = [:]
        var patterns: [Int: TextPattern] = [:]
        for (index, field) in fields.enumerated() {
            let names = [field.name] + field.renamedFrom
            guard let old = names.lazy.compactMap({ migration.changed.field($0) }).first else {
                continue
            }
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
    /// - Parameter values: the stored values, in the order of the stored fields.
    /// - Returns: The entity; nil if a function drops the record.
    /// - Throws: ``RecordMigrationFailure`` if the record cannot be converted or breaks a rule;
    ///   ``CRUDRepositoryError`` if a function throws; `CancellationError`.
    package func entity(_ values: [StoredValue]) throws -> E? {
        do {
            guard var values = try program.run(values) else { return nil }
            for (index, completion) in completions {
                values[index] = completion.completed(values[index])
            }
            for index in produced { values[index] = values[index].withoutNegativeZero }
            var fields = StoredValueDecoder(values, layout: E.Mapper.layout)
            let entity = try E.Mapper.decode(from: &fields)
            return produced.isEmpty ? entity : try checked(entity, values)
        } catch let failure as MigrationFailure {
            throw RecordMigrationFailure(failure.clause)
        } catch let failure as MigrationFunctionFailure {
            throw functionFailure(failure, values)
        } catch let error as RecordDecodingError {
            throw RecordMigrationFailure(clause(error.path, error.reason))
        } catch let error as CRUDRepositoryError {
            throw RecordMigrationFailure(
                "a record of '\(E.Mapper.table.name)' is refused: \(error.message)")
        }
    }

    /// Returns the id of a stored record as text, for messages; nil if it is sensitive.
    package func id(of values: [StoredValue]) -> String? {
        if key.isEmpty { return nil }
        let components = key.map { values[$0].identifierText }
        guard components.count > 1 else { return components[0] }
        return components.map(CompositeIDText.escape).joined(separator: ",")
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

    /// Returns the entity with the produced fields as the mapper prepares them for a write. All other
    /// fields stay as they are stored, even if they break a rule that was added later.
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

    /// The error for a function that threw.
    private func functionFailure(
        _ failure: MigrationFunctionFailure, _ values: [StoredValue]
    ) -> CRUDRepositoryError {
        let record = id(of: values).map { "the record '\($0)'" } ?? "a record"
        return CRUDRepositoryError(
            .schemaMismatch,
            "The migration function '\(failure.function)' failed for \(record) of '\(E.Mapper.table.name)'. Nothing was changed.",
            id: id(of: values), table: E.Mapper.table.name)
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

/// The records that a migration cannot convert: how many for each reason, and the first ids.
package struct MigrationFailures: Sendable {
    /// The maximum number of ids and of reasons that are named.
    package static let limit = 20
    private var reasons: [(text: String, count: Int, ids: [String])] = []

    /// Creates an empty list.
    package init() {}

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - reason: the problem, as a clause.
    ///   - id: the id as text; nil if it is sensitive.
    package mutating func add(_ reason: String, id: String?) {
        var index = reasons.firstIndex { $0.text == reason }
        if index == nil, reasons.count < Self.limit {
            index = reasons.count
            reasons.append((reason, 0, []))
        }
        guard let index else { return }
        reasons[index].count += 1
        if let id, reasons[index].ids.count < Self.limit { reasons[index].ids.append(id) }
    }

    /// Throws if records were added.
    ///
    /// - Parameter store: the kind of store, for the message.
    /// - Throws: `schemaMismatch` with the number of records and the first ids for each reason.
    package func check(store: String) throws {
        if reasons.isEmpty { return }
        throw CRUDRepositoryError.schemaMismatch(
            store: store, differences: reasons.map { Self.words($0.text, $0.count, $0.ids) })
    }

    /// Returns a reason with the number of records and their first ids.
    package static func words(_ reason: String, _ count: Int, _ ids: [String]) -> String {
        let number = count == 1 ? "1 record" : "\(count) records"
        let names = ids.map { "'\($0)'" }.joined(separator: ", ")
        let rest = !ids.isEmpty && ids.count < count ? " …" : ""
        return "\(reason), in \(number)" + (names.isEmpty ? "" : ": \(names)\(rest)")
    }
}

extension StoredValue {
    /// The value as a component of an id, for messages.
    package var identifierText: String {
        switch self {
        case .text(let text): text
        case .integer(let integer): integer.identifierString
        case .uuid(let uuid): uuid.uuidString
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
