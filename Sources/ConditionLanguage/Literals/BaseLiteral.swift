package import StoredSchema

/// Why a text is no literal of a type.
package struct LiteralProblem {
    /// One sentence without a final full stop.
    package var message: String
    /// A suggestion for a fix, if there is one.
    package var help: String?

    /// Creates a problem.
    package init(_ message: String, _ help: String? = nil) {
        self.message = message
        self.help = help
    }

    /// Creates the problem of a literal that is not of a type.
    ///
    /// - Parameters:
    ///   - literal: the literal, for messages.
    ///   - type: the name of the type.
    ///   - help: a suggestion for a fix.
    package init(_ literal: String, isNo type: String, _ help: String? = nil) {
        self.init("\(literal) is no value of the type \(type)", help)
    }
}

/// The literals of base types, in schemas and in conditions.
package enum BaseLiteral {
    /// Returns the problem of a text as a literal of a base type; nil if it is one.
    ///
    /// - Parameters:
    ///   - text: the literal, without quotes.
    ///   - base: the type.
    ///   - name: the name of the type as schemas write it.
    package static func problem(
        _ text: String, as base: StoredBaseType, named name: String
    ) -> LiteralProblem? {
        let isValue: Bool
        var help: String?
        switch base {
        case .text: isValue = true
        case .bool:
            isValue = text == "true" || text == "false"
            help = "write 'true' or 'false'"
        case .float, .double:
            let value = NumberText(text)?.double
            isValue = value.map { base == .float ? Float($0).isFinite : $0.isFinite } ?? false
            help =
                NumberText(text) == nil ? "write a number such as 0.5 or 1e-3" : "it is too large"
        case .decimal:
            let number = NumberText(text)
            isValue = number?.hasExponent == false
            help = "write a number such as 12.50"
            if let number, isValue, number.significantDigits > 38 {
                return LiteralProblem(
                    "a Decimal has 38 digits at most, and this one \(number.significantDigits)")
            }
        case .date:
            isValue = DateLiteral.microseconds(text) != nil
            help = "write '2024-02-29' or '2024-02-29T12:30:00Z'"
        case .localDate:
            isValue = DateLiteral.isDay(text)
            help = "write a day of the years 1 to 9999 such as '2024-02-29'"
        case .uuid:
            isValue = StoredConstant.canonicalUUID(text) != nil
            help = "write 8-4-4-4-12 hexadecimal digits"
        case .url:
            isValue = isURL(text)
            help = "write it in ASCII, with '%20' and the like for other characters"
        case .data, .externalData: return LiteralProblem("Data cannot be written in a schema")
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
            guard let range = base.integers else { return nil }
            isValue = !text.hasPrefix("+") && Int64(text).map(range.contains) ?? false
            help = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
        }
        return isValue ? nil : LiteralProblem("'\(text.prefix(40))'", isNo: name, help)
    }

    /// Returns whether a text consists of the characters of a URL (RFC 3986, section 2), with
    /// complete percent escapes. The URL may be relative.
    private static func isURL(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return false }
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, isHexDigit(bytes[index + 1]),
                    isHexDigit(bytes[index + 2])
                else { return false }
            } else if byte <= 0x20 || byte >= 0x7F || refusedInURL.contains(byte) {
                return false
            }
        }
        return true
    }

    /// The printable ASCII characters that RFC 3986 does not allow.
    private static let refusedInURL = Set("\"<>\\^`{|}".utf8)

    /// Returns whether a byte is an ASCII hexadecimal digit.
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }
}

extension StoredBaseType {
    /// Whether values are written with quotes in conditions.
    package var isQuotedInConditions: Bool {
        switch self {
        case .text, .uuid, .url: true
        default: false
        }
    }
}

extension StoredConstant {
    /// The constant of a literal of a base type.
    ///
    /// - Parameter literal: a text of which ``BaseLiteral/problem(_:as:named:)`` has no problem.
    package init(literal text: String, as base: StoredBaseType) {
        switch base.kind {
        case .text: self = .text(text)
        case .bool: self = .bool(text == "true")
        // Adding zero converts negative zero to zero, which is how it is stored.
        case .double where base == .float:
            self = .double(Float(text).map { Double($0 + 0) } ?? 0)
        case .double: self = .double(Double(text).map { $0 + 0 } ?? 0)
        case .decimal: self = .decimal(DecimalNotation.canonical(text) ?? text)
        case .date: self = .date(DateLiteral.microseconds(text) ?? 0)
        case .uuid: self = .uuid(text.uppercased())
        case .data: self = .data("")
        case .integer: self = .integer(Int64(text) ?? 0)
        }
    }
}
