import RepositoryGeneratorCore
import RepositorySchema
import StoredSchema
import Testing

/// What `changes` says about a change of a type, and what the generated code does.
@Suite("Conversions are listed once")
struct ConversionListTests {
    private static let types = [
        "String", "Int", "Int32", "Decimal", "Kind", "Sort", "Rank", "Grade", "Place", "Spot",
        "Pick", "Tag", "Shop", "Desk", "Pair",
    ]

    private static let declarations = """
        ---
        enum: Kind
        cases: [a, b]
        ---
        enum: Sort
        cases: [a: x, c: y]
        ---
        enum: Rank
        type: Int
        cases: [a: 1, b: 2]
        ---
        enum: Grade
        type: Int
        cases: [a: 7, c: 8]
        ---
        value: Place
        fields: { x: Int }
        ---
        value: Spot
        fields: { x: Int }
        ---
        union: Pick
        cases: { one: { x: Int }, two: { } }
        ---
        scalar: Tag
        stored: String
        ---
        entity: Shop
        id: { name: key, type: String }
        ---
        entity: Desk
        id: { name: key, type: Kind }
        ---
        entity: Pair
        id: [a, b]
        fields: { a: Int, b: Int }
        """

    private static let wrappers = ["#", "#?", "[#]", "[String: #]"]

    private static func set(_ type: String, _ decision: String) -> SchemaSet {
        VersionComparisonTests.set(
            "entity: Note\nfields:\n  text: { type: \"\(type)\"\(decision) }\n" + declarations)
    }

    @Test("for every pair of types", arguments: wrappers, ["code", "value"])
    func pairs(wrapper: String, method: String) {
        var (converted, functions) = (0, 0)
        let names = Self.types.map { wrapper.replacing("#", with: $0) }
        let before = names.map { name in
            VersionComparisonTests.versions([Self.set(name, "")])[0]
        }
        for (old, earlier) in zip(names, before) {
            for new in names where new != old {
                let present = Self.set(new, ", convert: \(method)")
                let comparison = VersionComparison(from: earlier, number: 1, to: present)
                guard comparison.isDecided else { continue }
                let history = VersionHistory(
                    versions: [.init(number: 1, hash: "", set: earlier)], present: present,
                    isReleased: false)
                let changes = history.stored.unreleased ?? []
                let label = "\(old) to \(new) by \(method)"
                let called = Set(changes.compactMap(\.function))
                #expect(Set(comparison.functions.map(\.name)) == called, "\(label)")
                #expect(history.problems.map(\.message) == [], "\(label)")
                let isConverted = comparison.changes.contains { $0.code == .typeChanged }
                let conversions = changes.filter { change in
                    switch change {
                    case .convert, .convertByCode: true
                    default: false
                    }
                }
                #expect(conversions.isEmpty != isConverted, "\(label)")
                converted += isConverted ? 1 : 0
                functions += called.count
            }
        }
        #expect(converted > 40)
        #expect((functions > 0) == (method == "code"))
    }
}
