internal import Foundation
internal import RepositoryRuntime

/// Records and one query over them. A random query is represented as data, so that it can be shrunk
/// and printed.
struct QueryProgram<R: EntityRepository>: Sendable {
    /// The operation that executes the query.
    enum Question: Sendable, Equatable {
        case fetch, first, ids, count, exists, stream
        case pages(size: Int)
        case number(Int)
    }

    let table: QueryTable<R>
    var records: [R.Model]
    var question = Question.fetch
    var condition = ConditionTree.constant(true)
    var sortKeys: [SortKey] = []
    var maximum: Int?
    var skipped = 0
    /// The record after which the query starts. It need not be one of the records.
    var start: R.Model?

    /// The query of the program.
    func query() throws -> Query<R.Model> {
        let query = Query<R.Model>(
            Condition(condition), sortKeys: sortKeys, maximum: maximum, skipped: skipped)
        guard let start else { return query }
        let row = try StoredValueEncoder.values(of: start, R.Model.Mapper.self)
        let cursor = try QueryEvaluator(query).cursor(after: row)
        // Setting a cursor resets the offset.
        return query.page(after: cursor).offset(skipped)
    }

    /// The outcome according to ``/RepositoryRuntime/QueryEvaluator``.
    func expected() throws -> RandomOutcome {
        let rows = try records.map {
            try StoredValueEncoder.values(of: $0, R.Model.Mapper.self)
        }
        var query = try query()
        if case .pages = question { query = query.offset(0) }
        let found = try QueryEvaluator(query).results(of: rows)
        switch question {
        case .fetch, .stream: return .records(found)
        case .pages:
            let unlimited = try QueryEvaluator(query.limit(.max)).results(of: rows)
            return .records(unlimited)
        case .first: return .records(Array(found.prefix(1)))
        case .ids: return .ids(try found.map { .text(try table.record($0).id.description) })
        case .count: return .number(found.count)
        case .exists: return .flag(rows.contains { query.condition.tree.matches($0) })
        case .number(let index): return .text(try table.numbers[index].expected(found))
        }
    }

    /// The outcome of a store that contains the records.
    func answer(_ set: Conformance) async throws -> RandomOutcome {
        let repository = table.repository(set)
        let query = try query()
        switch question {
        case .fetch: return try await .of(repository.fetch(query))
        case .first:
            let first = try await repository.fetchOne(query)
            return try .of(first.map { [$0] } ?? [])
        case .ids: return .ids(try await repository.ids(query).map { .text($0.description) })
        case .count: return .number(try await repository.count(query))
        case .exists:
            return .flag(try await repository.exists(where: { _ in query.condition }))
        case .stream:
            var found: [R.Model] = []
            for try await entity in repository.stream(query) {
                found.append(entity)
                if found.count > 2 * records.count { break }
            }
            return try .of(found)
        case .pages(let size):
            var found: [R.Model] = []
            var query = query.offset(0).limit(size)
            while true {
                let page = try await repository.page(query)
                found += page.items
                guard let next = page.next, found.count <= 2 * records.count else { break }
                query = query.page(after: next)
            }
            return try .of(found)
        case .number(let index):
            return .text(try await table.numbers[index].answer(repository, query))
        }
    }

    /// The program as source text.
    func text() throws -> String {
        let layout = R.Model.Mapper.layout
        let name = R.Model.Mapper.table.name
        var lines = try records.map { "\(name).create(\(try ProgramText.text($0)))" }
        var parts: [String] = []
        if condition != .constant(true) {
            parts.append("where \(ProgramText.text(condition, layout))")
        }
        if !sortKeys.isEmpty {
            let keys = sortKeys.map {
                ($0.direction == .descending ? "-" : "") + $0.path.text(in: layout)
            }
            parts.append("sorted by \(keys.joined(separator: ", "))")
        }
        if let maximum { parts.append("limit \(maximum)") }
        if skipped != 0 { parts.append("offset \(skipped)") }
        if let start { parts.append("after \(try ProgramText.text(start))") }
        let what =
            if case .number(let index) = question { table.numbers[index].name } else {
                "\(question)"
            }
        lines.append("\(name).\(what) \(parts.joined(separator: ", "))")
        return lines.joined(separator: "\n    ")
    }
}

/// A table as the subject of random queries.
struct QueryTable<R: EntityRepository>: Sendable {
    /// An aggregate over the entities of a query.
    struct Number: Sendable {
        let name: String
        let answer: @Sendable (R, Query<R.Model>) async throws -> String
        /// The expected value for the rows of the query.
        let expected: @Sendable ([[StoredValue]]) throws -> String
    }

    /// The repository in a set.
    let repository: @Sendable (Conformance) -> R
    /// The aggregates that random queries compute.
    let numbers: [Number]
    /// Creates a random record whose id is derived from a number.
    let make: @Sendable (Int, inout SeededGenerator, _ keepsFractions: Bool) -> R.Model

    /// Decodes a record from a row.
    func record(_ row: [StoredValue]) throws -> R.Model {
        var fields = StoredValueDecoder(row, layout: R.Model.Mapper.layout)
        return try R.Model.Mapper.decode(from: &fields)
    }
}

extension QueryTable.Number {
    /// The minimum or maximum of a field.
    static func end<V: OrderedFieldValue>(
        _ field: any KeyPath<R.Model.Fields, QueryField<R.Model, V>> & Sendable, largest: Bool
    ) -> Self {
        let path = R.Model.Mapper.table.comparable(R.Model.Fields()[keyPath: field].queryPath)
        let name = path.text(in: R.Model.Mapper.layout)
        return Self(name: largest ? "maximum(\(name))" : "minimum(\(name))") { repository, query in
            let end =
                if largest { try await repository.maximum(of: field, from: query) } else {
                    try await repository.minimum(of: field, from: query)
                }
            return try end.map { ProgramText.text(try StoredValue(encoding: $0)) } ?? "nil"
        } expected: { rows in
            let values = rows.map { path.value(in: $0) }.filter { $0 != .null }
            return (largest ? values.max() : values.min()).map { ProgramText.text($0) } ?? "nil"
        }
    }

    /// The sum of a field of integers or decimals, which is exact.
    static func sum<V: NumericFieldValue>(
        _ field: any KeyPath<R.Model.Fields, QueryField<R.Model, V>> & Sendable
    ) -> Self {
        let path = R.Model.Fields()[keyPath: field].queryPath
        return Self(name: "sum(\(path.text(in: R.Model.Mapper.layout)))") { repository, query in
            "\(try await repository.sum(of: field, from: query))"
        } expected: { rows in
            var integers: Int64 = 0
            var decimals: Decimal = 0
            for row in rows {
                switch path.value(in: row) {
                case .integer(let value): integers += value
                case .decimal(let value): decimals += value
                default: break
                }
            }
            return decimals == 0 ? "\(integers)" : "\(decimals)"
        }
    }
}
