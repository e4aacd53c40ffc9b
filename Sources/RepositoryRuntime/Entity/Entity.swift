/// A stored type with an identity. The generator emits the conformance; do not write one by hand.
///
/// `Codable` and hashing are implemented by the runtime through the mapper, which compiles faster
/// than synthesized code.
public protocol Entity: MappedRecord, Identifiable
where Mapper: EntityMapper, ID: EntityIdentifier {
    /// The identity: the declared id field, or a value made of the declared fields.
    var id: ID { get }
}

extension Entity {
    /// Hashes the id only. Equal entities have equal ids.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}
