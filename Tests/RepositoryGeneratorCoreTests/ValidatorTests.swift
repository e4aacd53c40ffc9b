import RepositorySchema
import RepositorySchemaParser
import StoredSchema
import Testing

@testable import RepositoryGeneratorCore

@Suite("The validator")
struct ValidatorTests {
    @Test("accepts what the language allows")
    func accepted() {
        let text = """
            entity: Category
            fields:
              name: { type: String, unique: true, default: General, minLength: 1, maxLength: 7 }
              parent: Category?
            ---
            entity: Book
            id: { name: isbn, type: String, pattern: '[0-9X-]+' }
            fields:
              title: { type: String, index: true }
              category: { type: Category, onDelete: cascade }
              series: { type: Book?, onDelete: setNull }
              categories: { type: [Category], default: [] }
              price: { type: Decimal, scale: 2, default: 1.50, minimum: -0.5, maximum: 99999999999999.99 }
              level: { type: Level, default: high }
              size: { type: UInt32, default: 4294967295, maximum: 4294967295 }
              ratio: { type: Double, default: -1.5e-3, minimum: -2, maximum: 1e300 }
              day: { type: Date?, default: 2024-02-29, minimum: 1900-01-01 }
              at: { type: Date, default: now, onUpdate: now }
              token: { type: UUID, default: 00000000-0000-0000-0000-00000000000a }
              home: { type: URL, default: "https://example.org/%20?q=[1]" }
              flags: { type: "[String: Bool]", default: { a: true } }
              names: { type: "[String?]?", maxLength: 3 }
              amount: Money?
              digest: { type: Data, minLength: 32, maxLength: 32, index: true }
              shelf: Shelf?
              default: Int
              type: { type: String, renamedFrom: kind, sensitive: true }
              revision: { type: Int, version: true }
            indexes:
              - category
              - { fields: [title, -at] }
              - { fields: [title, at], name: newest, unique: true }
            renamedFrom: Volume
            conformances: [Priced]
            ---
            entity: Loan
            id: [book, number]
            fields: { book: Book, number: Int, receipt: "Receipt?" }
            ---
            entity: Receipt
            id: { type: Level }
            fields: { loan: Loan, other: { type: Receipt, onDelete: none } }
            ---
            enum: Level
            type: Int
            cases: [low: -1, high: 7]
            unknown: other
            ---
            scalar: Money
            stored: Int
            import: Billing
            ---
            value: Shelf
            fields: { room: String, row: { type: Int8, default: -128 }, book: Book?, at: Spot }
            ---
            value: Spot
            fields: { x: Int, description: String }
            """
        #expect(messages(text) == [])
    }

    @Test("a circle of required references is told once, others that lead to it not at all")
    func circles() {
        let text = """
            entity: A
            fields: { b: B, c: C }
            ---
            entity: B
            fields: { c: C }
            ---
            entity: C
            fields: { b: B, d: D }
            ---
            entity: D
            """
        #expect(messages(text).count == 1)
    }

    @Test("a long chain and many circles cost no deep recursion and linear time")
    func largeGraph() {
        var graph = DependencyGraph()
        let place = Located("f", at: SourceRange(path: "A", start: .start, end: .start))
        for index in 0..<20_000 { graph.add(from: "n\(index)", to: "n\(index + 1)", at: place) }
        #expect(graph.circles().isEmpty)
        for index in 0..<5_000 { graph.add(from: "s\(index)", to: "s\(index)", at: place) }
        #expect(graph.circles().count == 5_000)
        graph.add(from: "n20000", to: "n0", at: place)
        #expect(graph.circles().map(\.count).max() == 20_001)
    }

    @Test(
        "decimal texts compare exactly",
        arguments: [
            ("0", "-0.0", false), ("0.1", "0.10", false), ("-1", "1", true), ("9", "10", true),
            ("1.09", "1.1", true), ("-1.1", "-1.09", true), ("007", "8", true),
            (
                "99999999999999999999999999999999999999999",
                "100000000000000000000000000000000000000000",
                true
            ),
        ])
    func decimals(left: String, right: String, isLess: Bool) throws {
        let one = try #require(DecimalNotation.canonical(left, isStored: false))
        let two = try #require(DecimalNotation.canonical(right, isStored: false))
        #expect(DecimalNotation.precedes(one, two) == isLess)
        #expect(!DecimalNotation.precedes(two, one))
    }

    @Test("types that may be missing are not called unknown")
    func incomplete() {
        #expect(messages("entity: A\nfields: { b: Bee }\n---\nentity: [\n") == [])
        #expect(
            messages("entity: A\nfields: { b: Bee }\n---\nscalar: Bee\nimport: Bees\n") == [])
        #expect(messages("entity: A\nfields: { b: Strin<g> }\nindexes: [b]\n") == [])
    }

    /// What the validator says about a file, without what the parser says.
    @Test("does not miss names that may stand in what could not be read")
    func incompleteDecisions() {
        let broken = """
            entity: Book
            reuse: title
            fields: { tite: Strin<g> }
            ---
            union: Shape
            removed: dot.size
            reuse: line
            cases: { square: { side: In<t> } }
            ---
            enum: Status
            removed: { lost: gone }
            cases: [open, 1]
            """
        let settings = "reuse: Loan\nmigrate: { code: Loan }\n"
        #expect(
            messages(broken, settings: settings) == [
                "1: 'Loan' is not declared, so its name is not reused",
                "2: there is no entity 'Loan'",
            ])
        #expect(messages(broken + "\n---\nentity: [\n", settings: settings) == [])
    }

    @Test("takes decisions for several versions, and about entities that are gone")
    func decisionsOfVersions() {
        let text = """
            entity: Client
            migrate: { code, for: 3 }
            ---
            entity: Person
            renamedFrom: Human
            fields:
              name: { type: String, fill: { code, for: 2 }, convert: { code, for: 3 } }
              kind: { type: Kind, fill: one, convert: { value, otherwise: one } }
              tags: { type: [Client], fill: [] }
              at: { type: Date?, convert: { value, otherwise: 2024-02-29 } }
            ---
            enum: Kind
            cases: [one]
            """
        let settings = """
            removed: [Company, Kind]
            migrate: [{ code: [Client, Company], for: 2 }, { code: [Client, Person], for: 4 }]
            migrations: AppMigrations
            """
        // A type of another kind may have the name of a removed entity.
        #expect(messages(text, settings: settings) == [])
    }

    private func messages(_ text: String, settings: String? = nil) -> [String] {
        let source = SchemaSource(path: "A.yaml", bytes: Array(text.utf8))
        let settings = settings.map {
            SchemaSource(path: "repositories.yaml", bytes: Array($0.utf8))
        }
        let set = SchemaParser.parse(files: [source], settings: settings).set
        return Validator.validate(set).map { "\($0.range.start.line): \($0.message)" }
    }
}
