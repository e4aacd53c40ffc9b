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
        evolution(
            "evolution.ignoringCase",
            "A field that ignores case from now on is found in any case, whatever was stored before.",
            needs: [.queries]
        ) { run in try await run.foldingAgain() },
        evolution(
            "evolution.ignoringCaseBeside",
            "A program that does not know that a field ignores case leaves no text that others miss.",
            needs: [.queries]
        ) { run in try await run.foldingBeside() },
        evolution(
            "evolution.ignoringCaseRenamed",
            "A unique field that ignores case does so under its next name too, and its first again.",
            needs: [.queries, .uniqueIndexes]
        ) { run in
            try await run.foldedUnique(FoldingShapes.Unique.self, ["Änne"])
            try await run.foldedUnique(FoldingShapes.Renamed.self, ["Änne", "BERT"])
            try await run.foldedUnique(FoldingShapes.Back.self, ["Änne", "BERT", "Cäsar"])
        },
    ]

    private static func evolution(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [],
        fileID: String = #fileID, line: Int = #line,
        _ body: @escaping @Sendable (inout EvolutionRun) async throws -> Void
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .listing, .finders, .persistent] + needs,
            fileID: fileID, line: line
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

/// Shapes with a text that ignores case, and does not.
enum FoldingShapes {
    enum Exact: Shape {
        static let table = Shapes.things { $0.field("title", .text) }
    }

    enum Folded: Shape {
        static let table = Shapes.things { $0.field("title", .text, ignoringCase: true) }
    }

    enum Unique: Shape {
        static let table = Shapes.things { table in
            table.field("title", .text, ignoringCase: true)
            table.index("things_title", ["title"], unique: true)
        }
    }

    enum Renamed: Shape {
        static let table = Shapes.things { table in
            table.field(
                "headline", .text, ignoringCase: true, renamedFrom: ["title"],
                columnsRenamedFrom: ["title"])
            table.index("things_title", ["headline"], unique: true)
        }
    }

    enum Back: Shape {
        static let table = Shapes.things { table in
            table.field(
                "title", .text, ignoringCase: true, renamedFrom: ["headline"],
                columnsRenamedFrom: ["headline"])
            table.index("things_title", ["title"], unique: true)
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

    /// Stores texts under a schema that compares them exactly, under one that ignores case, and
    /// under both again.
    func foldingAgain() async throws {
        let exact = trial.shaped(FoldingShapes.Exact.self)
        try await exact.create(Shaped("a", .text("Änne")))
        try await expect(ids(of: "ÄNNE", exact), is: [])
        let folded = try await trial.reopened().shaped(FoldingShapes.Folded.self)
        try await expect(ids(of: "ÄNNE", folded), is: ["a"])
        try await folded.create(Shaped("b", .text("BERT")))
        try await expect(ids(of: "bert", folded), is: ["b"])
        let later = try await trial.reopened().shaped(FoldingShapes.Exact.self)
        try await later.update(Shaped("a", .text("Cäsar")))
        try await later.create(Shaped("c", .text("ÄNNE")))
        try await expect(ids(of: "bert", later), is: [])
        let again = try await trial.reopened().shaped(FoldingShapes.Folded.self)
        try await expect(ids(of: "CÄSAR", again), is: ["a"])
        try await expect(ids(of: "änne", again), is: ["c"])
        try await expect(ids(of: "bert", again), is: ["b"])
    }

    /// Writes with a program that compares a text exactly, while another ignores case. A store may
    /// refuse what it writes.
    func foldingBeside() async throws {
        let exact = trial.shaped(FoldingShapes.Exact.self)
        try await exact.create(Shaped("a", .text("Änne")))
        let folded = try await trial.reopened().shaped(FoldingShapes.Folded.self)
        try await folded.create(Shaped("b", .text("Bert")))
        do {
            try await exact.update(Shaped("b", .text("Cäsar")))
            try await exact.create(Shaped("c", .text("Dora")))
        } catch let error as CRUDRepositoryError where error.code == .schemaMismatch {
            try await expect(ids(of: "BERT", folded), is: ["b"])
            try await expect(folded.ids().map(\.rawValue), is: ["a", "b"])
            return
        }
        try await expect(ids(of: "CÄSAR", folded), is: ["b"])
        try await expect(ids(of: "DORA", folded), is: ["c"])
        try await expect(ids(of: "BERT", folded), is: [])
    }

    /// Reopens the store with a schema whose first text is unique regardless of case.
    ///
    /// - Parameters:
    ///   - shape: the shape.
    ///   - texts: the texts of the records then, of which the last is stored now.
    func foldedUnique<S: Shape>(_ shape: S.Type, _ texts: [String]) async throws {
        let things = try await trial.reopened().shaped(shape)
        try await things.create(Shaped(texts.last ?? "", .text(texts.last ?? "")))
        for text in texts {
            for other in [text.uppercased(), text.lowercased()] {
                try await expect(ids(of: other, things), is: [text], "The schema is \(shape).")
                try await expectError(.constraintViolated, id: "new") {
                    try await things.create(Shaped("new", .text(other)))
                }
            }
        }
        try await expect(things.count(), is: texts.count)
    }

    private func ids<S: Shape>(
        of title: String, _ things: ShapedRepository<S>
    ) async throws -> [String] {
        let query = Query<Shaped<S>>.where { _ in QueryField<Shaped<S>, String>(1) == title }
        return try await things.ids(query.allowingFullScan()).map(\.rawValue)
    }
}
