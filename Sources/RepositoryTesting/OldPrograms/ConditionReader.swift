internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// Reads the text of a condition in the description of a table; see ``StoredCondition/text``.
struct ConditionReader {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private let layout: FieldLayout

    /// Returns the condition; nil if the text is not one.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - layout: the fields of the table.
    static func condition(_ text: String, _ layout: FieldLayout) -> ConditionTree? {
        var reader = ConditionReader(text, layout)
        guard let tree = reader.condition(), reader.position == reader.scalars.count else {
            return nil
        }
        return tree
    }

    private init(_ text: String, _ layout: FieldLayout) {
        scalars = Array(text.unicodeScalars)
        self.layout = layout
    }

    /// Consumes a text if it is next.
    private mutating func take(_ text: String) -> Bool {
        let expected = Array(text.unicodeScalars)
        guard scalars[position...].starts(with: expected) else { return false }
        position += expected.count
        return true
    }

    /// Consumes everything up to one of the given scalars.
    private mutating func word(until ends: String) -> String {
        var word = String.UnicodeScalarView()
        while position < scalars.count, !ends.unicodeScalars.contains(scalars[position]) {
            word.append(scalars[position])
            position += 1
        }
        return String(word)
    }

    private mutating func condition() -> ConditionTree? {
        if take("!(") { return condition().flatMap { take(")") ? .not($0) : nil } }
        if take("(") { return joined() }
        let start = position
        for kind in [TextSearch.Kind.equals, .contains, .hasPrefix] {
            for ignoringCase in [true, false]
            where take(kind.rawValue + (ignoringCase ? "IgnoringCase(" : "(")) {
                return function(kind, ignoringCase)
            }
        }
        if let comparison = comparison() { return comparison }
        position = start
        if take("true") { return .constant(true) }
        return take("false") ? .constant(false) : nil
    }

    /// Reads the rest of conditions in parentheses.
    private mutating func joined() -> ConditionTree? {
        var conditions: [ConditionTree] = []
        var isAny = false
        while !take(")") {
            if !conditions.isEmpty {
                isAny = take(" || ")
                guard isAny || take(" && ") else { return nil }
            }
            guard let next = condition() else { return nil }
            conditions.append(next)
        }
        return isAny ? .any(conditions) : .all(conditions)
    }

    /// Reads the arguments of a function.
    private mutating func function(
        _ kind: TextSearch.Kind, _ ignoringCase: Bool
    ) -> ConditionTree? {
        guard let path = path(), take(", "), let value = constant(), take(")") else { return nil }
        if case .list = layout.fields[path.field].type, kind == .contains {
            return .hasElement(path, value)
        }
        guard case .text(let text) = value else { return nil }
        return .text(path, TextSearch(kind, text, ignoringCase: ignoringCase))
    }

    private mutating func comparison() -> ConditionTree? {
        guard let path = path(), take(" ") else { return nil }
        if take("in [") { return list().map { .isIn(path, Set($0)) } }
        for comparison in [
            ConditionTree.Comparison.equal, .lessOrEqual, .greaterOrEqual, .less, .greater,
        ] where take(comparison.rawValue + " ") {
            return constant().map { .compare(path, comparison, $0) }
        }
        return nil
    }

    private mutating func path() -> FieldPath? {
        let isFolded = take("folded(")
        guard let field = layout.indexByKey[word(until: " .,)(")] else { return nil }
        var names: [String] = []
        while take(".") {
            guard let name = quoted() else { return nil }
            names.append(name)
        }
        var path = FieldPath(field, names)
        path.ignoresCase = isFolded
        return isFolded && !take(")") ? nil : path
    }

    private mutating func quoted() -> String? {
        guard take("\"") else { return nil }
        var text = String.UnicodeScalarView()
        while position < scalars.count {
            if take("\"") { return String(text) }
            _ = take("\\")
            guard position < scalars.count else { return nil }
            text.append(scalars[position])
            position += 1
        }
        return nil
    }

    /// Reads the rest of a list of constants.
    private mutating func list() -> [StoredValue]? {
        var values: [StoredValue] = []
        while !take("]") {
            guard values.isEmpty || take(", "), let value = constant() else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func constant() -> StoredValue? {
        if let text = quoted() { return .text(text) }
        if take("[") { return list().map(StoredValue.list) }
        if take("{") { return object() }
        if take("null") { return .null }
        if take("true") { return .bool(true) }
        if take("false") { return .bool(false) }
        for (name, make) in Self.constants where take(name + "(") {
            let text = word(until: ")")
            return take(")") ? make(text).map { StoredValue($0) } : nil
        }
        return Int64(word(until: " ,)]}")).map(StoredValue.integer)
    }

    private mutating func object() -> StoredValue? {
        var members: [String: StoredValue] = [:]
        while !take("}") {
            guard members.isEmpty || take(", "), let name = quoted(), take(": "),
                let value = constant()
            else { return nil }
            members[name] = value
        }
        return .object(members)
    }

    /// The constants that are written with the name of their type.
    private static let constants: [(String, @Sendable (String) -> StoredConstant?)] = [
        ("double", { Double($0).map(StoredConstant.double) }),
        ("decimal", { StoredConstant.decimal($0) }),
        ("date", { Int64($0).map(StoredConstant.date) }),
        ("uuid", { StoredConstant.uuid($0) }),
        ("data", { StoredConstant.data($0) }),
    ]
}
