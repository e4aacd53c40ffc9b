/// A stored type with an identity. The generator emits the conformance; do not write one by hand.
///
/// `Codable` and hashing are implemented by the runtime through the mapper, which compiles faster
/// than synthesized code.
public protocol Entity: LinkedRecord, Identifiable
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

extension Entity {
    /// The name of the table.
    public static var linkedTable: String { Mapper.table.name }

    /// The field that is null unless a record is deleted; nil if deleted records are removed.
    public static var deletionPath: FieldPath? { Mapper.table.deletionField.map { FieldPath($0) } }

    /// Returns a condition in the form in which it is evaluated on the records of the table.
    public static func comparable(_ condition: ConditionTree) -> ConditionTree {
        Mapper.table.comparable(condition)
    }

    /// Returns a path in the form in which records of the table are sorted by it.
    public static func comparable(_ path: FieldPath) -> FieldPath {
        Mapper.table.comparable(path)
    }
}
