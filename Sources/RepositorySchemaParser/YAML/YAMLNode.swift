internal import RepositorySchema

/// A node of a YAML document, with its location in the file.
///
/// An alias is replaced by a copy of the anchored node. The range of the copy is that of the alias;
/// the ranges inside it are those of the anchored node.
struct YAMLNode: Sendable {
    /// The content of a node.
    enum Content: Sendable {
        /// A scalar. Its type is determined by the key or field that it is the value of, not by its
        /// syntax.
        case scalar(YAMLScalar)
        /// A list.
        case sequence([YAMLNode])
        /// A mapping, in source order. Keys are unique.
        case mapping([YAMLEntry])
    }

    /// The content of the node.
    var content: Content
    /// The range from the first character to the position after the last one.
    var range: SourceRange

    /// The scalar, if the node is one.
    var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { return scalar }
        return nil
    }

    /// The elements, if the node is a sequence.
    var elements: [YAMLNode]? {
        if case .sequence(let elements) = content { return elements }
        return nil
    }

    /// The entries, if the node is a mapping.
    var entries: [YAMLEntry]? {
        if case .mapping(let entries) = content { return entries }
        return nil
    }

    /// The entries of a mapping with one user-chosen name, and those with defined keys. A single
    /// entry has the user-chosen name, whatever the name is. Nil if the node is not a mapping.
    func pair(keys: [String]) -> (names: [YAMLEntry], keys: [YAMLEntry])? {
        guard let entries else { return nil }
        guard entries.count > 1 else { return (entries, []) }
        return (
            entries.filter { !keys.contains($0.key.value) },
            entries.filter { keys.contains($0.key.value) }
        )
    }

    /// Whether the value is missing, or a plain `null` or `~`.
    var isNull: Bool {
        guard let scalar, scalar.isPlain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.text)
    }

    /// The node's text with its location, if the node is a scalar.
    var located: Located<String>? {
        scalar.map { Located($0.text, at: range) }
    }
}

/// A scalar, after unescaping and folding.
struct YAMLScalar: Sendable, Hashable {
    /// The text.
    var text: String
    /// Whether the scalar is neither quoted nor a block.
    var isPlain: Bool
    /// The length of the opening quote, if the text occurs verbatim in the file, on one line and
    /// without escapes; nil otherwise.
    var verbatimOffset: Int?
    /// The source in the file, if the text does not occur verbatim there; nil for an alias.
    var source: String?
}

/// A key and its value.
struct YAMLEntry: Sendable {
    /// The key with its location.
    var key: Located<String>
    /// The value.
    var value: YAMLNode
}

extension YAMLNode {
    /// The range of a part of the scalar's text, in Unicode scalars; the range of the whole node if
    /// the text does not occur verbatim in the file.
    func range(ofText part: Range<Int>) -> SourceRange {
        guard let offset = scalar?.verbatimOffset else { return range }
        var result = range
        result.start.column = range.start.column + offset + part.lowerBound
        result.end = result.start
        result.end.column += part.count
        return result
    }
}
