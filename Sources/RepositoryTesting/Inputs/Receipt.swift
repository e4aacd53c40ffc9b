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
