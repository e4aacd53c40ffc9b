/// The owners of objects in relationships to many that a column of the objects stores, with the
/// position of each object among those of its owner; in the order of the objects' keys.
package final class OwnerCursor {
    private let query: Query
    private let names: [Int: String]
    private var pending: (key: Int, owner: ObjectReference?, position: Int)?
    private var isAtEnd = false

    init(_ query: Query, names: [Int: String]) {
        self.query = query
        self.names = names
    }

    /// Returns the owner of an object, and the object's position. Its key is greater than that of
    /// the call before.
    ///
    /// - Returns: `nil` if it has none. The owner is `nil` if it does not exist.
    /// - Throws: ``CoreDataFileError``.
    package func owner(
        of key: Int
    ) throws(CoreDataFileError) -> (owner: ObjectReference?, position: Int)? {
        while !isAtEnd, pending.map({ $0.key < key }) ?? true {
            guard try query.step() else {
                isAtEnd = true
                pending = nil
                break
            }
            guard let key = query.integer(0), let owner = query.integer(1) else { continue }
            let name = query.integer(2).flatMap { names[$0] }
            pending = (
                key, name.map { ObjectReference(entity: $0, key: owner) }, query.integer(3) ?? 0
            )
        }
        guard let pending, pending.key == key else { return nil }
        return (pending.owner, pending.position)
    }
}

/// Looks up objects by their keys.
package final class ObjectLookup {
    private let store: CoreDataStore
    private let find: Query
    private let names: [Int: String]
    private let property: ModelProperty?

    /// Creates a lookup.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - entity: an entity, in whose table the objects are.
    ///   - attribute: an attribute of one column, whose value is looked up.
    /// - Throws: ``CoreDataFileError``.
    package init(
        _ store: CoreDataStore, _ entity: String, attribute: String? = nil
    ) throws(CoreDataFileError) {
        self.store = store
        names = store.layout.names
        guard let table = store.layout.tables[entity] else {
            throw CoreDataFileError(.unknown, "The store has no entity \(entity).")
        }
        property = attribute.flatMap { store.model.entities[entity]?.properties[$0] }
        let column = attribute.flatMap { store.layout.place(entity, $0, in: store.model)?.column }
        if let attribute, column == nil {
            throw CoreDataFileError(.unknown, "\(entity).\(attribute) is not stored in one column.")
        }
        find = try store.database.query(
            "SELECT Z_ENT, \(column.map(Database.quoted) ?? "NULL") FROM "
                + "\(Database.quoted(table)) WHERE Z_PK = ?1")
    }

    /// Returns an object and the value of its attribute; `nil` if there is none.
    ///
    /// - Throws: ``CoreDataFileError``.
    package func object(
        _ key: Int
    ) throws(CoreDataFileError) -> (reference: ObjectReference, value: ObjectValue)? {
        find.restart(key)
        guard try find.step(), let name = find.integer(0).flatMap({ names[$0] }) else { return nil }
        let reference = ObjectReference(entity: name, key: key)
        guard let property else { return (reference, .null) }
        return (
            reference,
            try store.values.value(find.value(1), property, "\(reference).\(property.name)")
        )
    }
}

extension CoreDataStore {
    /// Returns the owners of the objects of a relationship to many that a column of the objects
    /// stores.
    ///
    /// - Parameters:
    ///   - entity: the entity of the owners.
    ///   - property: the relationship.
    /// - Returns: `nil` if it is stored otherwise.
    /// - Throws: ``CoreDataFileError``.
    package func owners(
        _ entity: String, _ property: String
    ) throws(CoreDataFileError) -> OwnerCursor? {
        guard let place = layout.place(entity, property, in: model),
            case .column(let other, let column)? = place.links,
            let table = layout.tables[other], let owners = layout.tables[entity]
        else { return nil }
        let numbers = model.tree(other).compactMap { layout.numbers[$0.name].map(String.init) }
        let owner = Database.quoted(column)
        let order = place.orderColumn.map { Database.quoted($0) + ", " } ?? ""
        return OwnerCursor(
            try database.query(
                "SELECT m.Z_PK, m.\(owner), o.Z_ENT, row_number() OVER (PARTITION BY m.\(owner) "
                    + "ORDER BY \(order.isEmpty ? "" : "m." + order)m.Z_PK) - 1 "
                    + "FROM \(Database.quoted(table)) m LEFT JOIN \(Database.quoted(owners)) o "
                    + "ON o.Z_PK = m.\(owner) WHERE m.\(owner) IS NOT NULL AND m.Z_ENT IN "
                    + "(\(numbers.joined(separator: ", "))) ORDER BY m.Z_PK"),
            names: layout.names)
    }
}
