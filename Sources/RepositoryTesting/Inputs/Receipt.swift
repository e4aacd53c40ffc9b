internal import RepositoryRuntime

/// A record whose id the store gives.
struct Receipt: Entity {
    typealias ID = EntityID<Receipt, Int>
    typealias Mapper = ReceiptMapper

    let id: ID
    var text: String

    typealias Fields = ReceiptFields
}

/// The fields of a receipt.
struct ReceiptFields: QueryFields {
    typealias QueryRoot = Receipt

    var id: QueryField<Receipt, Receipt.ID> { .init(0) }
    var text: QueryField<Receipt, String> { .init(1) }
}

/// The mapping of a receipt.
enum ReceiptMapper: EntityMapper {
    static let table = makeTable()

    private static func makeTable() -> EntityTable {
        var table = EntityTable("receipts", entity: "Receipt")
        table.field("id", .int64, key: true)
        table.assigned("id")
        table.field("text", .text)
        return table
    }

    static func encode<E: FieldEncoder>(_ receipt: Receipt, to fields: inout E) throws {
        try fields.encode(receipt.id, at: 0)
        try fields.encode(receipt.text, at: 1)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Receipt {
        try Receipt(
            id: fields.decode(Receipt.ID.self, at: 0), text: fields.decode(String.self, at: 1))
    }
}

/// The repository of receipts.
struct ReceiptRepository: EntityRepository {
    typealias Model = Receipt
    let context: RepositoryContext
    init(_ context: RepositoryContext) { self.context = context }
}

/// The set of the receipts.
struct Receipts: RepositorySet {
    static let schema = StoreSchema("Receipts", [Receipt.self])
    let context: RepositoryContext
    init(context: RepositoryContext) { self.context = context }
    var receipts: ReceiptRepository { ReceiptRepository(context) }
}

/// A receipt after its table was renamed.
struct Slip: Entity {
    typealias ID = EntityID<Slip, Int>
    typealias Mapper = SlipMapper

    let id: ID
    var text: String

    typealias Fields = SlipFields
}

/// The fields of a slip.
struct SlipFields: QueryFields {
    typealias QueryRoot = Slip

    var id: QueryField<Slip, Slip.ID> { .init(0) }
    var text: QueryField<Slip, String> { .init(1) }
}

/// The mapping of a slip.
enum SlipMapper: EntityMapper {
    static let table = makeTable()

    private static func makeTable() -> EntityTable {
        var table = EntityTable("slips", entity: "Slip", renamedFrom: ["receipts"])
        table.field("id", .int64, key: true)
        table.assigned("id")
        table.field("text", .text)
        return table
    }

    static func encode<E: FieldEncoder>(_ slip: Slip, to fields: inout E) throws {
        try fields.encode(slip.id, at: 0)
        try fields.encode(slip.text, at: 1)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Slip {
        try Slip(id: fields.decode(Slip.ID.self, at: 0), text: fields.decode(String.self, at: 1))
    }
}

/// The repository of slips.
struct SlipRepository: EntityRepository {
    typealias Model = Slip
    let context: RepositoryContext
    init(_ context: RepositoryContext) { self.context = context }
}
