import Foundation
import RepositoryRuntime

/// A record with a field of every shape that conditions speak of, and its fields as the generator would emit them.
struct Volume: Entity {
    typealias ID = EntityID<Volume, String>
    typealias Mapper = VolumeMapper

    let code: ID
    var title = ""
    var subtitle: String?
    var tags: [String] = []
    var labels: [String]?
    var gaps: [String?] = []
    var pages = 0
    var score: Double?
    var price: Decimal = 0
    var state: State = .new
    var grade: Grade?
    var spot = Spot()
    var shelf: Spot?
    var due: Date?
    var token = UUID()
    var counts: [String: Int] = [:]
    var parent: ID?
    var isOpen = false

    var id: ID { code }

    struct Fields: QueryFields {
        typealias QueryRoot = Volume
        let code = QueryField<Volume, Volume.ID>(0)
        let title = QueryField<Volume, String>(1)
        let subtitle = QueryField<Volume, String?>(2)
        let tags = QueryField<Volume, [String]>(3)
        let labels = QueryField<Volume, [String]?>(4)
        let gaps = QueryField<Volume, [String?]>(5)
        let pages = QueryField<Volume, Int>(6)
        let score = QueryField<Volume, Double?>(7)
        let price = QueryField<Volume, Decimal>(8)
        let state = QueryField<Volume, State>(9)
        let grade = QueryField<Volume, Grade?>(10)
        let spot = QueryField<Volume, Spot>(11)
        let shelf = QueryField<Volume, Spot?>(12)
        let due = QueryField<Volume, Date?>(13)
        let token = QueryField<Volume, UUID>(14)
        let counts = QueryField<Volume, [String: Int]>(15)
        let parent = QueryField<Volume, Volume.ID?>(16)
        let isOpen = QueryField<Volume, Bool>(17)
        init() {}
    }
}

enum State: String, StoredEnum, CaseIterable {
    case new
    case lent = "on_loan"
    case gone
}

enum Grade: Int, StoredEnum, CaseIterable {
    case poor = -1
    case fair = 5
    case good = 10
}

struct Spot: EmbeddedValue {
    typealias Mapper = SpotMapper
    var room = ""
    var row = 0
    var note: String?

    struct Fields: QueryFields {
        typealias QueryRoot = Spot
        let room = QueryField<Spot, String>(0)
        let row = QueryField<Spot, Int>(1)
        let note = QueryField<Spot, String?>(2)
        init() {}
    }
}

enum SpotMapper: RecordMapper {
    static let layout = FieldLayout(
        "Spot",
        [
            FieldDescription("room", .text), FieldDescription("row", .int64),
            FieldDescription("note", .text, optional: true),
        ])

    static func encode<E: FieldEncoder>(_ spot: Spot, to fields: inout E) throws {
        try fields.encode(spot.room, at: 0)
        try fields.encode(spot.row, at: 1)
        try fields.encode(spot.note, at: 2)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Spot {
        Spot(
            room: try fields.decode(String.self, at: 0), row: try fields.decode(Int.self, at: 1),
            note: try fields.decode(String?.self, at: 2))
    }
}

struct VolumeRepository: EntityRepository {
    typealias Model = Volume
    let context: RepositoryContext
    init(_ context: RepositoryContext) { self.context = context }

    /// A repository over a store.
    init(over store: any EntityStore) {
        self.init(
            RepositoryContext(
                store: store, schema: StoreSchema("Volumes", [Volume.self]), fullScans: .allow))
    }
}
