/// A constant of a schema in the description, with its type and exact value.
///
/// In JSON, the constant is an object with its type as the only key, for example `{"integer": 5}`.
package indirect enum StoredConstant: Sendable {
    /// The missing value. In JSON an object without keys.
    case null
    /// A Boolean.
    case bool(Bool)
    /// An integer of any integer type.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// A decimal number in decimal notation, without an exponent.
    case decimal(String)
    /// A date in microseconds since 1970.
    case date(Int64)
    /// A UUID: 36 upper-case characters.
    case uuid(String)
    /// A string.
    case text(String)
    /// Binary data, in Base64.
    case data(String)
    /// A list.
    case list([StoredConstant])
    /// A map or an embedded value, by key.
    case object([String: StoredConstant])
}

extension StoredConstant: Hashable {
    /// Whether two constants have the same type and value. Strings are compared by their bytes,
    /// decimals by value.
    package static func == (left: StoredConstant, right: StoredConstant) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.decimal(let left), .decimal(let right)): number(left) == number(right)
        case (.date(let left), .date(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.text(let left), .text(let right)): UTF8Order.areEqual(left, right)
        case (.data(let left), .data(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes what `==` compares.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value), .date(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(Self.number(value))
        case .text(let value): UTF8Order.hash(value, into: &hasher)
        case .uuid(let value), .data(let value): hasher.combine(value)
        case .list(let values): hasher.combine(values)
        case .object(let values): hasher.combine(values)
        }
    }

    /// The canonical text of a decimal; any other text unchanged.
    private static func number(_ text: String) -> String { DecimalNotation.canonical(text) ?? text }
}

extension StoredConstant: Codable {
    /// The types of constants. Null is an object without keys.
    private enum Key: String, CodingKey {
        case bool, integer, double, decimal, date, uuid, text, data, list, object
    }

    /// Decodes a constant from an object with one key, its type.
    ///
    /// - Throws: `DecodingError` for a value that is not of its type.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let key = container.allKeys.first else {
            self = .null
            return
        }
        /// Returns the string of the key if it has a valid form.
        func text(_ kind: String, _ valid: (String) -> String?) throws -> String {
            let text = try container.decode(String.self, forKey: key)
            guard let valid = valid(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "'\(text)' is no \(kind)")
            }
            return valid
        }
        switch key {
        case .bool: self = .bool(try container.decode(Bool.self, forKey: key))
        case .integer: self = .integer(try container.decode(Int64.self, forKey: key))
        case .double: self = .double(try container.decode(Double.self, forKey: key))
        case .decimal: self = .decimal(try text("decimal") { DecimalNotation.canonical($0) })
        case .date: self = .date(try container.decode(Int64.self, forKey: key))
        case .uuid: self = .uuid(try text("UUID", Self.canonicalUUID))
        case .text: self = .text(try container.decode(String.self, forKey: key))
        case .data: self = .data(try text("Base64", Self.base64))
        case .list: self = .list(try container.decode([StoredConstant].self, forKey: key))
        case .object:
            self = .object(try container.decode([String: StoredConstant].self, forKey: key))
        }
    }

    /// Encodes the constant as an object with one key, its type.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .null: break
        case .bool(let value): try container.encode(value, forKey: .bool)
        case .integer(let value): try container.encode(value, forKey: .integer)
        case .double(let value): try container.encode(value, forKey: .double)
        case .decimal(let value): try container.encode(value, forKey: .decimal)
        case .date(let value): try container.encode(value, forKey: .date)
        case .uuid(let value): try container.encode(value, forKey: .uuid)
        case .text(let value): try container.encode(value, forKey: .text)
        case .data(let value): try container.encode(value, forKey: .data)
        case .list(let values): try container.encode(values, forKey: .list)
        case .object(let values): try container.encode(values, forKey: .object)
        }
    }

    /// Returns a UUID in upper case; nil for a text that is not made of groups of 8-4-4-4-12
    /// hexadecimal digits.
    package static func canonicalUUID(_ text: String) -> String? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isHexDigit } })
        else { return nil }
        return text.uppercased()
    }

    /// Returns a text in Base64 with its padding; nil for any other text.
    private static func base64(_ text: String) -> String? {
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        let isValid = digits.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
        let padding = text.utf8.count - digits.count
        return isValid && text.utf8.count % 4 == 0 && padding <= 2 ? text : nil
    }
}

extension StoredConstant {
    /// Appends the constant to the input of a fingerprint.
    package func write(to text: inout CanonicalText) {
        switch self {
        case .null: text.add("null")
        case .bool(let value): text.add("bool", "\(value)")
        case .integer(let value): text.add("integer", "\(value)")
        case .double(let value): text.add("double", "\(value)")
        case .decimal(let value): text.add("decimal", value)
        case .date(let value): text.add("date", "\(value)")
        case .uuid(let value): text.add("uuid", value)
        case .text(let value): text.add("text", value)
        case .data(let value): text.add("data", value)
        case .list(let values):
            text.add("list")
            text.add(values) { $1.write(to: &$0) }
        case .object(let values):
            text.add("object")
            text.add(values.sorted { UTF8Order.precedes($0.key, $1.key) }) {
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
