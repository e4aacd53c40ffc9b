internal import ConditionLanguage
internal import RepositorySchema
internal import StoredSchema

/// Translates literals of the schema to Swift: to values of their types, and to values of the
/// runtime's `StoredValue`.
///
/// The validator has checked the literals, so the translation cannot fail.
///
/// - `swift(_:as:)` is used for default values, bounds and conditions.
/// - `stored(_:as:)` is used in the descriptions of fields.
///
/// ```
/// type       literal        swift                                          stored
/// Int        3              3                                              .integer(3)
/// String     a              "a"                                            .text("a")
/// Status     onLoan         .onLoan                                        .text("on_loan")
/// Date       2024-02-29     StoredDate.date(microseconds: 17091648…)       .date(…)
/// [String]   [a, b]         ["a", "b"]                                     .list([.text("a"), …])
/// ```
struct LiteralTranslator {
    let scope: SchemaScope

    /// Returns the literal as an expression of a type.
    func swift(_ literal: Literal, as type: TypeExpression) -> String {
        switch (type, literal) {
        case (.optional(let wrapped), _): return swift(literal, as: wrapped)
        case (.list(let element), .list(let values)):
            return "[" + values.map { swift($0.value, as: element) }.joined(separator: ", ") + "]"
        case (.map(let value), .map(let entries)):
            guard !entries.isEmpty else { return "[:]" }
            let parts = entries.map { entry in
                "\(SwiftLiteral.string(entry.key.value)): \(swift(entry.value.value, as: value))"
            }
            return "[" + parts.joined(separator: ", ") + "]"
        case (.base(let base), .scalar(let text, _)): return swift(text, as: base)
        case (.named, .scalar(let text, _)): return "." + Naming.escaped(text)
        // The validator rejects all other combinations.
        default: return "nil"
        }
    }

    /// Returns the literal as a `StoredValue` expression.
    func stored(_ literal: Literal, as type: TypeExpression) -> String {
        switch (type, literal) {
        case (.optional(let wrapped), _): return stored(literal, as: wrapped)
        case (.list(let element), .list(let values)):
            let parts = values.map { stored($0.value, as: element) }
            return ".list([" + parts.joined(separator: ", ") + "])"
        case (.map(let value), .map(let entries)):
            guard !entries.isEmpty else { return ".object([:])" }
            let parts = entries.map { entry in
                "\(SwiftLiteral.string(entry.key.value)): \(stored(entry.value.value, as: value))"
            }
            return ".object([" + parts.joined(separator: ", ") + "])"
        case (.base(let base), .scalar(let text, _)): return stored(text, as: base)
        case (.named(let name), .scalar(let text, _)): return stored(caseName: text, of: name)
        // The validator rejects all other combinations.
        default: return ".null"
        }
    }

    /// Returns a literal of a base type as an expression.
    private func swift(_ text: String, as base: BaseType) -> String {
        switch base {
        case .string: SwiftLiteral.string(text)
        case .bool: text
        // Adding zero converts negative zero to zero, which is how it is stored.
        case .float: Float(text).map { "\($0 + 0)" } ?? text
        case .double: Double(text).map { "\($0 + 0)" } ?? text
        case .decimal: DecimalLiteral.swift(text)
        case .date:
            "\(scope.names.qualified("StoredDate")).date(microseconds: \(DateLiteral.microseconds(text) ?? 0))"
        case .uuid: Self.uuid(text)
        case .url: "\(scope.names.qualified("EntityDefaults")).url(\(SwiftLiteral.string(text)))"
        case .data, .externalData: "Foundation.Data()"
        case .localDate:
            "\(scope.names.qualified("EntityDefaults")).localDate(\(Self.day(text)))"
        default: Int64(text).map { "\($0)" } ?? text
        }
    }

    /// Returns a literal of a base type as a `StoredValue` expression.
    private func stored(_ text: String, as base: BaseType) -> String {
        switch base.stored.kind {
        case .text: ".text(\(SwiftLiteral.string(text)))"
        case .bool: ".bool(\(text))"
        case .double where base == .float:
            Float(text).map { ".double(\(Double($0 + 0)))" } ?? text
        case .double: ".double(\(swift(text, as: base)))"
        case .decimal: ".decimal(\(swift(text, as: base)))"
        case .date: ".date(\(swift(text, as: base)))"
        case .uuid: ".uuid(\(swift(text, as: base)))"
        case .data: ".data(\(swift(text, as: base)))"
        case .integer: ".integer(\(swift(text, as: base)))"
        }
    }

    /// Returns the case of an enum, by its raw value, or of a union as a `StoredValue` expression.
    private func stored(caseName: String, of name: String) -> String {
        if case .union = scope.declarations[name] {
            return ".object([\(SwiftLiteral.string(caseName)): .object([:])])"
        }
        guard case .enumeration(let enumeration) = scope.declarations[name],
            let item = enumeration.cases.first(where: { $0.name.value == caseName })
        else { return ".null" }
        let raw = item.rawValue?.value ?? caseName
        return stored(raw, as: enumeration.rawType.value)
    }

    /// Returns the year, the month and the day as arguments.
    private static func day(_ text: String) -> String {
        text.split(separator: "-").map { "\(Int($0) ?? 1)" }.joined(separator: ", ")
    }

    /// Returns a UUID from its sixteen bytes. The initialiser that parses a string is failable.
    private static func uuid(_ text: String) -> String {
        let digits = Array(text.uppercased().filter(\.isHexDigit))
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map {
            "0x\(digits[$0])\(digits[$0 + 1])"
        }
        return "Foundation.UUID(uuid: (\(bytes.joined(separator: ", "))))"
    }
}

/// Writes Decimal values as exact Swift expressions. A floating-point literal would be converted
/// through a `Double` and lose digits.
///
/// ```
/// 12       12
/// 12.50    Foundation.Decimal(sign: .plus, exponent: -1, significand: 125)
/// ```
enum DecimalLiteral {
    /// Returns the expression of a decimal number. Integers of up to 18 digits are literals. Other
    /// numbers are composed of such literals with the initialiser that takes an exponent.
    static func swift(_ text: String) -> String {
        let isNegative = text.hasPrefix("-")
        let parts = text.drop(while: { $0 == "-" }).split(
            separator: ".", omittingEmptySubsequences: false)
        var fraction = parts.count > 1 ? parts[1] : ""
        while fraction.last == "0" { fraction.removeLast() }
        var digits = (String(parts.first ?? "0") + fraction).drop(while: { $0 == "0" })
        if digits.isEmpty { return "0" }
        if fraction.isEmpty, digits.count <= 18 { return (isNegative ? "-" : "") + digits }
        var significand = ""
        while !digits.isEmpty {
            let length = digits.count % 18 == 0 ? 18 : digits.count % 18
            let head = digits.prefix(length).drop(while: { $0 == "0" })
            digits = digits.dropFirst(length)
            let chunk = head.isEmpty ? "0" : String(head)
            significand =
                significand.isEmpty
                ? chunk : call(sign: false, exponent: 18, significand) + " + " + chunk
        }
        return call(sign: isNegative, exponent: -fraction.count, significand)
    }

    /// A call of the initialiser that takes a sign, an exponent and a significand.
    private static func call(sign isNegative: Bool, exponent: Int, _ significand: String) -> String
    {
        let sign = isNegative ? ".minus" : ".plus"
        return
            "Foundation.Decimal(sign: \(sign), exponent: \(exponent), significand: \(significand))"
    }
}
