/// All tables of one generated set, in an order in which a table stands after those it refers to where that is possible.
public struct StoreSchema: Sendable, Hashable {
    /// The name of the generated set, such as `Library`.
    public let name: String
    /// The tables.
    public let tables: [EntityTable]

    /// Makes a schema.
    public init(_ name: String, _ tables: [EntityTable]) {
        self.name = name
        self.tables = tables
    }
}
