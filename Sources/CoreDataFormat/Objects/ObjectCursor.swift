internal import Foundation

/// The objects of an entity, read one by one in the order of their keys.
package final class ObjectCursor {
    private let store: CoreDataStore
    private let entity: ModelEntity
    private let query: Query
    /// The properties with their places, and the position of their first column.
    private var attributes: [(property: ModelProperty, place: StoreLayout.Place, column: Int)] = []
    private var toOne: [(property: ModelProperty, column: Int, find: Query?)] = []
    private var toMany: [(name: String, links: LinkCursor)] = []
    private let names: [Int: String]

    init(
        _ store: CoreDataStore, _ name: String, after key: Int?, withLinks: Bool
    ) throws(CoreDataFileError) {
        guard let entity = store.model.entities[name], let table = store.layout.tables[name],
            let number = store.layout.numbers[name]
        else { throw CoreDataFileError(.unknown, "The store has no entity \(name).") }
        self.store = store
        self.entity = entity
        names = store.layout.names
        var columns = ["Z_PK", "Z_OPT"]
        for property in entity.sortedProperties {
            guard let place = store.layout.place(name, property.name, in: store.model) else {
                continue
            }
            if property.isStoredAttribute {
                attributes.append((property, place, columns.count))
                columns += place.allColumns
            } else if property.isToOne, let column = place.column {
                let other = property.destination.flatMap { store.layout.tables[$0] }
                var find: Query?
                if let other {
                    find = try store.database.query(
                        "SELECT Z_ENT FROM \(Database.quoted(other)) WHERE Z_PK = ?1")
                }
                toOne.append((property, columns.count, find))
                columns.append(column)
            } else if withLinks, property.isToMany,
                let links = try store.links(name, property.name, after: key)
            {
                toMany.append((property.name, links))
            }
        }
        let after = key.map { " AND Z_PK > \($0)" } ?? ""
        query = try store.database.query(
            "SELECT \(columns.map(Database.quoted).joined(separator: ", ")) FROM "
                + "\(Database.quoted(table)) WHERE Z_ENT = \(number)\(after) ORDER BY Z_PK")
    }

    /// The number of links to objects that do not exist, so far.
    package var danglingLinkCount: Int { toMany.reduce(0) { $0 + $1.links.danglingCount } }

    /// Returns the next object; `nil` after the last one.
    ///
    /// - Throws: ``CoreDataFileError``.
    package func next() throws(CoreDataFileError) -> StoredObject? {
        guard try query.step() else { return nil }
        guard let key = query.integer(0) else {
            throw CoreDataFileError(.damaged, "An object of \(entity.name) has no key.")
        }
        let reference = ObjectReference(entity: entity.name, key: key)
        var object = StoredObject(reference: reference, version: query.integer(1))
        for (property, place, column) in attributes {
            var position = column
            object.attributes[property.name] = try value(property, place, &position, reference)
        }
        for (property, column, find) in toOne {
            guard let other = query.integer(column) else {
                object.toOne[property.name] = .some(nil)
                continue
            }
            find?.restart(other)
            if let find, try find.step(), let number = find.integer(0), let name = names[number] {
                object.toOne[property.name] = ObjectReference(entity: name, key: other)
            } else {
                object.toOne[property.name] = .some(nil)
                object.dangling[property.name] = other
            }
        }
        for (name, links) in toMany { object.toMany[name] = try links.objects(of: key) }
        return object
    }

    /// Returns the value of an attribute from its columns, and moves past them.
    private func value(
        _ property: ModelProperty, _ place: StoreLayout.Place, _ position: inout Int,
        _ reference: ObjectReference
    ) throws(CoreDataFileError) -> ObjectValue {
        guard property.kind == .composite else {
            defer { position += 1 }
            return try store.values.value(
                query.value(position), property, "\(reference).\(property.name)")
        }
        var fields: [ObjectField] = []
        for (element, place) in zip(property.elements, place.elements) {
            var found = try value(element, place, &position, reference)
            // A list of values inside a structure is JSON.
            if element.type == .data, !element.isExternal, case .data(let data) = found {
                found = ValueReader.transformed(data)
            }
            fields.append(ObjectField(name: element.name, value: found))
        }
        if property.hasRawValues { return fields[0].value }
        let present = fields.filter { $0.value != .null }
        guard property.isEnumeration else {
            return present.isEmpty && property.isOptional ? .null : .composite(fields)
        }
        guard let first = present.first else { return .null }
        guard present.count == 1, first.value == .string(first.name) else {
            throw CoreDataFileError(
                .unknown, "\(reference).\(property.name) is not one case of its enumeration.")
        }
        return .enumCase(first.name)
    }
}

extension StoreLayout.Place {
    /// The columns of an attribute, in their order.
    fileprivate var allColumns: [String] {
        elements.isEmpty ? [column].compactMap(\.self) : elements.flatMap(\.allColumns)
    }
}
