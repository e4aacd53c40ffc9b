internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Two and three schemas one after the other over the same data, compared with a plain model.
    static let evolution: [StoreBehaviour] = [
        evolution(
            "evolution.reusedName",
            "After a rename a new field of the old name is null, and the renamed one keeps its values."
        ) { run in
            try await run.visit { _ in }
            try await run.visit { $0.names = NameParts.Renamed.self }
            try await run.visit { $0.names = NameParts.Reused.self }
            try await run.visit { $0.names = NameParts.Again.self }
        },
        evolution(
            "evolution.forgottenName", "A rename that is declared no longer keeps its values."
        ) { run in
            try await run.visit { _ in }
            try await run.visit { $0.names = NameParts.Renamed.self }
            try await run.visit { $0.names = NameParts.Reused.self }
            try await run.visit { $0.names = NameParts.Forgotten.self }
        },
        evolution(
            "evolution.renamedBack", "A field that gets its first name back keeps its values."
        ) {
            run in
            try await run.visit { _ in }
            try await run.visit { $0.names = NameParts.Renamed.self }
            try await run.visit { $0.names = NameParts.Back.self }
            try await run.visit { $0.names = NameParts.Renamed.self }
        },
        evolution(
            "evolution.default",
            "Another default leaves records as they are that were stored before."
        ) { run in
            try await run.visit { _ in }
            try await run.visit { $0.count = CountParts.One.self }
            try await run.visit { $0.count = CountParts.Five.self }
            try await run.visit { $0.count = CountParts.One.self }
            try await run.visit { $0.count = CountParts.Optional.self }
        },
        evolution(
            "evolution.returning", "Data that returns to an earlier schema is no newer program's."
        ) { run in
            try await run.visit { _ in }
            try await run.visit { $0.index = IndexParts.Size.self }
            try await run.visit { $0.index = IndexParts.None.self }
            try await run.visit { $0.index = IndexParts.Size.self }
        },
        evolution("evolution.random", "Random sequences of schemas keep every value.") { run in
            for _ in 0..<8 { try await run.visitNext() }
        },
        evolution("evolution.newCase", "A new case of an enum reads what was stored before.") {
            run in
            try await run.cases(EvolvingShapes.Two.self, then: EvolvingShapes.Three.self)
        },
        evolution("evolution.lostCase", "A case of an enum that is gone is a schemaMismatch.") {
            run in
            try await run.cases(EvolvingShapes.Two.self, then: EvolvingShapes.Three.self)
            let error = try await expectError(.schemaMismatch) {
                try await run.trial.reopened().shaped(EvolvingShapes.Two.self).context.open()
            }
            try expect(error.message.contains("lost"), "It says: \(error.message)")
            let last = try await run.trial.reopened().shaped(EvolvingShapes.Three.self)
            try await expect(last.count(), is: 2)
        },
    ]

    private static func evolution(
        _ id: String, _ sentence: String, fileID: String = #fileID, line: Int = #line,
        _ body: @escaping @Sendable (inout EvolutionRun) async throws -> Void
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .listing, .finders, .persistent], fileID: fileID,
            line: line
        ) { trial in
            var run = EvolutionRun(trial)
            try await body(&run)
        }
    }
}

/// Shapes with an enum of two cases, and of three.
enum EvolvingShapes {
    enum TwoCases: String, StoredEnum, CaseIterable { case new, used }
    enum ThreeCases: String, StoredEnum, CaseIterable { case new, used, lost }

    enum Two: Shape {
        static let table = Shapes.things { table in
            table.field("state", .text)
            table.cases(TwoCases.self)
        }
    }

    enum Three: Shape {
        static let table = Shapes.things { table in
            table.field("state", .text)
            table.cases(ThreeCases.self)
        }
    }
}

/// A sequence of schemas over one store, and what the records hold by what the fields mean.
struct EvolutionRun: Sendable {
    let trial: StoreTrial
    private var schema = PartedSchema()
    private var records: [String: [String: StoredValue]] = [:]
    private var random: SeededGenerator
    private var count = 0

    init(_ trial: StoreTrial) {
        self.trial = trial
        random = SeededGenerator(seed: RandomSettings.seed)
    }

    /// Reopens the store with a changed schema, compares every record, and changes some.
    mutating func visit(_ change: (inout PartedSchema) -> Void) async throws {
        var next = schema
        change(&next)
        try await visit(next)
    }

    /// Does the same with a random schema that can follow.
    mutating func visitNext() async throws {
        try await visit(schema.next(&random))
    }

    private mutating func visit(_ next: PartedSchema) async throws {
        if !schema.meanings.contains("count"), let value = CountParts.initial(next.count) {
            for id in records.keys { records[id]?["count"] = value }
        }
        schema = next
        try await visit(next.shape)
    }

    private mutating func visit<S: Shape>(_ shape: S.Type) async throws {
        let things = try await trial.reopened().shaped(shape)
        try await expect(
            things.fetch(), is: expected(), "The schema is \(schema.meanings), \(shape).")
        for id in records.keys.sorted() where random.once(in: 3) {
            records[id] = values()
            try await things.update(record(id))
        }
        for _ in 0..<3 {
            count += 1
            let id = "record-\(count)"
            records[id] = values()
            try await things.create(record(id))
        }
        if random.once(in: 3), let id = records.keys.sorted().first {
            records[id] = nil
            try await things.delete(Shaped<S>.ID(id))
        }
        try await expect(things.fetch(), is: expected())
    }

    private func expected<S: Shape>() -> [Shaped<S>] { records.keys.sorted().map { record($0) } }

    private func record<S: Shape>(_ id: String) -> Shaped<S> {
        Shaped(id: .init(id), values: schema.meanings.map { records[id]?[$0] ?? .null })
    }

    private mutating func values() -> [String: StoredValue] {
        var values: [String: StoredValue] = [:]
        for meaning in schema.meanings {
            switch meaning {
            case "text": values[meaning] = .text("text \(Int.random(in: 0..<100, using: &random))")
            case "other": values[meaning] = random.once(in: 2) ? .null : .text("other")
            default: values[meaning] = .integer(.random(in: 0..<100, using: &random))
            }
        }
        return values
    }

    /// Stores a record of each case under two schemas, and reads them under the second.
    func cases<First: Shape, Second: Shape>(
        _ first: First.Type, then second: Second.Type
    ) async throws {
        try await trial.shaped(first).create(Shaped("a", .text("used")))
        let later = try await trial.reopened().shaped(second)
        try await later.create(Shaped("b", .text("lost")))
        try await expect(
            later.fetch(), is: [Shaped("a", .text("used")), Shaped("b", .text("lost"))])
    }
}
