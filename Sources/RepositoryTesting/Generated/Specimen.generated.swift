package import Foundation
package import RepositoryRuntime

/// Every type, required and optional.
nonisolated package struct Specimen: Entity {
    /// The id of a specimen.
    package typealias ID = EntityID<Specimen, String>
    /// The mapper between a specimen and its fields.
    package typealias Mapper = SpecimenMapper

    package let id: ID
    package var string: String
    package var bool: Bool
    package var int: Int
    package var int8: Int8
    package var int16: Int16
    package var int32: Int32
    package var int64: Int64
    package var uint8: UInt8
    package var uint16: UInt16
    package var uint32: UInt32
    package var float: Float
    package var double: Double
    package var decimal: Foundation.Decimal
    package var money: Foundation.Decimal
    package var date: Foundation.Date
    package var uuid: Foundation.UUID
    package var url: Foundation.URL
    package var data: Foundation.Data
    package var colour: Colour
    package var digit: Digit
    package var hue: Hue
    package var detail: Detail
    package var list: [Int]
    package var details: [Detail]
    package var gaps: [String?]
    package var map: [String: Double]

    /// Makes a specimen that is not stored yet.
    package init(
        id: ID,
        string: String = "",
        bool: Bool = false,
        int: Int = 0,
        int8: Int8 = 0,
        int16: Int16 = 0,
        int32: Int32 = 0,
        int64: Int64 = 0,
        uint8: UInt8 = 0,
        uint16: UInt16 = 0,
        uint32: UInt32 = 0,
        float: Float = 0,
        double: Double = 0,
        decimal: Foundation.Decimal = 0,
        money: Foundation.Decimal = 0,
        date: Foundation.Date = EntityDefaults.now(),
        uuid: Foundation.UUID = EntityDefaults.uuid(),
        url: Foundation.URL,
        data: Foundation.Data,
        colour: Colour = .red,
        digit: Digit = .one,
        hue: Hue = .warm,
        detail: Detail,
        list: [Int] = [],
        details: [Detail] = [],
        gaps: [String?] = [],
        map: [String: Double] = [:]
    ) {
        self.id = id
        self.string = string
        self.bool = bool
        self.int = int
        self.int8 = int8
        self.int16 = int16
        self.int32 = int32
        self.int64 = int64
        self.uint8 = uint8
        self.uint16 = uint16
        self.uint32 = uint32
        self.float = float
        self.double = double
        self.decimal = decimal
        self.money = money
        self.date = date
        self.uuid = uuid
        self.url = url
        self.data = data
        self.colour = colour
        self.digit = digit
        self.hue = hue
        self.detail = detail
        self.list = list
        self.details = details
        self.gaps = gaps
        self.map = map
    }

    package static func == (left: Specimen, right: Specimen) -> Bool {
        guard left.id == right.id else { return false }
        guard left.string == right.string else { return false }
        guard left.bool == right.bool else { return false }
        guard left.int == right.int else { return false }
        guard left.int8 == right.int8 else { return false }
        guard left.int16 == right.int16 else { return false }
        guard left.int32 == right.int32 else { return false }
        guard left.int64 == right.int64 else { return false }
        guard left.uint8 == right.uint8 else { return false }
        guard left.uint16 == right.uint16 else { return false }
        guard left.uint32 == right.uint32 else { return false }
        guard left.float == right.float else { return false }
        guard left.double == right.double else { return false }
        guard left.decimal == right.decimal else { return false }
        guard left.money == right.money else { return false }
        guard left.date == right.date else { return false }
        guard left.uuid == right.uuid else { return false }
        guard left.url == right.url else { return false }
        guard left.data == right.data else { return false }
        guard left.colour == right.colour else { return false }
        guard left.digit == right.digit else { return false }
        guard left.hue == right.hue else { return false }
        guard left.detail == right.detail else { return false }
        guard left.list == right.list else { return false }
        guard left.details == right.details else { return false }
        guard left.gaps == right.gaps else { return false }
        return left.map == right.map
    }
}

