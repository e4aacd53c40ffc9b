internal import Foundation
internal import RepositoryRuntime

/// The table of a ``Listing``: which checks and indexes it has.
protocol ListingShape: Sendable {
    /// The table as this state of the program declares it.
    static var table: EntityTable { get }
}

/// A record with checks and partial indexes, which its shape declares.
struct Listing<S: ListingShape>: Entity {
    typealias ID = EntityID<Listing<S>, String>
    typealias Mapper = ListingMapper<S>

    let id: ID
    var title: String
    var note: String?
    var state: String
    var count: Int
    var price: Decimal
    var drawer: Shaped<Shapes.Drawer>.ID?

    init(
        _ id: String, title: String = "t", note: String? = nil, state: String = "open",
        count: Int = 1, price: Decimal = 1, drawer: Shaped<Shapes.Drawer>.ID? = nil
    ) {
        self.id = ID(id)
        self.title = title
        self.note = note
        self.state = state
        self.count = count
        self.price = price
        self.drawer = drawer
    }

    static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.title == right.title && left.note == right.note
            && left.state == right.state && left.count == right.count
            && left.price == right.price && left.drawer == right.drawer
    }
}

extension Listing {
    struct Fields: QueryFields {
        typealias QueryRoot = Listing<S>

        let id = QueryField<Listing<S>, Listing<S>.ID>(0)
        let title = QueryField<Listing<S>, String>(1)
        let note = QueryField<Listing<S>, String?>(2)
        let state = QueryField<Listing<S>, String>(3)
        let count = QueryField<Listing<S>, Int>(4)
        let price = QueryField<Listing<S>, Decimal>(5)
        let drawer = QueryField<Listing<S>, Shaped<Shapes.Drawer>.ID?>(6)
    }
}

/// The mapping of a listing.
enum ListingMapper<S: ListingShape>: EntityMapper {
    static var table: EntityTable { S.table }

    static func encode<E: FieldEncoder>(_ listing: Listing<S>, to fields: inout E) throws {
        try fields.encode(listing.id, at: 0)
        try fields.encode(listing.title, at: 1)
        try fields.encode(listing.note, at: 2)
        try fields.encode(listing.state, at: 3)
        try fields.encode(listing.count, at: 4)
        try fields.encode(listing.price, at: 5)
        try fields.encode(listing.drawer, at: 6)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Listing<S> {
        let id = try fields.decode(Listing<S>.ID.self, at: 0)
        var listing = Listing<S>(id.rawValue)
        listing.title = try fields.decode(String.self, at: 1)
        listing.note = try fields.decode(String?.self, at: 2)
        listing.state = try fields.decode(String.self, at: 3)
        listing.count = try fields.decode(Int.self, at: 4)
        listing.price = try fields.decode(Decimal.self, at: 5)
        listing.drawer = try fields.decode(Shaped<Shapes.Drawer>.ID?.self, at: 6)
        return listing
    }

    static func prepare(_ listing: inout Listing<S>, for write: WriteContext) throws {
        listing.price = try write.rounded(listing.price, scale: 2, "price")
    }
}

/// The listings of a shape.
struct ListingRepository<S: ListingShape>: EntityRepository {
    typealias Model = Listing<S>
    let context: RepositoryContext

    init(_ context: RepositoryContext) {
        self.context = context
    }
}

/// A set of the listings of a shape, for transactions.
struct ListingSet<S: ListingShape>: RepositorySet {
    static var schema: StoreSchema { StoreSchema("Listings", [Listing<S>.self]) }

    let context: RepositoryContext

    init(context: RepositoryContext) {
        self.context = context
    }

    /// The listings.
    var listings: ListingRepository<S> { ListingRepository(context) }
}

extension StoreTrial {
    /// The listings of a shape in the store, opened with a schema of them alone.
    func listings<S: ListingShape>(
        _ shape: S.Type, fullScans: FullScanPolicy = .allow
    ) -> ListingRepository<S> {
        ListingRepository(context([Listing<S>.self], fullScans))
    }

    /// Drawers, and the listings of a shape that refer to them.
    func drawers<S: ListingShape>(
        _ shape: S.Type
    ) -> (drawers: ShapedRepository<Shapes.Drawer>, listings: ListingRepository<S>) {
        let context = context([Shaped<Shapes.Drawer>.self, Listing<S>.self], .allow)
        return (ShapedRepository(context), ListingRepository(context))
    }

    private func context(
        _ entities: [any Entity.Type], _ fullScans: FullScanPolicy
    ) -> RepositoryContext {
        RepositoryContext(
            store: store, schema: StoreSchema("Listings", entities), defaults: defaults,
            fullScans: fullScans)
    }
}
