public import Foundation
public import RepositoryRuntime

/// Somebody who borrows books.
nonisolated public struct Client: Entity {
    /// The id of a client.
    public typealias ID = EntityID<Client, String>
    /// The mapper between a client and its fields.
    public typealias Mapper = ClientMapper

    public let id: ID
    public var name: String
    public var email: String
    public var joinedAt: Foundation.Date
    public var address: Address?

    /// Makes a client that is not stored yet.
    public init(
        id: ID,
        name: String,
        email: String,
        joinedAt: Foundation.Date = EntityDefaults.now(),
        address: Address? = nil
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.joinedAt = joinedAt
        self.address = address
    }

    public static func == (left: Client, right: Client) -> Bool {
        guard left.id == right.id else { return false }
        guard left.name == right.name else { return false }
        guard left.email == right.email else { return false }
        guard left.joinedAt == right.joinedAt else { return false }
        return left.address == right.address
    }
}

/// A description without the sensitive fields.
extension Client: CustomStringConvertible, CustomReflectable {
    public var description: String {
        EntityDescription.text(self)
    }

    public var customMirror: Mirror {
        EntityDescription.mirror(self)
    }
}

/// The mapping between a ``Client`` and its fields, one for every store and format.
nonisolated public enum ClientMapper: EntityMapper {
    private static let emailPattern = TextPattern("[^@ ]+@[^@ ]+")

    public static let table: EntityTable = {
        var table = EntityTable("clients", entity: "Client")
        table.field("id", .text, rules: FieldRules(minLength: 1), key: true)
        table.field("name", .text, rules: FieldRules(minLength: 1, maxLength: 200))
        table.field("email", .text, rules: FieldRules(pattern: "[^@ ]+@[^@ ]+"), sensitive: true)
        table.field("joinedAt", .date, column: "joined_at")
        table.field("address", .object(AddressMapper.layout), optional: true)
        table.index("clients_email", ["email"], unique: true)
        return table
    }()

    public static func encode<E: FieldEncoder>(_ client: Client, to fields: inout E) throws {
        try fields.encode(client.id, at: 0)
        try fields.encode(client.name, at: 1)
        try fields.encode(client.email, at: 2)
        try fields.encode(client.joinedAt, at: 3)
        try fields.encode(client.address, at: 4)
    }

    public static func decode<D: FieldDecoder>(from fields: inout D) throws -> Client {
        let id = try fields.decode(Client.ID.self, at: 0)
        let name = try fields.decode(String.self, at: 1)
        let email = try fields.decode(String.self, at: 2)
        let joinedAt = try fields.decode(Foundation.Date.self, at: 3)
        let address = try fields.decode(Address?.self, at: 4)
        return Client(
            id: id,
            name: name,
            email: email,
            joinedAt: joinedAt,
            address: address
        )
    }

    public static func prepare(_ client: inout Client, for write: WriteContext) throws {
        try write.checkLength(client.id.rawValue, "id", minimum: 1)
        try write.checkLength(client.name, "name", minimum: 1, maximum: 200)
        try write.check(client.email, "email", matches: emailPattern)
        client.joinedAt = try write.prepared(client.joinedAt, "joinedAt")
        client.address = try write.prepared(client.address, "address")
    }
}

/// The clients, wherever they are stored.
nonisolated public struct ClientRepository: EntityRepository {
    public typealias Model = Client
    public let context: RepositoryContext

    public init(_ context: RepositoryContext) {
        self.context = context
    }
}

extension ClientRepository {
    /// The client of this `email`, or nil.
    nonisolated(nonsending) public func find(email: String) async throws -> Client? {
        try await find(index: 0, [StoredValue(encoding: email)]).first
    }
}

/// Where somebody lives.
nonisolated public struct Address: EmbeddedValue {
    /// The mapper between an address and its fields.
    public typealias Mapper = AddressMapper

    public var street: String
    public var city: String
    public var postalCode: String?

    /// Makes an address.
    public init(
        street: String,
        city: String,
        postalCode: String? = nil
    ) {
        self.street = street
        self.city = city
        self.postalCode = postalCode
    }

    public static func == (left: Address, right: Address) -> Bool {
        guard left.street == right.street else { return false }
        guard left.city == right.city else { return false }
        return left.postalCode == right.postalCode
    }
}

/// The mapping between an ``Address`` and its fields, one for every store and format.
nonisolated public enum AddressMapper: RecordMapper {
    public static let layout = FieldLayout(
        "Address",
        [
            FieldDescription("street", .text),
            FieldDescription("city", .text),
            FieldDescription("postalCode", .text, optional: true),
        ])

    public static func encode<E: FieldEncoder>(_ address: Address, to fields: inout E) throws {
        try fields.encode(address.street, at: 0)
        try fields.encode(address.city, at: 1)
        try fields.encode(address.postalCode, at: 2)
    }

    public static func decode<D: FieldDecoder>(from fields: inout D) throws -> Address {
        let street = try fields.decode(String.self, at: 0)
        let city = try fields.decode(String.self, at: 1)
        let postalCode = try fields.decode(String?.self, at: 2)
        return Address(
            street: street,
            city: city,
            postalCode: postalCode
        )
    }

    public static func prepare(_ address: inout Address, for write: WriteContext) throws {
        try write.checkLength(address.street, "street", minimum: 1)
    }
}