/// The mapping between ``Specimen`` and its fields, one for every store and format.
nonisolated package enum SpecimenMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("specimens", entity: "Specimen")
        table.field("id", .text, key: true)
        table.field("string", .text, default: .text(""))
        table.field("bool", .bool, default: .bool(false))
        table.field("int", .int64, default: .integer(0))
        table.field("int8", .int8, default: .integer(0))
        table.field("int16", .int16, default: .integer(0))
        table.field("int32", .int32, default: .integer(0))
        table.field("int64", .int64, default: .integer(0))
        table.field("uint8", .uint8, default: .integer(0))
        table.field("uint16", .uint16, default: .integer(0))
        table.field("uint32", .uint32, default: .integer(0))
        table.field("float", .float, default: .double(0))
        table.field("double", .double, default: .double(0))
        table.field("decimal", .decimal(scale: nil), default: .decimal(0))
        table.field("money", .decimal(scale: 2), default: .decimal(0))
        table.field("date", .date)
        table.field("uuid", .uuid)
        table.field("url", .url)
        table.field("data", .data)
        table.field("colour", .text, default: .text("red"))
        table.field("digit", .int64, default: .integer(1))
        table.field("hue", .text, default: .text("warm"))
        table.field("detail", .object(DetailMapper.layout))
        table.field("list", .list(.int64), default: .list([]))
        table.field("details", .list(.object(DetailMapper.layout)), default: .list([]))
        table.field("gaps", .list(.text, optionalElements: true), default: .list([]))
        table.field("map", .map(.double), default: .object([:]))
        return table
    }()

    package static func encode<E: FieldEncoder>(_ specimen: Specimen, to fields: inout E) throws {
        try fields.encode(specimen.id, at: 0)
        try fields.encode(specimen.string, at: 1)
        try fields.encode(specimen.bool, at: 2)
        try fields.encode(specimen.int, at: 3)
        try fields.encode(specimen.int8, at: 4)
        try fields.encode(specimen.int16, at: 5)
        try fields.encode(specimen.int32, at: 6)
        try fields.encode(specimen.int64, at: 7)
        try fields.encode(specimen.uint8, at: 8)
        try fields.encode(specimen.uint16, at: 9)
        try fields.encode(specimen.uint32, at: 10)
        try fields.encode(specimen.float, at: 11)
        try fields.encode(specimen.double, at: 12)
        try fields.encode(specimen.decimal, at: 13)
        try fields.encode(specimen.money, at: 14)
        try fields.encode(specimen.date, at: 15)
        try fields.encode(specimen.uuid, at: 16)
        try fields.encode(specimen.url, at: 17)
        try fields.encode(specimen.data, at: 18)
        try fields.encode(specimen.colour, at: 19)
        try fields.encode(specimen.digit, at: 20)
        try fields.encode(specimen.hue, at: 21)
        try fields.encode(specimen.detail, at: 22)
        try fields.encode(specimen.list, at: 23)
        try fields.encode(specimen.details, at: 24)
        try fields.encode(specimen.gaps, at: 25)
        try fields.encode(specimen.map, at: 26)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Specimen {
        let id = try fields.decode(Specimen.ID.self, at: 0)
        let string = try fields.decode(String.self, at: 1, default: "")
        let bool = try fields.decode(Bool.self, at: 2, default: false)
        let int = try fields.decode(Int.self, at: 3, default: 0)
        let int8 = try fields.decode(Int8.self, at: 4, default: 0)
        let int16 = try fields.decode(Int16.self, at: 5, default: 0)
        let int32 = try fields.decode(Int32.self, at: 6, default: 0)
        let int64 = try fields.decode(Int64.self, at: 7, default: 0)
        let uint8 = try fields.decode(UInt8.self, at: 8, default: 0)
        let uint16 = try fields.decode(UInt16.self, at: 9, default: 0)
        let uint32 = try fields.decode(UInt32.self, at: 10, default: 0)
        let float = try fields.decode(Float.self, at: 11, default: 0)
        let double = try fields.decode(Double.self, at: 12, default: 0)
        let decimal = try fields.decode(Foundation.Decimal.self, at: 13, default: 0)
        let money = try fields.decode(Foundation.Decimal.self, at: 14, default: 0)
        let date = try fields.decode(Foundation.Date.self, at: 15)
        let uuid = try fields.decode(Foundation.UUID.self, at: 16)
        let url = try fields.decode(Foundation.URL.self, at: 17)
        let data = try fields.decode(Foundation.Data.self, at: 18)
        let colour = try fields.decode(Colour.self, at: 19, default: .red)
        let digit = try fields.decode(Digit.self, at: 20, default: .one)
        let hue = try fields.decode(Hue.self, at: 21, default: .warm)
        let detail = try fields.decode(Detail.self, at: 22)
        let list = try fields.decode([Int].self, at: 23, default: [])
        let details = try fields.decode([Detail].self, at: 24, default: [])
        let gaps = try fields.decode([String?].self, at: 25, default: [])
        let map = try fields.decode([String: Double].self, at: 26, default: [:])
        return Specimen(
            id: id,
            string: string,
            bool: bool,
            int: int,
            int8: int8,
            int16: int16,
            int32: int32,
            int64: int64,
            uint8: uint8,
            uint16: uint16,
            uint32: uint32,
            float: float,
            double: double,
            decimal: decimal,
            money: money,
            date: date,
            uuid: uuid,
            url: url,
            data: data,
            colour: colour,
            digit: digit,
            hue: hue,
            detail: detail,
            list: list,
            details: details,
            gaps: gaps,
            map: map
        )
    }

    package static func prepare(_ specimen: inout Specimen, for write: WriteContext) throws {
        specimen.money = try write.rounded(specimen.money, scale: 2, "money")
        specimen.date = try write.prepared(specimen.date, "date")
        specimen.detail = try write.prepared(specimen.detail, "detail")
        specimen.details = try write.prepared(specimen.details, "details")
    }
}

