package import Foundation
package import RepositoryRuntime

/// What others refer to.
nonisolated package struct Hall: Entity {
    /// The id of a hall.
    package typealias ID = EntityID<Hall, String>
    /// The mapper between a hall and its fields.
    package typealias Mapper = HallMapper

    package let id: ID
    package var title: String

    /// Makes a hall that is not stored yet.
    package init(
        id: ID,
        title: String = ""
    ) {
        self.id = id
        self.title = title
    }

    package static func == (left: Hall, right: Hall) -> Bool {
        guard left.id == right.id else { return false }
        return left.title == right.title
    }
}

/// The mapping between ``Hall`` and its fields, one for every store and format.
nonisolated package enum HallMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("halls", entity: "Hall")
        table.field("id", .text, key: true)
        table.field("title", .text, default: .text(""))
        return table
    }()

    package static func encode<E: FieldEncoder>(_ hall: Hall, to fields: inout E) throws {
        try fields.encode(hall.id, at: 0)
        try fields.encode(hall.title, at: 1)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Hall {
        let id = try fields.decode(Hall.ID.self, at: 0)
        let title = try fields.decode(String.self, at: 1, default: "")
        return Hall(
            id: id,
            title: title
        )
    }
}

/// The halls, wherever they are stored.
nonisolated package struct HallRepository: EntityRepository {
    package typealias Model = Hall
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

/// A record with a composite id, one component of which is a reference.
nonisolated package struct Seat: Entity {
    /// The mapper between a seat and its fields.
    package typealias Mapper = SeatMapper

    /// The id of a seat.
    package struct ID: CompositeEntityID {
        /// The mapper between the id and its components.
        package typealias Mapper = SeatIDMapper

        package let hallID: Hall.ID
        package let row: Int
        package let letter: String

        /// Makes the id of a seat.
        package init(
            hallID: Hall.ID,
            row: Int,
            letter: String
        ) {
            self.hallID = hallID
            self.row = row
            self.letter = letter
        }

        package init?(componentTexts texts: [String]) {
            guard texts.count == 3 else { return nil }
            guard let hallID = Hall.ID(identifierText: texts[0]) else { return nil }
            guard let row = Int(identifierText: texts[1]) else { return nil }
            guard let letter = String(identifierText: texts[2]) else { return nil }
            self.init(
                hallID: hallID,
                row: row,
                letter: letter
            )
        }

        package var componentTexts: [String] {
            [
                hallID.identifierText,
                row.identifierText,
                letter.identifierText,
            ]
        }

        package static func == (left: Self, right: Self) -> Bool {
            guard Hall.ID.isSameIdentifier(left.hallID, right.hallID) else { return false }
            guard Int.isSameIdentifier(left.row, right.row) else { return false }
            return String.isSameIdentifier(left.letter, right.letter)
        }

        package func hash(into hasher: inout Hasher) {
            hallID.hashIdentifier(into: &hasher)
            row.hashIdentifier(into: &hasher)
            letter.hashIdentifier(into: &hasher)
        }

        package static func < (left: Self, right: Self) -> Bool {
            if Hall.ID.identifierPrecedes(left.hallID, right.hallID) { return true }
            if Hall.ID.identifierPrecedes(right.hallID, left.hallID) { return false }
            if Int.identifierPrecedes(left.row, right.row) { return true }
            if Int.identifierPrecedes(right.row, left.row) { return false }
            return String.identifierPrecedes(left.letter, right.letter)
        }
    }

    package let hallID: Hall.ID
    package let row: Int
    package let letter: String
    package var price: Foundation.Decimal

    /// The id of the seat.
    package var id: ID {
        ID(
            hallID: hallID,
            row: row,
            letter: letter
        )
    }

    /// Makes a seat that is not stored yet.
    package init(
        hallID: Hall.ID,
        row: Int,
        letter: String,
        price: Foundation.Decimal = 0
    ) {
        self.hallID = hallID
        self.row = row
        self.letter = letter
        self.price = price
    }

    package static func == (left: Seat, right: Seat) -> Bool {
        guard left.hallID == right.hallID else { return false }
        guard left.row == right.row else { return false }
        guard left.letter == right.letter else { return false }
        return left.price == right.price
    }
}

/// The mapping between the id of a ``Seat`` and its components.
nonisolated package enum SeatIDMapper: RecordMapper {
    package static let layout = FieldLayout(
        "Seat.ID",
        [
            FieldDescription("hallID", .text),
            FieldDescription("row", .int64),
            FieldDescription("letter", .text),
        ])

    package static func encode<E: FieldEncoder>(_ id: Seat.ID, to fields: inout E) throws {
        try fields.encode(id.hallID, at: 0)
        try fields.encode(id.row, at: 1)
        try fields.encode(id.letter, at: 2)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Seat.ID {
        let hallID = try fields.decode(Hall.ID.self, at: 0)
        let row = try fields.decode(Int.self, at: 1)
        let letter = try fields.decode(String.self, at: 2)
        return Seat.ID(
            hallID: hallID,
            row: row,
            letter: letter
        )
    }
}

/// The mapping between ``Seat`` and its fields, one for every store and format.
nonisolated package enum SeatMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("seats", entity: "Seat")
        table.field(
            "hallID", .text, column: "hall_id",
            reference: TableReference("halls", onDelete: .cascade), key: true)
        table.field("row", .int64, key: true)
        table.field("letter", .text, key: true)
        table.field("price", .decimal(scale: 2), default: .decimal(0))
        return table
    }()

    package static func encode<E: FieldEncoder>(_ seat: Seat, to fields: inout E) throws {
        try fields.encode(seat.hallID, at: 0)
        try fields.encode(seat.row, at: 1)
        try fields.encode(seat.letter, at: 2)
        try fields.encode(seat.price, at: 3)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Seat {
        let hallID = try fields.decode(Hall.ID.self, at: 0)
        let row = try fields.decode(Int.self, at: 1)
        let letter = try fields.decode(String.self, at: 2)
        let price = try fields.decode(Foundation.Decimal.self, at: 3, default: 0)
        return Seat(
            hallID: hallID,
            row: row,
            letter: letter,
            price: price
        )
    }

    package static func prepare(_ seat: inout Seat, for write: WriteContext) throws {
        seat.price = try write.rounded(seat.price, scale: 2, "price")
    }
}

/// The seats, wherever they are stored.
nonisolated package struct SeatRepository: EntityRepository {
    package typealias Model = Seat
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

/// A required reference to a composite id.
nonisolated package struct Booking: Entity {
    /// The id of a booking.
    package typealias ID = EntityID<Booking, String>
    /// The mapper between a booking and its fields.
    package typealias Mapper = BookingMapper

    package let id: ID
    package var seatID: Seat.ID

    /// Makes a booking that is not stored yet.
    package init(
        id: ID,
        seatID: Seat.ID
    ) {
        self.id = id
        self.seatID = seatID
    }

    package static func == (left: Booking, right: Booking) -> Bool {
        guard left.id == right.id else { return false }
        return left.seatID == right.seatID
    }
}

/// The mapping between ``Booking`` and its fields, one for every store and format.
nonisolated package enum BookingMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("bookings", entity: "Booking")
        table.field("id", .text, key: true)
        table.field(
            "seatID", .composite(SeatIDMapper.layout), column: "seat",
            reference: TableReference("seats"))
        return table
    }()

    package static func encode<E: FieldEncoder>(_ booking: Booking, to fields: inout E) throws {
        try fields.encode(booking.id, at: 0)
        try fields.encode(booking.seatID, at: 1)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Booking {
        let id = try fields.decode(Booking.ID.self, at: 0)
        let seatID = try fields.decode(Seat.ID.self, at: 1)
        return Booking(
            id: id,
            seatID: seatID
        )
    }
}

/// The bookings, wherever they are stored.
nonisolated package struct BookingRepository: EntityRepository {
    package typealias Model = Booking
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

/// An optional reference to a composite id.
nonisolated package struct Claim: Entity {
    /// The id of a claim.
    package typealias ID = EntityID<Claim, String>
    /// The mapper between a claim and its fields.
    package typealias Mapper = ClaimMapper

    package let id: ID
    package var seatID: Seat.ID?

    /// Makes a claim that is not stored yet.
    package init(
        id: ID,
        seatID: Seat.ID? = nil
    ) {
        self.id = id
        self.seatID = seatID
    }

    package static func == (left: Claim, right: Claim) -> Bool {
        guard left.id == right.id else { return false }
        return left.seatID == right.seatID
    }
}

/// The mapping between ``Claim`` and its fields, one for every store and format.
nonisolated package enum ClaimMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("claims", entity: "Claim")
        table.field("id", .text, key: true)
        table.field(
            "seatID", .composite(SeatIDMapper.layout), column: "seat", optional: true,
            reference: TableReference("seats", onDelete: .setNull))
        return table
    }()

    package static func encode<E: FieldEncoder>(_ claim: Claim, to fields: inout E) throws {
        try fields.encode(claim.id, at: 0)
        try fields.encode(claim.seatID, at: 1)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Claim {
        let id = try fields.decode(Claim.ID.self, at: 0)
        let seatID = try fields.decode(Seat.ID?.self, at: 1)
        return Claim(
            id: id,
            seatID: seatID
        )
    }
}

/// The claims, wherever they are stored.
nonisolated package struct ClaimRepository: EntityRepository {
    package typealias Model = Claim
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

/// A reference by each rule.
nonisolated package struct Link: Entity {
    /// The id of a link.
    package typealias ID = EntityID<Link, String>
    /// The mapper between a link and its fields.
    package typealias Mapper = LinkMapper

    package let id: ID
    package var anchorID: Hall.ID?
    package var keeperID: Hall.ID?
    package var friendID: Hall.ID?
    package var rumourID: Hall.ID?

    /// Makes a link that is not stored yet.
    package init(
        id: ID,
        anchorID: Hall.ID? = nil,
        keeperID: Hall.ID? = nil,
        friendID: Hall.ID? = nil,
        rumourID: Hall.ID? = nil
    ) {
        self.id = id
        self.anchorID = anchorID
        self.keeperID = keeperID
        self.friendID = friendID
        self.rumourID = rumourID
    }

    package static func == (left: Link, right: Link) -> Bool {
        guard left.id == right.id else { return false }
        guard left.anchorID == right.anchorID else { return false }
        guard left.keeperID == right.keeperID else { return false }
        guard left.friendID == right.friendID else { return false }
        return left.rumourID == right.rumourID
    }
}

/// The mapping between ``Link`` and its fields, one for every store and format.
nonisolated package enum LinkMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("links", entity: "Link")
        table.field("id", .text, key: true)
        table.field(
            "anchorID", .text, column: "anchor_id", optional: true,
            reference: TableReference("halls"))
        table.field(
            "keeperID", .text, column: "keeper_id", optional: true,
            reference: TableReference("halls", onDelete: .cascade))
        table.field(
            "friendID", .text, column: "friend_id", optional: true,
            reference: TableReference("halls", onDelete: .setNull))
        table.field(
            "rumourID", .text, column: "rumour_id", optional: true,
            reference: TableReference("halls", onDelete: .none))
        return table
    }()

    package static func encode<E: FieldEncoder>(_ link: Link, to fields: inout E) throws {
        try fields.encode(link.id, at: 0)
        try fields.encode(link.anchorID, at: 1)
        try fields.encode(link.keeperID, at: 2)
        try fields.encode(link.friendID, at: 3)
        try fields.encode(link.rumourID, at: 4)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Link {
        let id = try fields.decode(Link.ID.self, at: 0)
        let anchorID = try fields.decode(Hall.ID?.self, at: 1)
        let keeperID = try fields.decode(Hall.ID?.self, at: 2)
        let friendID = try fields.decode(Hall.ID?.self, at: 3)
        let rumourID = try fields.decode(Hall.ID?.self, at: 4)
        return Link(
            id: id,
            anchorID: anchorID,
            keeperID: keeperID,
            friendID: friendID,
            rumourID: rumourID
        )
    }
}

/// The links, wherever they are stored.
nonisolated package struct LinkRepository: EntityRepository {
    package typealias Model = Link
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

/// A record that refers to its own kind.
nonisolated package struct Folder: Entity {
    /// The id of a folder.
    package typealias ID = EntityID<Folder, String>
    /// The mapper between a folder and its fields.
    package typealias Mapper = FolderMapper

    package let id: ID
    package var parentID: Folder.ID?

    /// Makes a folder that is not stored yet.
    package init(
        id: ID,
        parentID: Folder.ID? = nil
    ) {
        self.id = id
        self.parentID = parentID
    }

    package static func == (left: Folder, right: Folder) -> Bool {
        guard left.id == right.id else { return false }
        return left.parentID == right.parentID
    }
}

/// The mapping between ``Folder`` and its fields, one for every store and format.
nonisolated package enum FolderMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("folders", entity: "Folder")
        table.field("id", .text, key: true)
        table.field(
            "parentID", .text, column: "parent_id", optional: true,
            reference: TableReference("folders", onDelete: .cascade))
        return table
    }()

    package static func encode<E: FieldEncoder>(_ folder: Folder, to fields: inout E) throws {
        try fields.encode(folder.id, at: 0)
        try fields.encode(folder.parentID, at: 1)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Folder {
        let id = try fields.decode(Folder.ID.self, at: 0)
        let parentID = try fields.decode(Folder.ID?.self, at: 1)
        return Folder(
            id: id,
            parentID: parentID
        )
    }
}

/// The folders, wherever they are stored.
nonisolated package struct FolderRepository: EntityRepository {
    package typealias Model = Folder
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}
