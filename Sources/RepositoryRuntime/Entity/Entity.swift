/// A stored type with an identity. Generated from a schema; never conformed to by hand.
///
/// `Codable` and hashing come from the runtime through the mapper, which compiles faster than synthesis.
public protocol Entity: MappedRecord, Identifiable
where Mapper: EntityMapper, ID: EntityIdentifier {
    /// The identity; an alias of the declared id field, or made of the declared fields.
    var id: ID { get }
}

extension Entity {
    /// Equal entities have equal ids, so the id is enough.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}
