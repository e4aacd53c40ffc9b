/// The type of an attribute, by the numbers that models contain.
package enum AttributeType: Int, Sendable {
    case undefined = 0
    case int16 = 100
    case int32 = 200
    case int64 = 300
    case decimal = 400
    case double = 500
    case float = 600
    case string = 700
    case bool = 800
    case date = 900
    case data = 1000
    case uuid = 1100
    case uri = 1200
    case transformable = 1800
    case objectID = 2000
    case composite = 2100

    /// The type of the columns that Core Data declares for it.
    package var columnType: String {
        switch self {
        case .int16, .int32, .int64, .bool: "INTEGER"
        case .decimal: "DECIMAL"
        case .double, .float: "FLOAT"
        case .string, .uri, .objectID: "VARCHAR"
        case .date: "TIMESTAMP"
        case .data, .uuid, .transformable, .composite, .undefined: "BLOB"
        }
    }

    /// The name in the XML of data models.
    init?(modelName: String) {
        switch modelName {
        case "Integer 16": self = .int16
        case "Integer 32": self = .int32
        case "Integer 64": self = .int64
        case "Decimal": self = .decimal
        case "Double": self = .double
        case "Float": self = .float
        case "String": self = .string
        case "Boolean": self = .bool
        case "Date": self = .date
        case "Binary", "Binary Data": self = .data
        case "UUID": self = .uuid
        case "URI": self = .uri
        case "Transformable": self = .transformable
        case "Composite": self = .composite
        case "ObjectID": self = .objectID
        case "Undefined": self = .undefined
        default: return nil
        }
    }

    /// The name for people.
    package var name: String { String(describing: self) }
}
