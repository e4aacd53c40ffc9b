/// The mapper of an entity: its fields, its table, and its version field if it has one.
public protocol EntityMapper<Record>: RecordMapper where Record: Entity {
    /// The static description of the entity's table: fields, types, keys, indexes, references, rules.
    static var table: EntityTable { get }
    /// The value of the field declared `version: true`; nil for an entity without one.
    static func version(of record: Record) -> Int?
    /// Sets the field declared `version: true`; does nothing for an entity without one.
    static func setVersion(_ version: Int, of record: inout Record)
}

extension EntityMapper {
    /// The layout is part of the table.
    @inlinable
    public static var layout: FieldLayout { table.layout }

    /// The version; nil for an entity without one.
    @inlinable
    public static func version(of record: Record) -> Int? { nil }

    /// Sets the version; does nothing for an entity without one.
    @inlinable
    public static func setVersion(_ version: Int, of record: inout Record) {}
}

extension QueryFields where QueryRoot: Entity {
    /// The id, whatever its field or its components are called.
    public var id: QueryField<QueryRoot, QueryRoot.ID> {
        QueryField(key: QueryRoot.Mapper.table.key)
    }
}
