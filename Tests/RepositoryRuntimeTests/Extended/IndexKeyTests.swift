import Foundation
import Testing

@testable import RepositoryRuntime

/// That the bytes of a key stand in the order of the values.
@Suite struct IndexKeyTests {
    /// A table of the types, with an index over the first two fields and the id last.
    private func table(_ types: [StoredType], id: StoredType) -> EntityTable {
        var table = EntityTable("things", entity: "Thing")
        for (index, type) in types.enumerated() {
            table.field("f\(index)", type, optional: true)
        }
        table.field("id", id, key: true)
        return table
    }

    @Test(arguments: 1...4)
    func ordersValuesAsTheyAre(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for type in RandomIndexValues.types {
            for _ in 0..<400 {
                let left = RandomIndexValues.make(type, &random)
                let right = RandomIndexValues.make(type, &random)
                for descending in [false, true] {
                    var one = IndexKeyWriter()
                    var two = IndexKeyWriter()
                    one.append(left, type, descending: descending)
                    two.append(right, type, descending: descending)
                    let (first, second) = (IndexKey(one.bytes), IndexKey(two.bytes))
                    let name: Comment = "seed \(seed): \(left) and \(right)"
                    #expect((first == second) == (left == right), name)
                    if left == right { continue }
                    let precedes = Self.precedes(left, right, type)
                    #expect((first < second) == (precedes != descending), name)
                    // Neither is the beginning of the other, so that what follows never decides.
                    #expect(!first.bytes.starts(with: second.bytes), name)
                    var reader = IndexKeyReader(IndexKey(first.bytes + [77]))
                    let isWhole = reader.skip(descending: descending)
                    #expect(isWhole, name)
                    #expect(reader.position == first.bytes.count, name)
                }
            }
        }
    }

    /// The order of values, to which composite references add that of their components.
    private static func precedes(
        _ left: StoredValue, _ right: StoredValue, _ type: StoredType
    ) -> Bool {
        guard case .composite(let layout) = type, case .object(let one) = left,
            case .object(let two) = right
        else { return left < right }
        for field in layout.fields {
            let (first, second) = (one[field.name] ?? .null, two[field.name] ?? .null)
            if first != second { return first < second }
        }
        return false
    }

    @Test(arguments: 11...13)
    func ordersRecordsByFieldsThenIds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let types = (0..<3).map { _ in random.pick(RandomIndexValues.types, .text) }
            let idType = random.pick([StoredType.text, .int64, .uuid], .text)
            var table = table(types, id: idType)
            let descending = (0..<3).map { _ in random.below(2) == 0 }
            table.index("by", (0..<3).map { (descending[$0] ? "-f" : "f") + String($0) })
            let form = IndexKeyForm(table, table.indexes[0])
            var rows: [[StoredValue]] = []
            for _ in 0..<40 {
                var row = types.map { RandomIndexValues.make($0, &random) }
                var id = StoredValue.null
                while id == .null { id = RandomIndexValues.make(idType, &random) }
                // Rows with equal fields, so that ids decide.
                if let last = rows.last, random.below(2) == 0 { row = Array(last.dropLast()) }
                rows.append(row + [id])
            }
            for left in rows {
                let key = try #require(form.key(of: left))
                #expect(form.components(of: key) == [left[3]], "seed \(seed)")
                let fields = form.fields(of: key)
                #expect(fields == form.key(values: left.dropLast()), "seed \(seed)")
                for right in rows {
                    let other = try #require(form.key(of: right))
                    var order: Bool?
                    for index in 0..<4 where order == nil && left[index] != right[index] {
                        let type = index < 3 ? types[index] : idType
                        let first = Self.precedes(left[index], right[index], type)
                        order = index < 3 && descending[index] ? !first : first
                    }
                    #expect(
                        (key < other) == (order ?? false),
                        "seed \(seed): \(left) and \(right)")
                }
            }
        }
    }

    @Test func readsIdsOfEveryShape() throws {
        let place = StoredType.composite(RandomIndexValues.place)
        var table = EntityTable("things", entity: "Thing")
        table.field("name", .text)
        table.field("place", place, key: true)
        table.field("letter", .text, key: true)
        table.index("by_name", ["-name"])
        let form = IndexKeyForm(table, table.indexes[0])
        let id: [StoredValue] = [
            .object(["hall": .text("\u{1}h"), "row": .integer(-3)]), .text(""),
        ]
        let key = try #require(form.key(of: [.text("n")] + id))
        #expect(form.components(of: key) == id)
        #expect(form.components(of: key.successor) == nil)
        #expect(form.components(of: IndexKey(Array(key.bytes.dropLast()))) == nil)
        #expect(form.fields(of: IndexKey([])) == nil)
        #expect(form.id(of: key, EntityID<Int, String>.self) == nil)
    }

    @Test func equalNumbersHaveOneKey() throws {
        func bytes(_ value: StoredValue) -> [UInt8] {
            var writer = IndexKeyWriter()
            writer.append(value, .text, descending: false)
            return writer.bytes
        }
        #expect(bytes(.double(0)) == bytes(.double(-0.0)))
        let hundred = Decimal(sign: .plus, exponent: 2, significand: 1)
        #expect(bytes(.decimal(100)) == bytes(.decimal(hundred)))
        #expect(bytes(.decimal(0)) == bytes(.decimal(-Decimal(0))))
        #expect(bytes(.decimal(.nan)) < bytes(.decimal(-1)))
        #expect(bytes(.text("\u{E9}")) != bytes(.text("e\u{301}")))
    }
}

extension [UInt8] {
    fileprivate static func < (left: Self, right: Self) -> Bool {
        left.lexicographicallyPrecedes(right)
    }
}
