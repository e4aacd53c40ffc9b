import Foundation
import Generated
import RepositoryRuntime

/// An entity with a field of every kind, as the generator would write it.
struct Specimen: Entity {
    typealias ID = EntityID<Specimen, String>
    typealias Mapper = SpecimenMapper

    let id: ID
    var text = ""
    var note: String?
    var flag = false
    var tiny: Int8 = 0
    var large: Int64 = 0
    var count: Int?
    var single: Float = 0
    var ratio = 0.0
    var price: Decimal = 0
    var seen = Date(timeIntervalSinceReferenceDate: 0)
    var until: Date?
    var token: UUID = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))
    var link: URL?
    var bytes = Data()
    var status = Status.available
    var shelf: Shelf?
    var loan: Loan.ID?
    var tags: [String?] = []
    var grid: [[Int]] = []
    var prices: [String: Decimal] = [:]
    var shelves: [Shelf] = []
    var days: [String: [Date]] = [:]
    var maybe: [String: Int?] = [:]
    var links: [URL] = []
    var secret: Int8?

    init(_ id: ID) {
        self.id = id
    }

    static func == (left: Specimen, right: Specimen) -> Bool {
        guard left.id == right.id, left.text.utf8.elementsEqual(right.text.utf8) else {
            return false
        }
        guard left.note == right.note, left.flag == right.flag else { return false }
        guard left.tiny == right.tiny, left.large == right.large else { return false }
        guard left.count == right.count, left.single == right.single else { return false }
        guard left.ratio == right.ratio, left.price == right.price else { return false }
        guard left.seen == right.seen, left.until == right.until else { return false }
        guard left.token == right.token, left.link == right.link else { return false }
        guard left.bytes == right.bytes, left.status == right.status else { return false }
        guard left.shelf == right.shelf, left.loan == right.loan else { return false }
        guard left.tags == right.tags, left.grid == right.grid else { return false }
        guard left.prices == right.prices, left.shelves == right.shelves else { return false }
        guard left.days == right.days, left.maybe == right.maybe else { return false }
        return left.links == right.links && left.secret == right.secret
    }
}

enum SpecimenMapper: EntityMapper {
    static let table: EntityTable = {
        var table = EntityTable("specimens", entity: "Specimen")
        table.field("id", .text, key: true)
        table.field("text", .text)
        table.field("note", .text, optional: true, renamedFrom: ["remark", "comment"])
        table.field("flag", .bool)
        table.field("tiny", .int8)
        table.field("large", .int64)
        table.field("count", .int64, optional: true)
        table.field("single", .float)
        table.field("ratio", .double)
        table.field("price", .decimal(scale: nil))
        table.field("seen", .date)
        table.field("until", .date, optional: true)
        table.field("token", .uuid)
        table.field("link", .url, optional: true)
        table.field("bytes", .data)
        table.field("status", .text, default: .text("available"))
        table.field("shelf", .object(ShelfMapper.layout), optional: true)
        table.field("loan", .composite(LoanIDMapper.layout), optional: true)
        table.field("tags", .list(.text, optionalElements: true), default: .list([]))
        table.field("grid", .list(.list(.int64)))
        table.field("prices", .map(.decimal(scale: nil)))
        table.field("shelves", .list(.object(ShelfMapper.layout)))
        table.field("days", .map(.list(.date)))
        table.field("maybe", .map(.int64, optionalElements: true))
        table.field("links", .list(.url))
        table.field("secret", .int8, optional: true, sensitive: true)
        return table
    }()

    static func encode<E: FieldEncoder>(_ specimen: Specimen, to fields: inout E) throws {
        try fields.encode(specimen.id, at: 0)
        try fields.encode(specimen.text, at: 1)
        try fields.encode(specimen.note, at: 2)
        try fields.encode(specimen.flag, at: 3)
        try fields.encode(specimen.tiny, at: 4)
        try fields.encode(specimen.large, at: 5)
        try fields.encode(specimen.count, at: 6)
        try fields.encode(specimen.single, at: 7)
        try fields.encode(specimen.ratio, at: 8)
        try fields.encode(specimen.price, at: 9)
        try fields.encode(specimen.seen, at: 10)
        try fields.encode(specimen.until, at: 11)
        try fields.encode(specimen.token, at: 12)
        try fields.encode(specimen.link, at: 13)
        try fields.encode(specimen.bytes, at: 14)
        try fields.encode(specimen.status, at: 15)
        try fields.encode(specimen.shelf, at: 16)
        try fields.encode(specimen.loan, at: 17)
        try fields.encode(specimen.tags, at: 18)
        try fields.encode(specimen.grid, at: 19)
        try fields.encode(specimen.prices, at: 20)
        try fields.encode(specimen.shelves, at: 21)
        try fields.encode(specimen.days, at: 22)
        try fields.encode(specimen.maybe, at: 23)
        try fields.encode(specimen.links, at: 24)
        try fields.encode(specimen.secret, at: 25)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Specimen {
        var specimen = Specimen(try fields.decode(Specimen.ID.self, at: 0))
        specimen.text = try fields.decode(String.self, at: 1)
        specimen.note = try fields.decode(String?.self, at: 2)
        specimen.flag = try fields.decode(Bool.self, at: 3)
        specimen.tiny = try fields.decode(Int8.self, at: 4)
        specimen.large = try fields.decode(Int64.self, at: 5)
        specimen.count = try fields.decode(Int?.self, at: 6)
        specimen.single = try fields.decode(Float.self, at: 7)
        specimen.ratio = try fields.decode(Double.self, at: 8)
        specimen.price = try fields.decode(Decimal.self, at: 9)
        specimen.seen = try fields.decode(Date.self, at: 10)
        specimen.until = try fields.decode(Date?.self, at: 11)
        specimen.token = try fields.decode(UUID.self, at: 12)
        specimen.link = try fields.decode(URL?.self, at: 13)
        specimen.bytes = try fields.decode(Data.self, at: 14)
        specimen.status = try fields.decode(Status.self, at: 15, default: .available)
        specimen.shelf = try fields.decode(Shelf?.self, at: 16)
        specimen.loan = try fields.decode(Loan.ID?.self, at: 17)
        specimen.tags = try fields.decode([String?].self, at: 18, default: [])
        specimen.grid = try fields.decode([[Int]].self, at: 19)
        specimen.prices = try fields.decode([String: Decimal].self, at: 20)
        specimen.shelves = try fields.decode([Shelf].self, at: 21)
        specimen.days = try fields.decode([String: [Date]].self, at: 22)
        specimen.maybe = try fields.decode([String: Int?].self, at: 23)
        specimen.links = try fields.decode([URL].self, at: 24)
        specimen.secret = try fields.decode(Int8?.self, at: 25)
        return specimen
    }

    static func prepare(_ specimen: inout Specimen, for write: WriteContext) throws {
        specimen.seen = try write.prepared(specimen.seen, "seen")
        specimen.until = try write.prepared(specimen.until, "until")
    }
}

struct SpecimenRepository: EntityRepository {
    typealias Model = Specimen
    let context: RepositoryContext

    init(_ context: RepositoryContext) {
        self.context = context
    }
}
