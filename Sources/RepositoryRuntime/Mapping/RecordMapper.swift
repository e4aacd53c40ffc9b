/// The generated two-way mapping between a Swift struct and its fields. One mapper serves every store and every format.
public protocol RecordMapper<Record>: Sendable {
    /// The struct it maps.
    associatedtype Record: Sendable
    /// The fields, in the order in which ``encode(_:to:)`` writes them.
    static var layout: FieldLayout { get }
    /// Writes every field of the record once, in the order of the layout.
    static func encode<E: FieldEncoder>(_ record: Record, to fields: inout E) throws
    /// Takes the fields of a record apart into stored values.
    ///
    /// What is here does it by ``encode(_:to:)``, and nobody need write another one. It is a requirement so that the compiler
    /// makes it anew for each mapper, where it knows the fields: a query looks at every record in this way.
    static func take(_ record: Record, into fields: inout StoredFields) throws
    /// Reads every field of the layout once, in its order.
    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Record
    /// Makes the record what is to be stored: stamps, rounds and validates it.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `.invalidItem` and the field that breaks a rule.
    static func prepare(_ record: inout Record, for write: WriteContext) throws
}

extension RecordMapper {
    /// Takes the fields of a record apart into stored values.
    @inlinable
    public static func take(_ record: Record, into fields: inout StoredFields) throws {
        try encode(record, to: &fields)
    }

    /// A record without stamps, dates and rules is stored as it is.
    @inlinable
    public static func prepare(_ record: inout Record, for write: WriteContext) throws {}

    /// Whether two values of a field are equal.
    ///
    /// Generated equality compares through this one function: the compiler would try each `==` in place of an operator
    /// against those of all types of the set.
    @inlinable
    @inline(__always)
    public static func areEqual<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
        left == right
    }
}

/// A struct that a generated mapper maps; it is `Codable` through that mapper.
public protocol MappedRecord: Codable, Sendable, Hashable {
    /// Its mapper.
    associatedtype Mapper: RecordMapper where Mapper.Record == Self
    /// Its fields as conditions and sort orders name them: generated as the nested struct `Fields`.
    associatedtype Fields: QueryFields = NoQueryFields<Self> where Fields.QueryRoot == Self
}

/// A record with a field called `hashValue`: what `Hashable` asks for comes from here, so that the field may have any
/// type. The record hashes by a `hash(into:)` of its own.
public protocol HashValueRecord: MappedRecord {}

extension HashValueRecord {
    /// The hash.
    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }
}
