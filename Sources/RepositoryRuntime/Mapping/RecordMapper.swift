/// The generated mapping between a Swift struct and its fields, in both directions. One mapper
/// serves all stores and formats.
public protocol RecordMapper<Record>: Sendable {
    /// The struct.
    associatedtype Record: Sendable
    /// The fields, in the order in which ``encode(_:to:)`` encodes them.
    static var layout: FieldLayout { get }
    /// Encodes every field of the record once, in the order of the layout.
    static func encode<E: FieldEncoder>(_ record: Record, to fields: inout E) throws
    /// Collects the fields of a record as stored values.
    ///
    /// The default implementation calls ``encode(_:to:)``; do not implement this method. It is a
    /// requirement so that the compiler specialises it for each mapper. Queries call it for every
    /// record.
    static func collect(_ record: Record, into fields: inout StoredFields) throws
    /// Decodes every field of the layout once, in its order.
    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Record
    /// Prepares the record for storing: sets timestamps, rounds and validates.
    ///
    /// - Throws: ``CRUDRepositoryError`` with the code `.invalidItem` and the field that violates a
    ///   rule.
    static func prepare(_ record: inout Record, for write: WriteContext) throws
}

extension RecordMapper {
    /// Collects the fields of a record as stored values.
    @inlinable
    public static func collect(_ record: Record, into fields: inout StoredFields) throws {
        try encode(record, to: &fields)
    }

    /// Leaves the record unchanged: the default for records without timestamps, dates and rules.
    @inlinable
    public static func prepare(_ record: inout Record, for write: WriteContext) throws {}

    /// Returns whether two values of a field are equal.
    ///
    /// Generated `==` implementations call this function instead of the operator, because the type
    /// checker would compare each operator with the overloads of all types of the set.
    @inlinable
    @inline(__always)
    public static func areEqual<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
        left == right
    }
}

/// A struct with a generated mapper, which also implements `Codable`.
public protocol MappedRecord: Codable, Sendable, Hashable {
    /// The mapper.
    associatedtype Mapper: RecordMapper where Mapper.Record == Self
    /// The fields as used in conditions and sort orders. The generator emits them as the nested
    /// struct `Fields`.
    associatedtype Fields: QueryFields = NoQueryFields<Self> where Fields.QueryRoot == Self
}

/// A record with a field named `hashValue`. The requirement of `Hashable` is implemented here, so
/// that the field may have any type. The record implements `hash(into:)`.
public protocol HashValueRecord: MappedRecord {}

extension HashValueRecord {
    /// The hash value, computed by `hash(into:)`.
    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }
}
