/// A condition of a partial index or of a check, from which its text in the description is made.
///
/// Runtime and generator translate their own conditions to it, so that both write the same text.
package indirect enum StoredCondition: Sendable {
    /// A field, and the names of members inside it.
    package struct Path: Sendable {
        /// The name of the field.
        package var field: String
        /// The names inside the field, outermost first. Keys of maps can be any string.
        package var names: [String]
        /// Whether strings are compared case-folded.
        package var ignoresCase: Bool

        /// Creates a path.
        package init(_ field: String, _ names: [String] = [], ignoresCase: Bool = false) {
            self.field = field
            self.names = names
            self.ignoresCase = ignoresCase
        }
    }

    /// Always true or always false.
    case constant(Bool)
    /// A comparison with an operator: `==`, `<`, `<=`, `>` or `>=`.
    case compare(Path, String, StoredConstant)
    /// Membership in a set of constants, which are sorted in the order of conditions.
    case isIn(Path, [StoredConstant])
    /// A function of a string field and a string, such as `hasPrefix`.
    case text(String, Path, String)
    /// Whether a list contains an element.
    case hasElement(Path, StoredConstant)
    /// Whether all conditions hold.
    case all([StoredCondition])
    /// Whether at least one condition holds.
    case any([StoredCondition])
    /// Whether the condition does not hold.
    case not(StoredCondition)
    /// A condition that could not be created, with the reason.
    case invalid(String)
}

extension StoredCondition {
    /// The condition as canonical text for the description: equal conditions have equal texts, and
    /// different conditions have different texts.
    ///
    /// Fields appear by name and values with their type, so the text does not depend on the order
    /// of fields.
    package var text: String {
        switch self {
        case .constant(let value): return "\(value)"
        case .compare(let path, let comparison, let value):
            return "\(path.text) \(comparison) \(value.conditionText)"
        case .isIn(let path, let values):
            let list = values.map(\.conditionText).joined(separator: ", ")
            return "\(path.text) in [\(list)]"
        case .text(let function, let path, let text):
            return "\(function)(\(path.text), \(StoredConstant.quoted(text)))"
        case .hasElement(let path, let element):
            return "contains(\(path.text), \(element.conditionText))"
        case .all(let conditions): return Self.joined(conditions, " && ")
        case .any(let conditions): return Self.joined(conditions, " || ")
        case .not(let condition): return "!(\(condition.text))"
        case .invalid(let reason): return "invalid(\(StoredConstant.quoted(reason)))"
        }
    }

    /// Joins conditions with an operator, in parentheses.
    private static func joined(_ conditions: [StoredCondition], _ word: String) -> String {
        "(\(conditions.map(\.text).joined(separator: word)))"
    }
}

extension StoredCondition: ListedCondition {
    /// The members of a list of the operator; nil for any other condition.
    package func members(isAll: Bool) -> [StoredCondition]? {
        switch self {
        case .all(let members) where isAll: members
        case .any(let members) where !isAll: members
        default: nil
        }
    }
}

extension StoredCondition.Path {
    /// The name of the field, followed by the quoted names of the nested members.
    fileprivate var text: String {
        let text = ([field] + names.map(StoredConstant.quoted)).joined(separator: ".")
        return ignoresCase ? "folded(\(text))" : text
    }
}

extension StoredConstant {
    /// The constant with its type, as conditions write it.
    fileprivate var conditionText: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "double(\(value))"
        case .decimal(let value): "decimal(\(value))"
        case .date(let value): "date(\(value))"
        case .uuid(let value): "uuid(\(value))"
        case .text(let value): Self.quoted(value)
        case .data(let value): "data(\(value))"
        case .list(let values): "[\(values.map(\.conditionText).joined(separator: ", "))]"
        case .object(let values):
            "{\(values.sorted { UTF8Order.precedes($0.key, $1.key) }.map { "\(Self.quoted($0.key)): \($0.value.conditionText)" }.joined(separator: ", "))}"
        }
    }

    /// Returns a quoted string, with quotes and backslashes escaped.
    fileprivate static func quoted(_ text: String) -> String {
        var quoted = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            quoted.append(scalar)
        }
        return "\"\(String(quoted))\""
    }
}
