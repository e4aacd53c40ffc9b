internal import Foundation

/// A constant of a schema in the store description, encoded with its type and exact value.
///
/// In JSON, the constant is an object with its type as the only key, for example `{"integer": 5}`.
/// Dates are microseconds since 1970, decimals are strings, and data is Base64.
public struct StoredConstant: Sendable, Hashable {
    /// The constant.
    public let value: StoredValue

    /// Wraps a constant.
    public init(_ value: StoredValue) {
        self.value = value
    }
}

extension StoredConstant: Codable {
    /// The types of constants. Null is an object without keys.
    private enum Key: String, CodingKey {
        case bool, integer, double, decimal, date, uuid, text, data, list, object
    }

    /// Decodes a constant from an object with one key, its type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let key = container.allKeys.first else {
            value = .null
            return
        }
        switch key {
        case .bool: value = .bool(try container.decode(Bool.self, forKey: key))
        case .integer: value = .integer(try container.decode(Int64.self, forKey: key))
        case .double: value = .double(try container.decode(Double.self, forKey: key))
        case .decimal:
            let text = try container.decode(String.self, forKey: key)
            guard let decimal = StoredDecimal.value(ofText: text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "'\(text)' is no decimal")
            }
            value = .decimal(decimal)
        case .date:
            value = .date(
                StoredDate.date(microseconds: try container.decode(Int64.self, forKey: key)))
        case .uuid: value = .uuid(try container.decode(UUID.self, forKey: key))
        case .text: value = .text(try container.decode(String.self, forKey: key))
        case .data: value = .data(try container.decode(Data.self, forKey: key))
        case .list:
            value = .list(try container.decode([StoredConstant].self, forKey: key).map(\.value))
        case .object:
            value = .object(
                try container.decode([String: StoredConstant].self, forKey: key)
                    .mapValues(\.value))
        }
    }

    /// Encodes the constant as an object with one key, its type.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch value {
        case .null: break
        case .bool(let value): try container.encode(value, forKey: .bool)
        case .integer(let value): try container.encode(value, forKey: .integer)
        case .double(let value): try container.encode(value, forKey: .double)
        case .decimal(let value): try container.encode(value.description, forKey: .decimal)
        case .date(let value):
            try container.encode(StoredDate.microseconds(value), forKey: .date)
        case .uuid(let value): try container.encode(value, forKey: .uuid)
        case .text(let value): try container.encode(value, forKey: .text)
        case .data(let value): try container.encode(value, forKey: .data)
        case .list(let values):
            try container.encode(values.map(StoredConstant.init), forKey: .list)
        case .object(let values):
            try container.encode(values.mapValues(StoredConstant.init), forKey: .object)
        }
    }
}

extension StoredValue {
    /// Appends the constant to the input of a fingerprint.
    func write(to text: inout CanonicalText) {
        switch self {
        case .null: text.add("null")
        case .bool(let value): text.add("bool", "\(value)")
        case .integer(let value): text.add("integer", "\(value)")
        case .double(let value): text.add("double", "\(value)")
        case .decimal(let value): text.add("decimal", value.description)
        case .date(let value): text.add("date", "\(StoredDate.microseconds(value))")
        case .uuid(let value): text.add("uuid", value.uuidString)
        case .text(let value): text.add("text", value)
        case .data(let value): text.add("data", value.base64EncodedString())
        case .list(let values):
            text.add("list")
            text.add(values) { $1.write(to: &$0) }
        case .object(let values):
            text.add("object")
            text.add(values.sorted { String.identifierPrecedes($0.key, $1.key) }) {
                $0.add($1.key)
                $1.value.write(to: &$0)
            }
        }
    }
}

extension CanonicalText {
    /// Appends a type and a value.
    fileprivate mutating func add(_ kind: String, _ value: String) {
        add(kind)
        add(value)
    }
}
