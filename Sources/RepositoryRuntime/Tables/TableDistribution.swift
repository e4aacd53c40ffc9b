/// How a distributed database spreads the records of an entity over its machines. Other stores
/// ignore it.
public enum TableDistribution: Sendable, Hashable {
    /// The records with the same value of a field, given by its index, are on one machine.
    case field(Int)
    /// Every machine has all records.
    case everywhere
}

extension EntityTable {
    /// Declares the field whose value decides on which machine of a distributed database a record
    /// is. It is a part of the id.
    ///
    /// - Parameter name: the name of a property.
    public mutating func distribute(by name: String) {
        let field = layout.indexByKey[name]
        change { $0.distribution = field.map { .field($0) } }
    }

    /// Declares that every machine of a distributed database has all records.
    public mutating func distributeEverywhere() {
        change { $0.distribution = .everywhere }
    }
}
