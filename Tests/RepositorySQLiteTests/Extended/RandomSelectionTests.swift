import Foundation
import Testing

@testable import RepositorySQLCore
@testable import RepositoryRuntime
@testable import RepositorySQLite
@testable import RepositoryTesting

/// Random selections over records of every stored type, by SQLite and by the evaluator's rules.
///
/// A failing seed is run again with the environment variable `REPOSITORY_SELECTION_SEED`.
/// `REPOSITORY_LONG=1` makes ten times as many selections.
@Suite struct RandomSelectionTests {
    private static let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["REPOSITORY_SELECTION_SEED"].flatMap { UInt64($0) }
        .map { [$0] } ?? [1, 2, 3]

    /// The forms in which columns are kept.
    enum Forms: CaseIterable, Sendable {
        case usual, text, numbers

        func form(of type: StoredType) -> StoredForm? {
            switch (self, type) {
            case (.usual, _): nil
            case (.text, .date), (.text, .decimal): .text
            case (.text, .uuid): .blob
            case (.numbers, .date), (.numbers, .decimal): .real
            case (.numbers, .uuid): .text
            default: nil
            }
        }

        var schema: StoreSchema {
            StoreSchema(
                Conformance.schema.name,
                Conformance.schema.tables.map { $0.reformed(form(of:)) })
        }
    }

    @Test(arguments: seeds, Forms.allCases)
    func answersAsTheEvaluatorDoes(seed: UInt64, forms: Forms) async throws {
        let store = SQLiteStore.inMemory()
        try await store.open(forms.schema)
        for hall in RandomRecord.halls {
            try await store.create(Hall(id: Hall.ID(hall)))
            for row in 1...2 {
                for letter in ["x", "y"] {
                    try await store.create(
                        Seat(hallID: Hall.ID(hall), row: row, letter: letter, price: Decimal(row)))
                }
            }
        }
        var random = SeededGenerator(seed: seed)
        try await compare(Specimen.self, store, forms, seed, &random)
        try await compare(Sparse.self, store, forms, seed, &random)
        try await compare(Claim.self, store, forms, seed, &random)
        try await compare(Link.self, store, forms, seed, &random)
    }

    private func compare<E: Entity>(
        _ type: E.Type, _ store: SQLiteStore, _ forms: Forms, _ seed: UInt64,
        _ random: inout SeededGenerator
    ) async throws {
        let table = E.Mapper.table
        var entities: [E] = []
        for number in 0..<80 {
            var record = RandomRecord(table.layout, id: "r\(number * 37 % 80)", random)
            entities.append(try E.Mapper.decode(from: &record))
            random = record.random
        }
        try await store.createAll(entities)
        let rows = try entities.map { try StoredValueEncoder.values(of: $0, E.Mapper.self) }
        let generator = RandomSelection(table, rows)
        let schema = forms.schema
        let sqlTable = SQLTable(try #require(schema.table(table.name)), in: schema)
        var pushed = 0
        let (usual, other) = Self.isLong ? (1_000, 320) : (40, 40)
        let count = forms == .usual ? usual : other
        for number in 0..<count {
            let condition = generator.condition(&random, depth: 3)
            let query = Query<E>.where { _ in Condition(condition) }
            let name: Comment = "seed \(seed), \(forms), \(table.name) \(number): \(condition)"
            let matching = rows.filter { condition.matches($0) }.count
            #expect(
                try await AnyRepository<E>(context(store, schema)).count(query) == matching, name)
            expectPlan(query.limit(random.one(of: [1, 10])), store, sqlTable, name)
            expectPlan(query, store, sqlTable, name)
            guard case .selection(var selection) = store.plan(query).access,
                !selection.conditions.isEmpty
            else { continue }
            pushed += 1
            selection.sortKeys = generator.sortKeys(&random).filter {
                SQLSelectionWriter.sorts(by: $0, sqlTable, SQLiteDialect())
            }
            try await expect(type, selection, generator, store, name)
            selection.after = generator.place(of: random.one(of: rows), selection)
            try await expect(type, selection, generator, store, name)
            selection.skipped = random.one(of: [0, 1, 5])
            selection.maximum = random.one(of: [0, 1, 10])
            try await expect(type, selection, generator, store, name)
            selection.after = nil
            try await expect(type, selection, generator, store, name)
            if SQLSelectionShape(selection, of: sqlTable) != nil {
                #expect(
                    sqlTable.select(selection, SQLiteDialect())
                        == SQLSelectionWriter.select(selection, sqlTable, SQLiteDialect()), name)
            }
            try await expectSummary(type, selection, generator, store, &random, name)
        }
        // Most conditions over columns are SQLite's.
        #expect(pushed > count / 5, "seed \(seed), \(table.name): \(pushed)")
    }

    /// The plan of a shape that was planned before is the one that the query gets by itself.
    private func expectPlan<E: Entity>(
        _ query: Query<E>, _ store: SQLiteStore, _ table: SQLTable, _ name: Comment
    ) {
        let planner = SQLQueryPlanner(table, SQLiteDialect())
        let expected = planner.plan(query, store.capabilities)
        // A selection that can be seen to find nothing is one for the database where its shape is.
        if expected.access == .nothing { return }
        var plan = QueryPlan(query, store, known: store.plan(query))
        plan.judgement = QueryPlan.Judgement()
        // Their descriptions are compared, because NaN does not equal itself.
        #expect("\(plan)" == "\(QueryPlan(query, store, known: expected))", name)
    }

    private func context(_ store: SQLiteStore, _ schema: StoreSchema) -> RepositoryContext {
        RepositoryContext(store: store, schema: schema, fullScans: .allow)
    }

    private func expect<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ generator: RandomSelection,
        _ store: SQLiteStore, _ name: Comment
    ) async throws {
        let expected = generator.results(of: selection)
        let found = try await store.select(type, selection)
            .map { try StoredValueEncoder.values(of: $0, E.Mapper.self) }
        #expect(found == expected, "\(name) \(selection)")
        let paths = Array(generator.paths.prefix(6))
        #expect(
            try await store.values(type, selection, at: paths)
                == expected.map { row in paths.map { $0.value(in: row) } }, "\(name) \(selection)")
    }

    private func expectSummary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ generator: RandomSelection,
        _ store: SQLiteStore, _ random: inout SeededGenerator, _ name: Comment
    ) async throws {
        let (group, path) = (random.one(of: generator.paths), random.one(of: generator.paths))
        let summary = StoreSummary(groups: [group], [.count, .minimum(path), .maximum(path)])
        guard let found = try await store.summary(type, selection, summary) else { return }
        let groups = Dictionary(grouping: generator.results(of: selection)) { group.value(in: $0) }
        let expected = groups.sorted { $0.key < $1.key }.map { key, rows in
            let values = rows.map { path.value(in: $0) }.filter { $0 != .null }
            return [
                key, .integer(Int64(rows.count)), values.min() ?? .null, values.max() ?? .null,
            ]
        }
        #expect(found == expected, "\(name) \(selection) \(summary)")
    }
}

/// The repository of any entity.
private struct AnyRepository<Model: Entity>: EntityRepository {
    let context: RepositoryContext

    init(_ context: RepositoryContext) { self.context = context }
}