/// The specimens, wherever they are stored.
nonisolated package struct SpecimenRepository: EntityRepository {
    package typealias Model = Specimen
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

/// Every type, optional.
nonisolated package struct Sparse: Entity {
    /// The id of a sparse.
    package typealias ID = EntityID<Sparse, String>
    /// The mapper between a sparse and its fields.
    package typealias Mapper = SparseMapper

    package let id: ID
    package var string: String?
    package var bool: Bool?
    package var int: Int?
    package var int8: Int8?
    package var int16: Int16?
    package var int32: Int32?
    package var int64: Int64?
    package var uint8: UInt8?
    package var uint16: UInt16?
    package var uint32: UInt32?
    package var float: Float?
    package var double: Double?
    package var decimal: Foundation.Decimal?
    package var money: Foundation.Decimal?
    package var date: Foundation.Date?
    package var uuid: Foundation.UUID?
    package var url: Foundation.URL?
    package var data: Foundation.Data?
    package var colour: Colour?
    package var digit: Digit?
    package var hue: Hue?
    package var detail: Detail?
    package var list: [Int]?
    package var details: [Detail]?
    package var map: [String: Double]?
    package var nested: [String: [Detail]]?

    /// Makes a sparse that is not stored yet.
    package init(
        id: ID,
        string: String? = nil,
        bool: Bool? = nil,
        int: Int? = nil,
        int8: Int8? = nil,
        int16: Int16? = nil,
        int32: Int32? = nil,
        int64: Int64? = nil,
        uint8: UInt8? = nil,
        uint16: UInt16? = nil,
        uint32: UInt32? = nil,
        float: Float? = nil,
        double: Double? = nil,
        decimal: Foundation.Decimal? = nil,
        money: Foundation.Decimal? = nil,
        date: Foundation.Date? = nil,
        uuid: Foundation.UUID? = nil,
        url: Foundation.URL? = nil,
        data: Foundation.Data? = nil,
        colour: Colour? = nil,
        digit: Digit? = nil,
        hue: Hue? = nil,
        detail: Detail? = nil,
        list: [Int]? = nil,
        details: [Detail]? = nil,
        map: [String: Double]? = nil,
        nested: [String: [Detail]]? = nil
    ) {
        self.id = id
        self.string = string
        self.bool = bool
        self.int = int
        self.int8 = int8
        self.int16 = int16
        self.int32 = int32
        self.int64 = int64
        self.uint8 = uint8
        self.uint16 = uint16
        self.uint32 = uint32
        self.float = float
        self.double = double
        self.decimal = decimal
        self.money = money
        self.date = date
        self.uuid = uuid
        self.url = url
        self.data = data
        self.colour = colour
        self.digit = digit
        self.hue = hue
        self.detail = detail
        self.list = list
        self.details = details
        self.map = map
        self.nested = nested
    }

    package static func == (left: Sparse, right: Sparse) -> Bool {
        guard left.id == right.id else { return false }
        guard left.string == right.string else { return false }
        guard left.bool == right.bool else { return false }
        guard left.int == right.int else { return false }
        guard left.int8 == right.int8 else { return false }
        guard left.int16 == right.int16 else { return false }
        guard left.int32 == right.int32 else { return false }
        guard left.int64 == right.int64 else { return false }
        guard left.uint8 == right.uint8 else { return false }
        guard left.uint16 == right.uint16 else { return false }
        guard left.uint32 == right.uint32 else { return false }
        guard left.float == right.float else { return false }
        guard left.double == right.double else { return false }
        guard left.decimal == right.decimal else { return false }
        guard left.money == right.money else { return false }
        guard left.date == right.date else { return false }
        guard left.uuid == right.uuid else { return false }
        guard left.url == right.url else { return false }
        guard left.data == right.data else { return false }
        guard left.colour == right.colour else { return false }
        guard left.digit == right.digit else { return false }
        guard left.hue == right.hue else { return false }
        guard left.detail == right.detail else { return false }
        guard left.list == right.list else { return false }
        guard left.details == right.details else { return false }
        guard left.map == right.map else { return false }
        return left.nested == right.nested
    }
}

/// The mapping between ``Sparse`` and its fields, one for every store and format.
nonisolated package enum SparseMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("sparses", entity: "Sparse")
        table.field("id", .text, key: true)
        table.field("string", .text, optional: true)
        table.field("bool", .bool, optional: true)
        table.field("int", .int64, optional: true)
        table.field("int8", .int8, optional: true)
        table.field("int16", .int16, optional: true)
        table.field("int32", .int32, optional: true)
        table.field("int64", .int64, optional: true)
        table.field("uint8", .uint8, optional: true)
        table.field("uint16", .uint16, optional: true)
        table.field("uint32", .uint32, optional: true)
        table.field("float", .float, optional: true)
        table.field("double", .double, optional: true)
        table.field("decimal", .decimal(scale: nil), optional: true)
        table.field("money", .decimal(scale: 2), optional: true)
        table.field("date", .date, optional: true)
        table.field("uuid", .uuid, optional: true)
        table.field("url", .url, optional: true)
        table.field("data", .data, optional: true)
        table.field("colour", .text, optional: true)
        table.field("digit", .int64, optional: true)
        table.field("hue", .text, optional: true)
        table.field("detail", .object(DetailMapper.layout), optional: true)
        table.field("list", .list(.int64), optional: true)
        table.field("details", .list(.object(DetailMapper.layout)), optional: true)
        table.field("map", .map(.double), optional: true)
        table.field("nested", .map(.list(.object(DetailMapper.layout))), optional: true)
        return table
    }()

    package static func encode<E: FieldEncoder>(_ sparse: Sparse, to fields: inout E) throws {
        try fields.encode(sparse.id, at: 0)
        try fields.encode(sparse.string, at: 1)
        try fields.encode(sparse.bool, at: 2)
        try fields.encode(sparse.int, at: 3)
        try fields.encode(sparse.int8, at: 4)
        try fields.encode(sparse.int16, at: 5)
        try fields.encode(sparse.int32, at: 6)
        try fields.encode(sparse.int64, at: 7)
        try fields.encode(sparse.uint8, at: 8)
        try fields.encode(sparse.uint16, at: 9)
        try fields.encode(sparse.uint32, at: 10)
        try fields.encode(sparse.float, at: 11)
        try fields.encode(sparse.double, at: 12)
        try fields.encode(sparse.decimal, at: 13)
        try fields.encode(sparse.money, at: 14)
        try fields.encode(sparse.date, at: 15)
        try fields.encode(sparse.uuid, at: 16)
        try fields.encode(sparse.url, at: 17)
        try fields.encode(sparse.data, at: 18)
        try fields.encode(sparse.colour, at: 19)
        try fields.encode(sparse.digit, at: 20)
        try fields.encode(sparse.hue, at: 21)
        try fields.encode(sparse.detail, at: 22)
        try fields.encode(sparse.list, at: 23)
        try fields.encode(sparse.details, at: 24)
        try fields.encode(sparse.map, at: 25)
        try fields.encode(sparse.nested, at: 26)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Sparse {
        let id = try fields.decode(Sparse.ID.self, at: 0)
        let string = try fields.decode(String?.self, at: 1)
        let bool = try fields.decode(Bool?.self, at: 2)
        let int = try fields.decode(Int?.self, at: 3)
        let int8 = try fields.decode(Int8?.self, at: 4)
        let int16 = try fields.decode(Int16?.self, at: 5)
        let int32 = try fields.decode(Int32?.self, at: 6)
        let int64 = try fields.decode(Int64?.self, at: 7)
        let uint8 = try fields.decode(UInt8?.self, at: 8)
        let uint16 = try fields.decode(UInt16?.self, at: 9)
        let uint32 = try fields.decode(UInt32?.self, at: 10)
        let float = try fields.decode(Float?.self, at: 11)
        let double = try fields.decode(Double?.self, at: 12)
        let decimal = try fields.decode(Foundation.Decimal?.self, at: 13)
        let money = try fields.decode(Foundation.Decimal?.self, at: 14)
        let date = try fields.decode(Foundation.Date?.self, at: 15)
        let uuid = try fields.decode(Foundation.UUID?.self, at: 16)
        let url = try fields.decode(Foundation.URL?.self, at: 17)
        let data = try fields.decode(Foundation.Data?.self, at: 18)
        let colour = try fields.decode(Colour?.self, at: 19)
        let digit = try fields.decode(Digit?.self, at: 20)
        let hue = try fields.decode(Hue?.self, at: 21)
        let detail = try fields.decode(Detail?.self, at: 22)
        let list = try fields.decode([Int]?.self, at: 23)
        let details = try fields.decode([Detail]?.self, at: 24)
        let map = try fields.decode([String: Double]?.self, at: 25)
        let nested = try fields.decode([String: [Detail]]?.self, at: 26)
        return Sparse(
            id: id,
            string: string,
            bool: bool,
            int: int,
            int8: int8,
            int16: int16,
            int32: int32,
            int64: int64,
            uint8: uint8,
            uint16: uint16,
            uint32: uint32,
            float: float,
            double: double,
            decimal: decimal,
            money: money,
            date: date,
            uuid: uuid,
            url: url,
            data: data,
            colour: colour,
            digit: digit,
            hue: hue,
            detail: detail,
            list: list,
            details: details,
            map: map,
            nested: nested
        )
    }

    package static func prepare(_ sparse: inout Sparse, for write: WriteContext) throws {
        sparse.money = try write.rounded(sparse.money, scale: 2, "money")
        sparse.date = try write.prepared(sparse.date, "date")
        sparse.detail = try write.prepared(sparse.detail, "detail")
        sparse.details = try write.prepared(sparse.details, "details")
        sparse.nested = try write.prepared(sparse.nested, "nested")
    }
}

