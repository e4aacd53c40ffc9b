package import RepositoryRuntime

/// A record under an integer.
nonisolated package struct Counter: Entity {
    /// The id of a counter.
    package typealias ID = EntityID<Counter, Int>
    /// The mapper between a counter and its fields.
    package typealias Mapper = CounterMapper

    package let number: ID
    package var label: String

    /// The same as `number`.
    package var id: ID { number }

    /// Makes a counter that is not stored yet.
    package init(
        number: ID,
        label: String
    ) {
        self.number = number
        self.label = label
    }

    package static func == (left: Counter, right: Counter) -> Bool {
        guard left.number == right.number else { return false }
        return left.label == right.label
    }
}

/// The mapping between ``Counter`` and its fields, one for every store and format.
nonisolated package enum CounterMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("counters", entity: "Counter")
        table.field("number", .int64, key: true)
        table.field("label", .text)
        return table
    }()

    package static func encode<E: FieldEncoder>(_ counter: Counter, to fields: inout E) throws {
        try fields.encode(counter.number, at: 0)
        try fields.encode(counter.label, at: 1)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Counter {
        let number = try fields.decode(Counter.ID.self, at: 0)
        let label = try fields.decode(String.self, at: 1)
        return Counter(
            number: number,
            label: label
        )
    }
}

/// The counters, wherever they are stored.
nonisolated package struct CounterRepository: EntityRepository {
    package typealias Model = Counter
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

/// A record under an enum of integers.
nonisolated package struct Grade: Entity {
    /// The id of a grade.
    package typealias ID = EntityID<Grade, Level>
    /// The mapper between a grade and its fields.
    package typealias Mapper = GradeMapper

    package let level: ID
    package var label: String

    /// The same as `level`.
    package var id: ID { level }

    /// Makes a grade that is not stored yet.
    package init(
        level: ID,
        label: String
    ) {
        self.level = level
        self.label = label
    }

    package static func == (left: Grade, right: Grade) -> Bool {
        guard left.level == right.level else { return false }
        return left.label == right.label
    }
}

/// The mapping between ``Grade`` and its fields, one for every store and format.
nonisolated package enum GradeMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("grades", entity: "Grade")
        table.field("level", .int64, key: true)
        table.field("label", .text)
        return table
    }()

    package static func encode<E: FieldEncoder>(_ grade: Grade, to fields: inout E) throws {
        try fields.encode(grade.level, at: 0)
        try fields.encode(grade.label, at: 1)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Grade {
        let level = try fields.decode(Grade.ID.self, at: 0)
        let label = try fields.decode(String.self, at: 1)
        return Grade(
            level: level,
            label: label
        )
    }
}

/// The grades, wherever they are stored.
nonisolated package struct GradeRepository: EntityRepository {
    package typealias Model = Grade
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

nonisolated package enum Level: Int, StoredEnum, CaseIterable {
    case high = 30
    case low = 4
    case middle = 20
}

/// A record under an enum of texts.
nonisolated package struct Season: Entity {
    /// The id of a season.
    package typealias ID = EntityID<Season, Quarter>
    /// The mapper between a season and its fields.
    package typealias Mapper = SeasonMapper

    package let quarter: ID
    package var label: String

    /// The same as `quarter`.
    package var id: ID { quarter }

    /// Makes a season that is not stored yet.
    package init(
        quarter: ID,
        label: String
    ) {
        self.quarter = quarter
        self.label = label
    }

    package static func == (left: Season, right: Season) -> Bool {
        guard left.quarter == right.quarter else { return false }
        return left.label == right.label
    }
}

/// The mapping between ``Season`` and its fields, one for every store and format.
nonisolated package enum SeasonMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("seasons", entity: "Season")
        table.field("quarter", .text, key: true)
        table.field("label", .text)
        return table
    }()

    package static func encode<E: FieldEncoder>(_ season: Season, to fields: inout E) throws {
        try fields.encode(season.quarter, at: 0)
        try fields.encode(season.label, at: 1)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Season {
        let quarter = try fields.decode(Season.ID.self, at: 0)
        let label = try fields.decode(String.self, at: 1)
        return Season(
            quarter: quarter,
            label: label
        )
    }
}

/// The seasons, wherever they are stored.
nonisolated package struct SeasonRepository: EntityRepository {
    package typealias Model = Season
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

nonisolated package enum Quarter: String, StoredEnum, CaseIterable {
    case spring
    case summer = "Summer"
    case autumn = "autumn/fall"
    case winter
}
