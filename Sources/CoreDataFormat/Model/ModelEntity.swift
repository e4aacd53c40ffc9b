/// An entity of a model.
package struct ModelEntity: Sendable {
    /// An index that the model declares.
    package struct Index: Sendable {
        package let name: String?
        /// The properties, with whether each is descending.
        package let fields: [(name: String, isDescending: Bool)]
        /// The text of the predicate of a partial index.
        package let condition: String?
    }

    /// The name.
    package let name: String
    /// The class of its objects; `nil` for `NSManagedObject`.
    package var className: String?
    /// Whether it has no objects of its own.
    package var isAbstract = false
    /// The entity that it inherits from.
    package var parent: String?
    /// The entities that inherit from it directly, by name.
    package internal(set) var children: [String] = []
    /// The entity without a parent whose table it shares.
    package internal(set) var root = ""
    /// The properties by name, inherited ones among them.
    package var properties: [String: ModelProperty] = [:]
    /// The uniqueness constraints.
    package var unique: [[String]] = []
    /// The indexes.
    package var indexes: [Index] = []
    /// The name in an earlier version; `nil` if it is the same.
    package var renamedFrom: String?
    /// The strings that the app added to the model.
    package var userInfo: PlainValue?

    init(_ name: String) { self.name = name }

    /// The properties in the order of their names.
    package var sortedProperties: [ModelProperty] {
        properties.values.sorted { NameOrder.precedes($0.name, $1.name) }
    }
}

/// The order of names in stores: by bytes.
package enum NameOrder {
    /// Whether a name comes before another.
    package static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}