/// The sparses, wherever they are stored.
nonisolated package struct SparseRepository: EntityRepository {
    package typealias Model = Sparse
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

/// An embedded value that holds another.
nonisolated package struct Detail: EmbeddedValue {
    /// The mapper between a detail and its fields.
    package typealias Mapper = DetailMapper

    package var text: String
    package var count: Int?
    package var inner: Inner
    package var tags: [String]

    /// Makes a detail.
    package init(
        text: String,
        count: Int? = nil,
        inner: Inner,
        tags: [String] = []
    ) {
        self.text = text
        self.count = count
        self.inner = inner
        self.tags = tags
    }

    package static func == (left: Detail, right: Detail) -> Bool {
        guard left.text == right.text else { return false }
        guard left.count == right.count else { return false }
        guard left.inner == right.inner else { return false }
        return left.tags == right.tags
    }
}

/// The mapping between ``Detail`` and its fields, one for every store and format.
nonisolated package enum DetailMapper: RecordMapper {
    package static let layout = FieldLayout(
        "Detail",
        [
            FieldDescription("text", .text),
            FieldDescription("count", .int64, optional: true),
            FieldDescription("inner", .object(InnerMapper.layout)),
            FieldDescription("tags", .list(.text), default: .list([])),
        ])

    package static func encode<E: FieldEncoder>(_ detail: Detail, to fields: inout E) throws {
        try fields.encode(detail.text, at: 0)
        try fields.encode(detail.count, at: 1)
        try fields.encode(detail.inner, at: 2)
        try fields.encode(detail.tags, at: 3)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Detail {
        let text = try fields.decode(String.self, at: 0)
        let count = try fields.decode(Int?.self, at: 1)
        let inner = try fields.decode(Inner.self, at: 2)
        let tags = try fields.decode([String].self, at: 3, default: [])
        return Detail(
            text: text,
            count: count,
            inner: inner,
            tags: tags
        )
    }

    package static func prepare(_ detail: inout Detail, for write: WriteContext) throws {
        detail.inner = try write.prepared(detail.inner, "inner")
    }
}

nonisolated package struct Inner: EmbeddedValue {
    /// The mapper between an inner and its fields.
    package typealias Mapper = InnerMapper

    package var flag: Bool
    package var amount: Foundation.Decimal?
    package var moment: Foundation.Date?

    /// Makes an inner.
    package init(
        flag: Bool = false,
        amount: Foundation.Decimal? = nil,
        moment: Foundation.Date? = nil
    ) {
        self.flag = flag
        self.amount = amount
        self.moment = moment
    }

    package static func == (left: Inner, right: Inner) -> Bool {
        guard left.flag == right.flag else { return false }
        guard left.amount == right.amount else { return false }
        return left.moment == right.moment
    }
}

/// The mapping between ``Inner`` and its fields, one for every store and format.
nonisolated package enum InnerMapper: RecordMapper {
    package static let layout = FieldLayout(
        "Inner",
        [
            FieldDescription("flag", .bool, default: .bool(false)),
            FieldDescription("amount", .decimal(scale: nil), optional: true),
            FieldDescription("moment", .date, optional: true),
        ])

    package static func encode<E: FieldEncoder>(_ inner: Inner, to fields: inout E) throws {
        try fields.encode(inner.flag, at: 0)
        try fields.encode(inner.amount, at: 1)
        try fields.encode(inner.moment, at: 2)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Inner {
        let flag = try fields.decode(Bool.self, at: 0, default: false)
        let amount = try fields.decode(Foundation.Decimal?.self, at: 1)
        let moment = try fields.decode(Foundation.Date?.self, at: 2)
        return Inner(
            flag: flag,
            amount: amount,
            moment: moment
        )
    }

    package static func prepare(_ inner: inout Inner, for write: WriteContext) throws {
        inner.moment = try write.prepared(inner.moment, "moment")
    }
}

nonisolated package enum Colour: String, StoredEnum, CaseIterable {
    case red
    case green = "GREEN"
    case blue = "bleu ciel"
}

nonisolated package enum Digit: Int, StoredEnum, CaseIterable {
    case one = 1
    case minusTwo = -2
    case huge = 9007199254740993
}

nonisolated package enum Hue: StoredEnum {
    case warm
    case cold
    /// A raw value that this program does not know; it is written back unchanged.
    case other(String)

    package init(rawValue: String) {
        self =
            switch rawValue {
            case "warm": .warm
            case "cold": .cold
            default: .other(rawValue)
            }
    }

    package var rawValue: String {
        switch self {
        case .warm: "warm"
        case .cold: "cold"
        case .other(let rawValue): rawValue
        }
    }
}
