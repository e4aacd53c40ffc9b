package import Foundation

/// A value of an attribute.
package enum ObjectValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    /// Seconds since 2001.
    case date(Double)
    case data(Data)
    case uuid(UUID)
    /// A transformable that is a keyed archive of standard classes, and its bytes.
    case archive(PlainValue, Data)
    /// A transformable that is a property list, and its bytes.
    case propertyList(PlainValue, Data)
    /// JSON text.
    case json(Data)
    /// A transformable of other classes or of a transformer of the app: its bytes, and the classes of
    /// a keyed archive.
    case opaque(Data, classes: [String])
    /// A structure.
    case composite([ObjectField])
    /// A case of an enumeration without raw values.
    case enumCase(String)
    /// A value in a file of its own that is missing.
    case missingFile(String)
}

/// A part of a structure.
package struct ObjectField: Sendable, Equatable {
    package let name: String
    package let value: ObjectValue
}

/// What an object is known by: its entity, and its key in the entity's table.
package struct ObjectReference: Sendable, Hashable, CustomStringConvertible {
    /// The entity, which may inherit from the one of the relationship.
    package let entity: String
    /// The key, `Z_PK`.
    package let key: Int

    /// Creates a reference.
    package init(entity: String, key: Int) {
        self.entity = entity
        self.key = key
    }

    package var description: String { "\(entity)/p\(key)" }
}

/// An object of a store.
package struct StoredObject: Sendable {
    /// What it is known by.
    package let reference: ObjectReference
    /// How often it was saved.
    package let version: Int?
    /// The values of the attributes by name.
    package var attributes: [String: ObjectValue] = [:]
    /// The objects of relationships to one; `nil` for none.
    package var toOne: [String: ObjectReference?] = [:]
    /// The objects of relationships to many, in their order; by key where there is none.
    package var toMany: [String: [ObjectReference]] = [:]
    /// The keys of objects that do not exist, by the relationship to one.
    package var dangling: [String: Int] = [:]
}
