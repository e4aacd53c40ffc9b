internal import Foundation

/// Returns the predicates and expressions of a model as text, as far as they are known.
struct PredicateText {
    let archive: KeyedArchive
    /// How many expressions may still be read. They may be shared, or contain themselves.
    private var left = 1_000

    init(_ archive: KeyedArchive) { self.archive = archive }

    /// Returns a validation rule.
    static func rule(
        _ number: Int, in archive: KeyedArchive
    ) throws(CoreDataFileError) -> ModelProperty.Rule {
        var reader = PredicateText(archive)
        let text = try reader.text(number) ?? "?"
        guard let object = try archive.object(number),
            object.className == "NSComparisonPredicate",
            let left = try reader.text(object.members["NSLeftExpression"]),
            let operation = try reader.text(object.members["NSPredicateOperator"]),
            let right = try archive.object(object.members["NSRightExpression"]),
            right.className == "NSConstantValueExpression",
            let constant = right.members["NSConstantValue"],
            let value = try? archive.plain(constant)
        else { return ModelProperty.Rule(text: text, comparison: nil) }
        return ModelProperty.Rule(text: text, comparison: (left, operation, value))
    }

    /// Returns a predicate or an expression as text; `nil` if it is missing or unknown.
    static func text(
        _ number: Int?, in archive: KeyedArchive
    ) throws(CoreDataFileError) -> String? {
        var reader = PredicateText(archive)
        return try reader.text(number)
    }

    private static let operators: [Int: String] = [
        0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE",
        8: "BEGINSWITH", 9: "ENDSWITH", 10: "IN", 99: "CONTAINS", 100: "BETWEEN",
    ]

    private mutating func known(_ number: Int?) throws(CoreDataFileError) -> String {
        try text(number) ?? "?"
    }

    private mutating func list(_ number: Int?) throws(CoreDataFileError) -> [String] {
        var found: [String] = []
        for item in try archive.items(number) { found.append(try known(item)) }
        return found
    }

    private mutating func text(_ number: Int?) throws(CoreDataFileError) -> String? {
        guard let number else { return nil }
        left -= 1
        guard left >= 0 else {
            throw CoreDataFileError(.damaged, "A predicate of the model is too large.")
        }
        switch try archive.value(number) {
        case .string(let text): return "'\(text)'"
        case .integer(let value): return String(value)
        case .double(let value): return String(value)
        case .bool(let value): return value ? "True" : "False"
        case .object(let object): return try text(object, number)
        case .null, .date, .data, .list: return nil
        }
    }

    private mutating func text(
        _ object: KeyedArchive.Object, _ number: Int
    ) throws(CoreDataFileError) -> String? {
        let members = object.members
        switch object.className ?? "" {
        case "NSString", "NSMutableString": return try archive.string(number).map { "'\($0)'" }
        case "NSComparisonPredicate":
            let left = try known(members["NSLeftExpression"])
            let operation = try known(members["NSPredicateOperator"])
            return "\(left) \(operation) \(try known(members["NSRightExpression"]))"
        case "NSCompoundPredicate":
            let parts = try list(members["NSSubpredicates"]).map { "(\($0))" }
            switch try archive.integer(members["NSCompoundPredicateType"]) ?? 1 {
            case 0: return parts.first.map { "NOT \($0)" }
            case 2: return parts.joined(separator: " OR ")
            default: return parts.joined(separator: " AND ")
            }
        case let name where name.hasSuffix("PredicateOperator"):
            let operation = try archive.integer(members["NSOperatorType"]) ?? -1
            return Self.operators[operation] ?? "op\(operation)"
        case "NSKeyPathSpecifierExpression": return try archive.string(members["NSKeyPath"])
        case "NSConstantValueExpression": return try known(members["NSConstantValue"])
        case "NSSelfExpression": return "SELF"
        case "NSVariableExpression": return "$" + (try archive.string(members["NSVariable"]) ?? "?")
        case "NSKeyPathExpression":
            let path = try list(members["NSArguments"]).joined(separator: ".")
            let base = try known(members["NSOperand"])
            return base == "SELF" ? path : "\(base).\(path)"
        case "NSFunctionExpression":
            let name = (try archive.string(members["NSSelectorName"]) ?? "?").filter { $0 != ":" }
            return "\(name)(\(try list(members["NSArguments"]).joined(separator: ", ")))"
        default: return nil
        }
    }
}
