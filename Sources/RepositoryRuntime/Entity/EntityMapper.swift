public import Foundation

/// The mapper of an entity, with its table and its version field.
public protocol EntityMapper<Record>: RecordMapper where Record: Entity {
    /// The static description of the entity's table: fields, types, keys, indexes, references and
    /// checks.
    static var table: EntityTable { get }
    /// Sets the fields declared `onCreate: now`. Has no effect if the entity has none.
    ///
    /// - Parameters:
    ///   - record: the record that is about to be stored.
    ///   - stored: the stored record that it replaces, whose dates it gets; nil if it is new.
    ///   - write: the write, whose time a new record gets.
    static func setCreation(
        of record: inout Record, from stored: Record?, for write: WriteContext)
    /// Returns the value of the field declared `version: true`; nil if the entity has none.
    static func version(of record: Record) -> Int?
    /// Sets the field declared `version: true`. Has no effect if the entity has none.
    static func setVersion(_ version: Int, of record: inout Record)
    /// Returns the time when a record was deleted: the value of the field declared by
    /// `softDelete:`. Nil if the record is not deleted or the entity has no such field.
    static func deletion(of record: Record) -> Date?
    /// Sets the field declared by `softDelete:`. Has no effect if the entity has none.
    static func setDeletion(_ deletion: Date?, of record: inout Record)
    /// Replaces the values of the fields declared `external: true`. Has no effect if the entity has
    /// none.
    ///
    /// - Parameters:
    ///   - record: the record.
    ///   - change: returns the new value for a value. It is not called for nil.
    static func changeExternalData(
        of record: inout Record, _ change: (ExternalData) throws -> ExternalData) rethrows
}

extension EntityMapper {
    /// The layout of the table.
    @inlinable
    public static var layout: FieldLayout { table.layout }

    /// Has no effect: the default for entities without fields declared `onCreate: now`.
    @inlinable
    public static func setCreation(
        of record: inout Record, from stored: Record?, for write: WriteContext
    ) {}

    /// Returns nil: the default for entities without a version field.
    @inlinable
    public static func version(of record: Record) -> Int? { nil }

    /// Has no effect: the default for entities without a version field.
    @inlinable
    public static func setVersion(_ version: Int, of record: inout Record) {}

    /// Returns nil: the default for entities whose deleted records are removed.
    @inlinable
    public static func deletion(of record: Record) -> Date? { nil }

    /// Has no effect: the default for entities whose deleted records are removed.
    @inlinable
    public static func setDeletion(_ deletion: Date?, of record: inout Record) {}

    /// Has no effect: the default for entities without external data.
    @inlinable
    public static func changeExternalData(
        of record: inout Record, _ change: (ExternalData) throws -> ExternalData
    ) rethrows {}
}

extension QueryFields where QueryRoot: Entity {
    /// The id, regardless of the names of its field or components.
    public var id: QueryField<QueryRoot, QueryRoot.ID> {
        QueryField(key: QueryRoot.Mapper.table.key)
    }
}
