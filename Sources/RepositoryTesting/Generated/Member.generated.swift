package import RepositoryRuntime

/// A record with unique fields, alone and together.
nonisolated package struct Member: Entity {
    /// The id of a member.
    package typealias ID = EntityID<Member, String>
    /// The mapper between a member and its fields.
    package typealias Mapper = MemberMapper

    package let id: ID
    package var email: String
    package var badge: Int?
    package var team: String?
    package var place: Int?

    /// Makes a member that is not stored yet.
    package init(
        id: ID,
        email: String,
        badge: Int? = nil,
        team: String? = nil,
        place: Int? = nil
    ) {
        self.id = id
        self.email = email
        self.badge = badge
        self.team = team
        self.place = place
    }

    package static func == (left: Member, right: Member) -> Bool {
        guard left.id == right.id else { return false }
        guard left.email == right.email else { return false }
        guard left.badge == right.badge else { return false }
        guard left.team == right.team else { return false }
        return left.place == right.place
    }
}

/// A description without the sensitive fields.
extension Member: CustomStringConvertible, CustomReflectable {
    package var description: String {
        EntityDescription.text(self)
    }

    package var customMirror: Mirror {
        EntityDescription.mirror(self)
    }
}

/// The mapping between ``Member`` and its fields, one for every store and format.
nonisolated package enum MemberMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("members", entity: "Member")
        table.field("id", .text, key: true)
        table.field("email", .text, sensitive: true)
        table.field("badge", .int64, optional: true)
        table.field("team", .text, optional: true)
        table.field("place", .int64, optional: true)
        table.index("members_email", ["email"], unique: true)
        table.index("members_badge", ["badge"], unique: true)
        table.index("members_team_place", ["team", "place"], unique: true)
        return table
    }()

    package static func encode<E: FieldEncoder>(_ member: Member, to fields: inout E) throws {
        try fields.encode(member.id, at: 0)
        try fields.encode(member.email, at: 1)
        try fields.encode(member.badge, at: 2)
        try fields.encode(member.team, at: 3)
        try fields.encode(member.place, at: 4)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Member {
        let id = try fields.decode(Member.ID.self, at: 0)
        let email = try fields.decode(String.self, at: 1)
        let badge = try fields.decode(Int?.self, at: 2)
        let team = try fields.decode(String?.self, at: 3)
        let place = try fields.decode(Int?.self, at: 4)
        return Member(
            id: id,
            email: email,
            badge: badge,
            team: team,
            place: place
        )
    }
}

/// The members, wherever they are stored.
nonisolated package struct MemberRepository: EntityRepository {
    package typealias Model = Member
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

extension MemberRepository {
    /// The member of this `email`, or nil.
    nonisolated(nonsending) package func find(email: String) async throws -> Member? {
        try await find(index: 0, [StoredValue(encoding: email)]).first
    }

    /// The member of this `badge`, or nil.
    nonisolated(nonsending) package func find(badge: Int) async throws -> Member? {
        try await find(index: 1, [StoredValue(encoding: badge)]).first
    }

    /// The member of this `team` and `place`, or nil.
    nonisolated(nonsending) package func find(team: String, place: Int) async throws -> Member? {
        try await find(index: 2, [StoredValue(encoding: team), StoredValue(encoding: place)]).first
    }
}
