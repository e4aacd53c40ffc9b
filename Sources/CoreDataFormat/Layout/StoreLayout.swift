/// Which table and column of a store contains what.
package struct StoreLayout: Sendable {
    /// How a relationship to many objects is stored.
    package enum Links: Sendable {
        /// By a column in the table of the other end: that of the inverse, or one of its own.
        case column(entity: String, column: String)
        /// By a table with the keys of both ends. In a reflexive one either end can be this one.
        case table(entity: String, table: String, own: String, other: String, isReflexive: Bool)
    }

    /// Where a property is stored.
    package struct Place: Sendable {
        /// The column of an attribute or of a relationship to one.
        package var column: String?
        /// The column with the entity of the other object.
        package var entityColumn: String?
        /// The column with the order of the objects of a relationship to many.
        package var orderColumn: String?
        /// The places of the elements of a composite.
        package var elements: [Place] = []
        /// How the objects of a relationship to many are found.
        package var links: Links?
    }

    /// The number of each entity that the store has.
    package internal(set) var numbers: [String: Int] = [:]
    /// The table of each entity.
    package internal(set) var tables: [String: String] = [:]
    /// The places of the properties, by the entities that declare them.
    var places: [String: [String: Place]] = [:]
    /// What the model says otherwise than the tables.
    var problems: [String] = []
    /// The tables and columns that the model does not explain.
    var unexplained: [String] = []
    /// What is unusual, but does no harm.
    package internal(set) var notes: [String] = []
    /// The entities of the store that the model does not have, by their numbers.
    var unknownEntities: [Int: String] = [:]
    /// The tables of Core Data's own that were left out.
    package internal(set) var skippedTables: [String] = []

    /// Returns where a property is stored.
    package func place(_ entity: String, _ property: String, in model: StoreModel) -> Place? {
        places[model.declaring(entity, property)]?[property]
    }

    /// The names of all entities by their numbers.
    var names: [Int: String] {
        Dictionary(numbers.map { ($0.value, $0.key) }, uniquingKeysWith: { one, _ in one })
    }
}

/// A table that is not one of entities.
enum OwnTable {
    case bookkeeping
    /// Persistent history, CloudKit mirroring, location indexes: counted, but not read.
    case skipped

    /// Returns `nil` for a table that the model has to explain.
    init?(_ name: String) {
        let upper = name.uppercased()
        switch upper {
        case "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE": self = .bookkeeping
        case "Z_UBMETA", "Z_UBRANGE", "Z_UBKVS": self = .skipped
        case _ where upper.hasPrefix("SQLITE_"): self = .bookkeeping
        case _ where upper.hasPrefix("A"): self = .skipped
        case _ where upper.hasPrefix("Z_RT_"): self = .skipped
        default: return nil
        }
    }
}
