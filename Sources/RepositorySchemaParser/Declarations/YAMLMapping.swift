internal import RepositorySchema

/// The entries of a mapping by their keys, read as the types that their shapes promise.
///
/// A value that has not its shape reads as nil: it was reported when the shape was checked.
struct YAMLMapping {
    /// The entries in the order written.
    let entries: [YAMLEntry]
    private let values: [String: YAMLNode]

    /// Makes a view of a mapping's entries.
    init(_ entries: [YAMLEntry]) {
        self.entries = entries
        values = Dictionary(
            entries.map { ($0.key.value, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Makes a view of a node's entries; an empty one of what is no mapping.
    init(_ node: YAMLNode?) {
        self.init(node?.entries ?? [])
    }

    /// The value of a key.
    subscript(key: String) -> YAMLNode? { values[key] }

    /// A text.
    func text(_ key: String) -> Located<String>? {
        guard let node = values[key], !node.isNull else { return nil }
        return node.located
    }

    /// A condition with the places of its characters.
    func condition(_ key: String) -> ConditionText? {
        guard let text = text(key), !text.value.isEmpty else { return nil }
        return ConditionText(text.value, at: text.range, places: values[key]?.places ?? [])
    }

    /// A text of several lines, without the line breaks that a block ends with.
    func prose(_ key: String) -> String? {
        guard var text = text(key)?.value else { return nil }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// A name that keeps the shape's rules.
    func name(_ key: String) -> Located<String>? {
        values[key]?.located.flatMap { Naming.isIdentifier($0.value) ? $0 : nil }
    }

    /// A flag.
    func flag(_ key: String) -> Located<Bool>? {
        convert(key) { Bool($0) }
    }

    /// A number.
    func integer(_ key: String) -> Located<Int>? {
        convert(key) { Int($0) }
    }

    /// One of the cases of an enum by its raw value.
    func choice<Choice: RawRepresentable & Sendable>(
        _ key: String, as type: Choice.Type = Choice.self
    ) -> Located<Choice>? where Choice.RawValue == String {
        convert(key) { Choice(rawValue: $0) }
    }

    /// `true`, which reads as an empty text, or a text.
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

    /// The texts of a list, or the one text that stands for a list of itself.
    func texts(_ key: String) -> [Located<String>] {
        nodes(key).compactMap(\.located)
    }

    /// The elements of a list, or the one node that stands for a list of itself.
    func nodes(_ key: String) -> [YAMLNode] {
        guard let node = values[key], !node.isNull else { return [] }
        return node.elements ?? [node]
    }

    private func convert<Value>(_ key: String, _ convert: (String) -> Value?) -> Located<Value>? {
        guard let text = text(key), let value = convert(text.value) else { return nil }
        return Located(value, at: text.range)
    }
}

extension YAMLNode {
    /// The node as a type expression.
    var typeExpression: Located<TypeExpression>? {
        guard case .success(let type) = TypeExpression.parse(self) else { return nil }
        return Located(type, at: range)
    }

    /// The node as a literal; nil where a value is missing.
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

    /// The node as a field to sort or index by.
    var sortKey: SortKey? {
        guard var name = located else { return nil }
        let descending = name.value.hasPrefix("-")
        if descending {
            name.value.removeFirst()
            if scalar?.verbatimOffset != nil { name.range.start.column += 1 }
        }
        guard Naming.isIdentifier(name.value) else { return nil }
        return SortKey(field: name, descending: descending)
    }
}
