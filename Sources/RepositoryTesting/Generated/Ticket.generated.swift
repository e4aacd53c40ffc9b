package import Foundation
package import RepositoryRuntime

/// A record with a lock, time stamps and ids that are made for it.
nonisolated package struct Ticket: Entity {
    /// The id of a ticket.
    package typealias ID = EntityID<Ticket, Foundation.UUID>
    /// The mapper between a ticket and its fields.
    package typealias Mapper = TicketMapper

    package let id: ID
    package var title: String
    package var openedAt: Foundation.Date
    package var touchedAt: Foundation.Date
    package var resolvedAt: Foundation.Date?
    package var revision: Int

    /// Makes a ticket that is not stored yet.
    package init(
        id: ID = .generated,
        title: String,
        openedAt: Foundation.Date = EntityDefaults.now(),
        touchedAt: Foundation.Date = EntityDefaults.now(),
        resolvedAt: Foundation.Date? = nil,
        revision: Int = 1
    ) {
        self.id = id
        self.title = title
        self.openedAt = openedAt
        self.touchedAt = touchedAt
        self.resolvedAt = resolvedAt
        self.revision = revision
    }

    package static func == (left: Ticket, right: Ticket) -> Bool {
        guard left.id == right.id else { return false }
        guard left.title == right.title else { return false }
        guard left.openedAt == right.openedAt else { return false }
        guard left.touchedAt == right.touchedAt else { return false }
        guard left.resolvedAt == right.resolvedAt else { return false }
        return left.revision == right.revision
    }
}

/// The mapping between ``Ticket`` and its fields, one for every store and format.
nonisolated package enum TicketMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("tickets", entity: "Ticket")
        table.field("id", .uuid, key: true)
        table.field("title", .text)
        table.field("openedAt", .date, column: "opened_at")
        table.field("touchedAt", .date, column: "touched_at")
        table.field("resolvedAt", .date, column: "resolved_at", optional: true)
        table.field("revision", .int64, version: true)
        return table
    }()

    package static func encode<E: FieldEncoder>(_ ticket: Ticket, to fields: inout E) throws {
        try fields.encode(ticket.id, at: 0)
        try fields.encode(ticket.title, at: 1)
        try fields.encode(ticket.openedAt, at: 2)
        try fields.encode(ticket.touchedAt, at: 3)
        try fields.encode(ticket.resolvedAt, at: 4)
        try fields.encode(ticket.revision, at: 5)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Ticket {
        let id = try fields.decode(Ticket.ID.self, at: 0)
        let title = try fields.decode(String.self, at: 1)
        let openedAt = try fields.decode(Foundation.Date.self, at: 2)
        let touchedAt = try fields.decode(Foundation.Date.self, at: 3)
        let resolvedAt = try fields.decode(Foundation.Date?.self, at: 4)
        let revision = try fields.decode(Int.self, at: 5)
        return Ticket(
            id: id,
            title: title,
            openedAt: openedAt,
            touchedAt: touchedAt,
            resolvedAt: resolvedAt,
            revision: revision
        )
    }

    package static func prepare(_ ticket: inout Ticket, for write: WriteContext) throws {
        ticket.openedAt = try write.prepared(ticket.openedAt, "openedAt")
        ticket.touchedAt = try write.prepared(write.stamped(ticket.touchedAt), "touchedAt")
        ticket.resolvedAt = try write.prepared(write.stamped(ticket.resolvedAt), "resolvedAt")
    }

    package static func version(of ticket: Ticket) -> Int? { ticket.revision }

    package static func setVersion(_ version: Int, of ticket: inout Ticket) {
        ticket.revision = version
    }
}

/// The tickets, wherever they are stored.
nonisolated package struct TicketRepository: EntityRepository {
    package typealias Model = Ticket
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}
