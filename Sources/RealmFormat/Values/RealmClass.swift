/// A table of a Realm file: a class of the app, or one of Realm's own tables.
package struct RealmClass: Sendable, Equatable {
    /// What the objects of a table are.
    package enum Kind: String, Sendable {
        case object
        /// Each object belongs to another one, which links to it.
        case embedded
        /// The objects are sent to a server and not kept.
        case asymmetric
    }

    /// The name of the table: that of the class after `class_`.
    package let tableName: String
    /// The key that links name; in formats up to 9 the index of the table.
    package let key: UInt32
    package let kind: Kind
    /// The properties, without those that only mirror links.
    package let properties: [RealmProperty]
    /// The name of the property that is the primary key.
    package internal(set) var primaryKey: String?
    /// The ref of the cluster tree or, up to format 9, of the refs of the columns.
    let data: UInt64

    /// Whether the table is Realm's own, not one of the app.
    package var isInternal: Bool {
        !tableName.hasPrefix("class_") || tableName.hasPrefix("class___")
    }

    /// The name of the class, or that of the table if it is Realm's own.
    package var name: String { isInternal ? tableName : String(tableName.dropFirst(6)) }
}

/// A type of values.
package enum RealmType: Int, Sendable {
    case int = 0
    case bool = 1
    case string = 2
    /// A string that is stored as the number of a value.
    case enumeratedString = 3
    case binary = 4
    /// A table inside a row, which formats up to 9 have.
    case table = 5
    case mixed = 6
    /// A date in whole seconds, which formats up to 9 have.
    case oldDate = 7
    case date = 8
    case float = 9
    case double = 10
    case decimal = 11
    case link = 12
    case linkList = 13
    case backlink = 14
    case objectID = 15
    case typedLink = 16
    case uuid = 17
}

/// A property of a class.
package struct RealmProperty: Sendable, Equatable {
    /// How many values a property has.
    package enum Collection: String, Sendable {
        case list, set, dictionary
    }

    package internal(set) var name: String
    /// The type of the value or, of a collection, of its elements. Neither
    /// ``RealmType/enumeratedString`` nor ``RealmType/linkList``: these are ways to store a string
    /// and a list.
    package internal(set) var type: RealmType
    /// Whether the value or, of a collection, an element may be null.
    package internal(set) var isNullable: Bool
    package internal(set) var collection: Collection?
    /// The type of the keys of a dictionary.
    package internal(set) var keyType = RealmType.string
    package internal(set) var isIndexed = false
    /// The key of the table that links refer to.
    package internal(set) var target: UInt32?
    /// The columns of a table inside a row.
    package internal(set) var columns: [RealmProperty]?
    /// Whether the column is a table with one unnamed column, which SDKs show as a list.
    package internal(set) var isSubtableList = false

    /// The values that the numbers of an enumerated string stand for.
    var enumeration: [RealmValue]?
    /// The ref of these values, until they are read.
    var enumerationRef: UInt64 = 0
    /// The place in a cluster or, up to format 9, among the refs of the columns.
    var place: Int

    /// Whether the strings are stored as numbers of values.
    package var isEnumerated: Bool { enumeration != nil }
    /// Whether the property is Realm's own, not one of the app.
    package var isInternal: Bool { name.hasPrefix("!") }
}
