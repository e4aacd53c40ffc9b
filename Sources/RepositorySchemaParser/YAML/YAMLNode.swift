internal import RepositorySchema

/// A node of a YAML document, with its place in the file.
///
/// An alias is replaced by a copy of what it stands for: the copy's own range is the alias's, the
/// ranges inside it are those of the anchored node.
struct YAMLNode: Sendable {
    /// What a node holds.
    enum Content: Sendable {
        /// Text. What it means is decided by the key or type that it is for, not by its look.
        case scalar(YAMLScalar)
        /// A list.
        case sequence([YAMLNode])
        /// Keys and values in the order written; no key occurs twice.
        case mapping([YAMLEntry])
    }

    /// What the node holds.
    var content: Content
    /// From its first character to after its last one.
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

    /// Whether nothing is written where the node stands, or a plain `null` or `~`.
    var isNull: Bool {
        guard let scalar, scalar.isPlain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.text)
    }

    /// The node's text with its place, if it is a scalar.
    var located: Located<String>? {
        scalar.map { Located($0.text, at: range) }
    }
}

/// A scalar's text, after unescaping and folding.
struct YAMLScalar: Sendable, Hashable {
    /// The text.
    var text: String
    /// Whether it was written without quotes and not as a block.
    var isPlain: Bool
    /// How many characters the opening quote takes when the text stands in the file as it is, on one
    /// line and without escapes; nil otherwise.
    var verbatimOffset: Int?
    /// What stands in the file, where that is not the text as it is; nil for an alias.
    var source: String?
}

/// A key and its value.
struct YAMLEntry: Sendable {
    /// The key's text and place.
    var key: Located<String>
    /// The value.
    var value: YAMLNode
}

extension YAMLNode {
    /// The place of a part of the scalar's text, counted in Unicode scalars; the whole node where the
    /// text does not stand in the file as it is.
    func range(ofText part: Range<Int>) -> SourceRange {
        guard let offset = scalar?.verbatimOffset else { return range }
        var result = range
        result.start.column = range.start.column + offset + part.lowerBound
        result.end = result.start
        result.end.column += part.count
        return result
    }
}
