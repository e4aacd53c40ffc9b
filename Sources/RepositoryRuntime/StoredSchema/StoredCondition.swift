internal import Foundation

extension ConditionTree {
    /// Returns the condition as canonical text for the store description: equal conditions have
    /// equal texts, and different conditions have different texts.
    ///
    /// Fields appear by name and values with their type, so the result depends neither on the order
    /// of fields nor on the order of the elements of a set.
    func storedText(in layout: FieldLayout) -> String {
        switch self {
        case .constant(let value): return "\(value)"
        case .compare(let path, let comparison, let value):
            return "\(path.storedText(in: layout)) \(comparison.rawValue) \(value.storedText)"
        case .isIn(let path, let values):
            let list = values.sorted().map(\.storedText).joined(separator: ", ")
            return "\(path.storedText(in: layout)) in [\(list)]"
        case .text(let path, let search):
            let name = search.kind.rawValue + (search.ignoringCase ? "IgnoringCase" : "")
            let text = StoredValue.text(search.text).storedText
            return "\(name)(\(path.storedText(in: layout)), \(text))"
        case .hasElement(let path, let element):
            return "contains(\(path.storedText(in: layout)), \(element.storedText))"
        case .all(let conditions): return Self.joined(conditions, " && ", layout)
        case .any(let conditions): return Self.joined(conditions, " || ", layout)
        case .not(let condition): return "!(\(condition.storedText(in: layout)))"
        case .invalid(let reason): return "invalid(\(StoredValue.text(reason).storedText))"
        }
    }

    /// Joins conditions with an operator, in parentheses.
    private static func joined(
        _ conditions: [ConditionTree], _ word: String, _ layout: FieldLayout
    ) -> String {
        "(\(conditions.map { $0.storedText(in: layout) }.joined(separator: word)))"
    }
}

extension FieldPath {
    /// Returns the name of the field, followed by the quoted names of the nested members. Keys of
    /// maps can be any string.
    fileprivate func storedText(in layout: FieldLayout) -> String {
        let name = layout.fields.indices.contains(field) ? layout.fields[field].name : "?"
        let text = ([name] + names.map { StoredValue.text($0).storedText }).joined(separator: ".")
        return ignoresCase ? "folded(\(text))" : text
    }
}

extension StoredValue {
    /// The value as text with its type.
    fileprivate var storedText: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "double(\(value))"
        case .decimal(let value): "decimal(\(value))"
        case .date(let value): "date(\(StoredDate.microseconds(value)))"
        case .uuid(let value): "uuid(\(value.uuidString))"
        case .text(let value): Self.quoted(value)
        case .data(let value): "data(\(value.base64EncodedString()))"
        case .list(let values): "[\(values.map(\.storedText).joined(separator: ", "))]"
        case .object(let values):
            "{\(values.sorted { String.identifierPrecedes($0.key, $1.key) }.map { "\(Self.quoted($0.key)): \($0.value.storedText)" }.joined(separator: ", "))}"
        }
    }

    /// Returns a quoted string, with quotes and backslashes escaped.
    private static func quoted(_ text: String) -> String {
        var quoted = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            quoted.append(scalar)
        }
        return "\"\(String(quoted))\""
    }
}
