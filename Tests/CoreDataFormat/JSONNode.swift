import Foundation

/// A JSON value. Whole numbers are equal however they are written, and so are the numbers of
/// `{"$decimal": "…"}`.
indirect enum JSONNode: Decodable, Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case list([JSONNode])
    case object([String: JSONNode])

    /// Numbers are equal as numbers; two integers exactly.
    static func == (one: JSONNode, other: JSONNode) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.integer(let one), .number(let other)): Double(one) == other
        case (.number(let one), .integer(let other)): one == Double(other)
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one == other
        case (.list(let one), .list(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let found = try? value.decode(Bool.self) {
            self = .bool(found)
        } else if let found = try? value.decode(Int64.self) {
            self = .integer(found)
        } else if let found = try? value.decode(Double.self) {
            self = .number(found)
        } else if let found = try? value.decode(String.self) {
            self = .string(found)
        } else if let found = try? value.decode([JSONNode].self) {
            self = .list(found)
        } else {
            var members = try value.decode([String: JSONNode].self)
            // Why bytes are not read further, in words of another reader.
            members["$why"] = nil
            if members.count == 1, case .string(let text)? = members["$decimal"],
                let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
            {
                self = .object(["$decimal": .string(decimal.description)])
            } else {
                self = .object(members)
            }
        }
    }

    /// A member of an object.
    subscript(_ key: String) -> JSONNode? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The string, if it is one.
    var string: String? { if case .string(let text) = self { text } else { nil } }
}
