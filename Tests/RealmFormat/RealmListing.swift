import Foundation
import RealmFormat

/// The lines of a file, in the notation of the expected ones.
struct RealmListing {
    private let database: RealmDatabase

    init(_ database: RealmDatabase) { self.database = database }

    /// A line for the file and, for each table, one of its schema, one for each row, and one at its
    /// end.
    func lines() throws -> [JSONNode] {
        var lines: [JSONNode] = [
            .object([
                "realm": .object([
                    "format": .int(Int64(database.format)),
                    "streamed": .bool(database.isStreamed),
                    "version": .int(Int64(bitPattern: database.state.version)),
                    "historyType": .int(Int64(bitPattern: database.historyType)),
                    "schemaVersion": database.schemaVersion.map { .int(Int64(bitPattern: $0)) }
                        ?? .null,
                ])
            ])
        ]
        let pass = database.pass()
        for table in database.tables {
            lines.append(describe(table))
            let count = try pass.forEach(of: table) { object in
                lines.append(
                    .object([
                        "row": .int(object.key), "values": row(table.properties, object.values),
                    ]))
            }
            lines.append(
                .object(["end": .string(table.tableName), "rows": .int(Int64(count))]))
        }
        return lines
    }

    private func describe(_ table: RealmClass) -> JSONNode {
        var line: [String: JSONNode] = [
            "table": .string(table.tableName),
            "kind": .string(table.isInternal ? "internal" : table.kind.rawValue),
            "key": .int(Int64(table.key)), "columns": columns(table.properties),
        ]
        line["primaryKey"] = table.primaryKey.map { .string($0) }
        return .object(line)
    }

    private func columns(_ properties: [RealmProperty]) -> JSONNode {
        .array(
            properties.map { property in
                let collection = property.isSubtableList ? nil : property.collection
                var line: [String: JSONNode] = [
                    "name": .string(property.name),
                    "type": .string(
                        property.isSubtableList ? "table" : Self.words[property.type] ?? "?"),
                ]
                if property.isNullable, !property.isSubtableList { line["nullable"] = .bool(true) }
                line["collection"] = collection.map { .string($0.rawValue) }
                if collection == .dictionary {
                    line["key"] = Self.words[property.keyType].map { .string($0) }
                }
                if let target = property.target { line["target"] = name(target) }
                if property.isIndexed { line["indexed"] = .bool(true) }
                if property.isEnumerated { line["enumerated"] = .bool(true) }
                line["columns"] = property.columns.map(columns)
                return .object(line)
            })
    }

    private func row(_ properties: [RealmProperty], _ values: [RealmValue]) -> JSONNode {
        .object(
            Dictionary(
                zip(properties, values).map { property, value in
                    (
                        property.name,
                        property.type == .mixed && property.collection == nil
                            ? mixed(value) : plain(value, isMixed: property.type == .mixed)
                    )
                }, uniquingKeysWith: { $1 }))
    }

    /// A value with the word of its type.
    private func mixed(_ value: RealmValue) -> JSONNode {
        let word: String
        switch value {
        case .null: return .null
        case .int: word = "int"
        case .bool: word = "bool"
        case .float: word = "float"
        case .double: word = "double"
        case .string, .invalidString: word = "string"
        case .binary: word = "binary"
        case .date: word = "timestamp"
        case .decimal: word = "decimal"
        case .objectID: word = "objectId"
        case .uuid: word = "uuid"
        case .link: word = "link"
        case .list, .set: word = "list"
        case .dictionary: word = "dictionary"
        case .table: word = "table"
        }
        return .object(["$mixed": .array([.string(word), plain(value, isMixed: true)])])
    }

    private func plain(_ value: RealmValue, isMixed: Bool) -> JSONNode {
        func object(_ key: String, _ node: JSONNode) -> JSONNode { .object([key: node]) }
        func element(_ value: RealmValue) -> JSONNode {
            isMixed ? mixed(value) : plain(value, isMixed: false)
        }
        switch value {
        case .null: return .null
        case .int(let int): return .int(int)
        case .bool(let bool): return .bool(bool)
        case .float(let float): return .double(Double(float))
        case .double(let double): return .double(double)
        case .string(let string): return .string(string)
        case .invalidString(let bytes):
            return object("$string", .string(Data(bytes).base64EncodedString()))
        case .binary(let bytes):
            return object("$binary", .string(Data(bytes).base64EncodedString()))
        case .date(let date):
            return object("$date", .array([.int(date.seconds), .int(Int64(date.nanoseconds))]))
        case .decimal(let decimal): return object("$decimal", .string(decimal.description))
        case .objectID(let id): return object("$oid", .string(id.description))
        case .uuid(let id): return object("$uuid", .string(id.description))
        case .link(let link):
            return object("$link", .array([link.table.map(name) ?? .null, .int(link.key)]))
        case .list(let values), .set(let values): return .array(values.map(element))
        case .dictionary(let entries):
            // Whatever the type of the property: values of a dictionary have the words of theirs.
            let sorted = entries.sorted {
                Self.bytes($0.key).lexicographicallyPrecedes(Self.bytes($1.key))
            }
            return object(
                "$dict",
                .array(sorted.map { .array([plain($0.key, isMixed: false), mixed($0.value)]) }))
        case .table(let table):
            return object("$table", .array(table.rows.map { row(table.properties, $0) }))
        }
    }

    private static func bytes(_ key: RealmValue) -> [UInt8] {
        switch key {
        case .string(let string): Array(string.utf8)
        case .int(let int):
            withUnsafeBytes(of: (UInt64(bitPattern: int) ^ 1 << 63).bigEndian, Array.init)
        default: []
        }
    }

    private func name(_ key: UInt32) -> JSONNode {
        database.tables.last { $0.key == key }.map { .string($0.tableName) } ?? .null
    }

    private static let words: [RealmType: String] = [
        .int: "int", .bool: "bool", .string: "string", .binary: "binary", .table: "table",
        .mixed: "mixed", .oldDate: "olddate", .date: "timestamp", .float: "float",
        .double: "double", .decimal: "decimal", .link: "link", .objectID: "objectId",
        .typedLink: "typedLink", .uuid: "uuid",
    ]
}
