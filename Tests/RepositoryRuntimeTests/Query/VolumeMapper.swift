import Foundation
import RepositoryRuntime

enum VolumeMapper: EntityMapper {
    static let table: EntityTable = {
        var table = EntityTable("volumes", entity: "Volume")
        table.field("code", .text, key: true)
        table.field("title", .text)
        table.field("subtitle", .text, optional: true)
        table.field("tags", .list(.text))
        table.field("labels", .list(.text), optional: true)
        table.field("gaps", .list(.text, optionalElements: true))
        table.field("pages", .int64)
        table.field("score", .double, optional: true)
        table.field("price", .decimal(scale: 2))
        table.field("state", .text)
        table.field("grade", .int64, optional: true)
        table.field("spot", .object(SpotMapper.layout))
        table.field("shelf", .object(SpotMapper.layout), optional: true)
        table.field("due", .date, optional: true)
        table.field("token", .uuid)
        table.field("counts", .map(.int64))
        table.field("parent", .text, optional: true)
        table.field("isOpen", .bool)
        table.index("by_state", ["state"])
        table.index("by_grade", ["grade", "-pages"])
        table.index("by_token", ["token"], unique: true)
        table.index("by_shape", ["isOpen", "subtitle", "-score"])
        table.index("by_due", ["-due", "price"])
        return table
    }()

    static func encode<E: FieldEncoder>(_ volume: Volume, to fields: inout E) throws {
        try fields.encode(volume.code, at: 0)
        try fields.encode(volume.title, at: 1)
        try fields.encode(volume.subtitle, at: 2)
        try fields.encode(volume.tags, at: 3)
        try fields.encode(volume.labels, at: 4)
        try fields.encode(volume.gaps, at: 5)
        try fields.encode(volume.pages, at: 6)
        try fields.encode(volume.score, at: 7)
        try fields.encode(volume.price, at: 8)
        try fields.encode(volume.state, at: 9)
        try fields.encode(volume.grade, at: 10)
        try fields.encode(volume.spot, at: 11)
        try fields.encode(volume.shelf, at: 12)
        try fields.encode(volume.due, at: 13)
        try fields.encode(volume.token, at: 14)
        try fields.encode(volume.counts, at: 15)
        try fields.encode(volume.parent, at: 16)
        try fields.encode(volume.isOpen, at: 17)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Volume {
        Volume(
            code: try fields.decode(Volume.ID.self, at: 0),
            title: try fields.decode(String.self, at: 1),
            subtitle: try fields.decode(String?.self, at: 2),
            tags: try fields.decode([String].self, at: 3),
            labels: try fields.decode([String]?.self, at: 4),
            gaps: try fields.decode([String?].self, at: 5),
            pages: try fields.decode(Int.self, at: 6),
            score: try fields.decode(Double?.self, at: 7),
            price: try fields.decode(Decimal.self, at: 8),
            state: try fields.decode(State.self, at: 9),
            grade: try fields.decode(Grade?.self, at: 10),
            spot: try fields.decode(Spot.self, at: 11),
            shelf: try fields.decode(Spot?.self, at: 12),
            due: try fields.decode(Date?.self, at: 13),
            token: try fields.decode(UUID.self, at: 14),
            counts: try fields.decode([String: Int].self, at: 15),
            parent: try fields.decode(Volume.ID?.self, at: 16),
            isOpen: try fields.decode(Bool.self, at: 17))
    }

    static func prepare(_ volume: inout Volume, for write: WriteContext) throws {
        volume.due = try write.prepared(volume.due, "due")
    }
}
