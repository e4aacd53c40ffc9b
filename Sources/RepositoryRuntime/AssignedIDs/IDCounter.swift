/// The greatest id that a store has given to the records of a table, or that a record had which was
/// stored with an id of its own.
///
/// The counters are records of a set of their own in the same store. So they are part of its
/// transactions and copies, on every store, and older programs leave them alone.
struct IDCounter: Entity {
    /// The id of a counter.
    typealias ID = EntityID<IDCounter, String>
    /// The mapper of a counter.
    typealias Mapper = IDCounterMapper

    /// The name of the table.
    let id: ID
    /// The greatest id.
    var last: Int64
}

/// The mapping of a counter.
enum IDCounterMapper: EntityMapper {
    static let table = makeTable()

    private static func makeTable() -> EntityTable {
        var table = EntityTable("repository_ids", entity: "IDCounter")
        table.field("table", .text, key: true)
        table.field("last", .int64)
        return table
    }

    static func encode<E: FieldEncoder>(_ counter: IDCounter, to fields: inout E) throws {
        try fields.encode(counter.id, at: 0)
        try fields.encode(counter.last, at: 1)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> IDCounter {
        try IDCounter(
            id: fields.decode(IDCounter.ID.self, at: 0), last: fields.decode(Int64.self, at: 1))
    }
}

extension StoreSchema {
    /// The set of the counters.
    static let idCounters = StoreSchema("RepositoryIDs", [IDCounter.self])

    /// The tables whose ids the store counts. Unmanaged tables count their own.
    var countedTables: [EntityTable] { tables.filter { $0.assignsIDs && $0.isManaged } }
}
