/// All tables of one generated set, in an order in which a table stands after those it refers to
/// where that is possible.
public struct StoreSchema: Sendable {
    /// The name of the generated set, such as `Library`.
    public let name: String
    /// The tables.
    public let tables: [EntityTable]
    /// The entities of the tables, in the same order; empty in a schema that was made of tables
    /// alone.
    ///
    /// A store that keeps records as bytes needs the Swift type to look into those that refer to a
    /// record.
    public let entities: [any Entity.Type]

    /// Makes a schema of entities: what a generated set has.
    public init(_ name: String, _ entities: [any Entity.Type]) {
        self.name = name
        self.entities = entities
        tables = entities.map { Self.table(of: $0) }
    }

    /// Makes a schema of tables alone. Stores of documents refuse it where a table refers to
    /// another.
    public init(_ name: String, _ tables: [EntityTable]) {
        self.name = name
        self.tables = tables
        entities = []
    }

    private static func table<E: Entity>(of entity: E.Type) -> EntityTable { E.Mapper.table }
}

extension StoreSchema: Hashable {
    /// Whether the two are the same.
    public static func == (left: StoreSchema, right: StoreSchema) -> Bool {
        left.name == right.name && left.tables == right.tables
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(tables)
    }
}
