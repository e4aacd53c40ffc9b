import Foundation
import RepositoryGeneratorCore
import RepositoryRuntime
import RepositorySQLite
import RepositorySchema
import RepositorySchemaParser
import Testing

/// The generator refuses for SQLite exactly the conditions of unique indexes that SQLite refuses when it is opened.
@Suite("Conditions of unique indexes")
struct IndexConditionTests {
    /// A condition in the schema and in Swift.
    struct Pair: Sendable, CustomTestStringConvertible {
        var schema: String
        var condition: @Sendable (Ware.Fields) -> Condition
        var testDescription: String { schema }
    }

    private static let pairs = [
        Pair(schema: "contains(tags, 'new')") { $0.tags.contains("new") },
        Pair(schema: "weight > 1.5") { $0.weight > Decimal(string: "1.5") ?? 0 },
        Pair(schema: "weight == 2") { $0.weight == 2 },
        Pair(schema: "weight in [1, 2]") { $0.weight.in([1, 2]) },
        Pair(schema: "cost > 1 && cost <= 2") { $0.cost > 1 && $0.cost <= 2 },
        Pair(schema: "!(cost in [1, 2])") { !$0.cost.in([1, 2]) },
        Pair(schema: "rate == 2") { $0.rate == 2 },
        Pair(schema: "cost > 1 || rate < 2") { $0.cost > 1 || $0.rate < 2 },
        Pair(schema: "due >= 2000-01-01") {
            $0.due >= Date(timeIntervalSince1970: 946_684_800)
        },
        Pair(schema: "box.size > 0") { $0.box.size > 0 },
        Pair(schema: "box.width > 0") { $0.box.width > 0 },
        Pair(schema: "box.depth isNull") { $0.box.depth == nil },
        Pair(schema: "box.height > 0") { $0.box.height > 0 },
    ]

    @Test("are refused by the generator where SQLite refuses them", arguments: pairs)
    func agree(pair: Pair) async throws {
        let said = try Self.problems(pair.schema)
        let schema = WareMapper.$condition.withValue(pair.condition(Ware.Fields())) {
            StoreSchema("Wares", [Ware.self])
        }
        let store = SQLiteStore.inMemory()
        do {
            try await store.open(schema)
            #expect(said == [], "\(pair.schema)")
        } catch let error as CRUDRepositoryError where error.code == .unsupported {
            #expect(said.count == 1, "\(pair.schema): \(error)")
        }
    }

    @Test("are refused for some and taken for others")
    func both() throws {
        let refused = try Self.pairs.filter { try !Self.problems($0.schema).isEmpty }
        #expect(refused.count == 9)
        #expect(Self.pairs.count - refused.count == 4)
    }

    /// What the generator says of a condition where SQLite is named.
    private static func problems(_ condition: String) throws -> [String] {
        let text = """
            entity: Ware
            id: { name: id, type: String }
            fields:
              tags: "[String]"
              weight: Decimal
              cost: { type: Decimal, scale: 2 }
              rate: { type: Decimal, scale: 2, storedAs: { sqlite: text } }
              due: Date
              box: Box
            indexes:
              - { fields: cost, unique: true, where: "\(condition)" }
            ---
            value: Box
            fields: { size: Double, width: { type: Int, renamedFrom: breadth }, depth: { type: Int?, default: 1 }, height: Int }
            """
        let (set, diagnostics) = SchemaParser.parse(
            files: [SchemaSource(path: "Ware.yaml", bytes: Array(text.utf8))],
            settings: SchemaSource(
                path: "repositories.yaml", bytes: Array("stores: [sqlite]".utf8)))
        try #require(diagnostics.isEmpty, "\(diagnostics.map(\.message))")
        return Validator.validate(set).map(\.message)
    }
}
