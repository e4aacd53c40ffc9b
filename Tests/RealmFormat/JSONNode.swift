import Foundation

/// A JSON value. Numbers are compared as numbers.
enum JSONNode: Decodable, Equatable {
    case null
    case bool(Bool)
    case int(Int64)
    case number(Double)
    case string(String)
    case array([JSONNode])
    case object([String: JSONNode])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let int = try? container.decode(Int64.self) {
            self = .int(int)
        } else if let number = try? container.decode(Double.self) {
            self = .double(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([JSONNode].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSONNode].self))
        }
    }

    /// A number, or the word of one that JSON lacks.
    static func double(_ value: Double) -> Self {
        if value.isNaN { return .object(["$float": .string("nan")]) }
        if value.isInfinite { return .object(["$float": .string(value < 0 ? "-inf" : "inf")]) }
        return Int64(exactly: value).map { .int($0) } ?? .number(value)
    }
}
