internal import RepositorySchema

/// Typed access to the values of a mapping by key.
///
/// A value of the wrong type reads as nil. ``ShapeChecker`` has reported it before.
struct YAMLMapping {
    /// The entries in source order.
    let entries: [YAMLEntry]
    private let values: [String: YAMLNode]

    /// Creates a view of a mapping's entries.
    init(_ entries: [YAMLEntry]) {
        self.entries = entries
        values = Dictionary(
            entries.map { ($0.key.value, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Creates a view of a node's entries. It is empty if the node is not a mapping.
    init(_ node: YAMLNode?) {
        self.init(node?.entries ?? [])
    }

    /// The node of a key's value.
    subscript(key: String) -> YAMLNode? { values[key] }

    /// A string.
    func text(_ key: String) -> Located<String>? {
        guard let node = values[key], !node.isNull else { return nil }
        return node.located
    }

    /// A condition with the positions of its characters.
    func condition(_ key: String) -> ConditionText? {
        guard let text = text(key), !text.value.isEmpty else { return nil }
        return ConditionText(text.value, at: text.range, places: values[key]?.places ?? [])
    }

    /// The names of `from`, by database.
    var sources: [SourceKind: Located<String>] {
        guard let node = values["from"] else { return [:] }
        let names = YAMLMapping(node)
        var sources: [SourceKind: Located<String>] = [:]
        for kind in SourceKind.allCases { sources[kind] = names.text(kind.rawValue) }
        return sources
    }

    /// A multi-line string, without trailing whitespace.
    func prose(_ key: String) -> String? {
        guard var text = text(key)?.value else { return nil }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// A name, if it is a valid identifier.
    func name(_ key: String) -> Located<String>? {
        values[key]?.located.flatMap { Naming.isIdentifier($0.value) ? $0 : nil }
    }

    /// A Boolean.
    func flag(_ key: String) -> Located<Bool>? {
        convert(key) { Bool($0) }
    }

    /// An integer.
    func integer(_ key: String) -> Located<Int>? {
        convert(key) { Int($0) }
    }

    /// A case of an enum, by its raw value.
    func choice<Choice: RawRepresentable & Sendable>(
        _ key: String, as type: Choice.Type = Choice.self
    ) -> Located<Choice>? where Choice.RawValue == String {
        convert(key) { Choice(rawValue: $0) }
    }

    /// A string, or `true`, which reads as an empty string.
    func flagOrText(_ key: String) -> Located<String>? {
        guard let text = text(key), text.value != "false" else { return nil }
        return text.value == "true" ? Located("", at: text.range) : text
    }

    /// A type expression.
    func type(_ key: String) -> Located<TypeExpression>? {
        values[key].flatMap { $0.typeExpression }
    }

    /// A literal.
    func literal(_ key: String) -> Located<Literal>? {
        values[key]?.literal
    }

    /// The strings of a list. A single string counts as a list of one.
    func texts(_ key: String) -> [Located<String>] {
        nodes(key).compactMap(\.located)
    }

    /// The elements of a list. A single node counts as a list of one.
    func nodes(_ key: String) -> [YAMLNode] {
        guard let node = values[key], !node.isNull else { return [] }
        return node.elements ?? [node]
    }

    /// Converts a scalar; nil if it is missing or cannot be converted.
    private func convert<Value>(_ key: String, _ convert: (String) -> Value?) -> Located<Value>? {
        guard let text = text(key), let value = convert(text.value) else { return nil }
        return Located(value, at: text.range)
    }
}

extension YAMLNode {
    /// The node as a type expression; nil if it is invalid.
    var typeExpression: Located<TypeExpression>? {
        guard case .success(let type) = TypeExpression.parse(self) else { return nil }
        return Located(type, at: range)
    }

    /// The node as a literal; nil if it is null.
    var literal: Located<Literal>? {
        switch content {
        case .scalar(let scalar):
            guard !isNull else { return nil }
            return Located(.scalar(scalar.text, isPlain: scalar.isPlain), at: range)
        case .sequence(let elements):
            return Located(.list(elements.compactMap(\.literal)), at: range)
        case .mapping(let entries):
            let literals = entries.compactMap { entry in
                entry.value.literal.map { Literal.MapEntry(key: entry.key, value: $0) }
            }
            return Located(.map(literals), at: range)
        }
    }

    /// The node as a field of an index or sort order; nil if it is invalid.
    var sortKey: SortKey? { key { Naming.isIdentifier($0) } }

    /// The node as a key of the order of a query; nil if it is invalid.
    var sortValue: SortKey? { key(SortKey.isValue) }

    /// The key of an index: a field, or the path of one inside a value. Nil if it is neither.
    var indexKey: SortKey? {
        key { path in
            path.split(separator: ".", omittingEmptySubsequences: false)
                .allSatisfy { Naming.isIdentifier(String($0)) }
        }
    }

    private func key(_ isName: (String) -> Bool) -> SortKey? {
        guard var name = located else { return nil }
        let descending = name.value.hasPrefix("-")
        if descending {
            name.value.removeFirst()
            if scalar?.verbatimOffset != nil { name.range.start.column += 1 }
        }
        guard isName(name.value) else { return nil }
        return SortKey(field: name, descending: descending)
    }
}
