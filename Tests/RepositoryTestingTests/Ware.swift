import Foundation
import RepositoryRuntime

/// An entity whose one index has the condition of the test that runs.
struct Ware: Entity {
    typealias ID = EntityID<Ware, String>
    typealias Mapper = WareMapper

    let id: ID
    var tags: [String]
    var weight: Decimal
    var cost: Decimal
    var rate: Decimal
    var due: Date
    var box: Box

    static func == (left: Ware, right: Ware) -> Bool {
        left.id == right.id && left.tags == right.tags && left.weight == right.weight
            && left.cost == right.cost && left.rate == right.rate && left.due == right.due
            && left.box == right.box
    }

    struct Fields: QueryFields {
        typealias QueryRoot = Ware
        let tags = QueryField<Ware, [String]>(1)
        let weight = QueryField<Ware, Decimal>(2)
        let cost = QueryField<Ware, Decimal>(3)
        let rate = QueryField<Ware, Decimal>(4)
        let due = QueryField<Ware, Date>(5)
        let box = QueryField<Ware, Box>(6)
    }
}

enum WareMapper: EntityMapper {
    /// The condition of the index of the table.
    @TaskLocal static var condition: Condition?

    static var table: EntityTable {
        var table = EntityTable("wares", entity: "Ware")
        table.field("id", .text, key: true)
        table.field("tags", .list(.text))
        table.field("weight", .decimal(scale: nil))
        table.field("cost", .decimal(scale: 2))
        table.field("rate", .decimal(scale: 2), storedAs: .text)
        table.field("due", .date)
        table.field("box", .object(BoxMapper.layout))
        table.index("wares_cost", ["cost"], unique: true, where: condition)
        return table
    }

    static func encode<E: FieldEncoder>(_ ware: Ware, to fields: inout E) throws {
        try fields.encode(ware.id, at: 0)
        try fields.encode(ware.tags, at: 1)
        try fields.encode(ware.weight, at: 2)
        try fields.encode(ware.cost, at: 3)
        try fields.encode(ware.rate, at: 4)
        try fields.encode(ware.due, at: 5)
        try fields.encode(ware.box, at: 6)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Ware {
        Ware(
            id: try fields.decode(Ware.ID.self, at: 0),
            tags: try fields.decode([String].self, at: 1),
            weight: try fields.decode(Decimal.self, at: 2),
            cost: try fields.decode(Decimal.self, at: 3),
            rate: try fields.decode(Decimal.self, at: 4),
            due: try fields.decode(Date.self, at: 5),
            box: try fields.decode(Box.self, at: 6))
    }
}

/// What stands inside a ``Ware``.
struct Box: EmbeddedValue {
    typealias Mapper = BoxMapper

    var size: Double
    var width: Int
    var depth: Int?
    var height: Int

    struct Fields: QueryFields {
        typealias QueryRoot = Box
        let size = QueryField<Box, Double>(0)
        let width = QueryField<Box, Int>(1)
        let depth = QueryField<Box, Int?>(2)
        let height = QueryField<Box, Int>(3)
    }
}

enum BoxMapper: RecordMapper {
    static let layout = FieldLayout(
        "Box",
        [
            FieldDescription("size", .double),
            FieldDescription("width", .int64, renamedFrom: ["breadth"]),
            FieldDescription("depth", .int64, optional: true, default: .integer(1)),
            FieldDescription("height", .int64),
        ])

    static func encode<E: FieldEncoder>(_ box: Box, to fields: inout E) throws {
        try fields.encode(box.size, at: 0)
        try fields.encode(box.width, at: 1)
        try fields.encode(box.depth, at: 2)
        try fields.encode(box.height, at: 3)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Box {
        Box(
            size: try fields.decode(Double.self, at: 0),
            width: try fields.decode(Int.self, at: 1),
            depth: try fields.decode(Int?.self, at: 2, default: 1),
            height: try fields.decode(Int.self, at: 3))
    }
}
