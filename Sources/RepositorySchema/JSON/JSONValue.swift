/// A JSON value. Objects preserve the order of their members, so that equal input gives equal
/// output.
public indirect enum JSONValue: Sendable, Hashable {
    /// A member of an object.
    public struct Member: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// Creates a member.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// An integer.
    case integer(Int)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// The members in order. Names are unique.
    case object([Member])

    /// Creates a string, or `null`.
    public init(_ text: String?) {
        self = text.map { .string($0) } ?? .null
    }

    /// Creates an object. Members whose value is nil are omitted.
    public static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    /// The JSON text on one line.
    public var text: String {
        var text = ""
        write(to: &text, indentation: nil)
        return text
    }

    /// The JSON text with one line per member and element, and a line break at the end.
    public var indentedText: String {
        var text = ""
        write(to: &text, indentation: 0)
        return text + "\n"
    }

    /// Appends the value. `indentation` is the current indentation in spaces; nil for a single
    /// line.
    private func write(to text: inout String, indentation: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            Self.write(elements, in: ("[", "]"), to: &text, indentation) { element, text, inner in
                element.write(to: &text, indentation: inner)
            }
        case .object(let members):
            Self.write(members, in: ("{", "}"), to: &text, indentation) { member, text, inner in
                Self.write(member.name, to: &text)
                text += inner == nil ? ":" : ": "
                member.value.write(to: &text, indentation: inner)
            }
        }
    }

    /// Appends the elements of an array or the members of an object, with their separators.
    private static func write<Element>(
        _ elements: [Element], in brackets: (String, String), to text: inout String,
        _ indentation: Int?, one: (Element, inout String, Int?) -> Void
    ) {
        text += brackets.0
        let inner = indentation.map { $0 + 2 }
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            if let inner { text += "\n" + String(repeating: " ", count: inner) }
            one(element, &text, inner)
        }
        if let indentation, !elements.isEmpty {
            text += "\n" + String(repeating: " ", count: indentation)
        }
        text += brackets.1
    }

    /// Appends a string literal. Control characters and line separators are escaped.
    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object with the members in the given order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
