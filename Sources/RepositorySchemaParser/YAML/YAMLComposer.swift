internal import RepositorySchema

/// An error after which the file cannot be read further.
struct YAMLFailure: Error {
    /// The error with its location.
    var diagnostic: Diagnostic
}

/// Builds nodes from libyaml's events, document by document, within ``YAMLLimits``.
///
/// YAML features that the schema language does not support (tags, merge keys, keys that are not
/// strings, duplicate keys) are reported in `diagnostics`, and reading continues after them.
struct YAMLComposer: ~Copyable {
    private let reader: YAMLEventReader
    private let path: String
    private var positions: YAMLPositions
    /// The anchored nodes of the document, by name.
    private var anchors: [String: Anchor] = [:]
    /// The ranges of scalars with an anchor that no alias has used yet.
    private var unusedAnchors: [String: SourceRange] = [:]
    /// The number of nodes read, without aliases.
    private var nodeCount = 0
    /// The number of nodes that the aliases expand to.
    private var aliasNodeCount = 0
    /// The offset after the previous document, where the directives of the next one begin.
    private var documentEnd = 0
    /// The errors found so far.
    private(set) var diagnostics: [Diagnostic] = []

    /// An anchored node; nil while the node is being read. `size` and `depth` bound the cost of its
    /// aliases.
    private struct Anchor {
        var node: YAMLNode?
        var size = 0
        var depth = 0
    }

    /// Creates a composer from a text and an event reader of the same text.
    init(reader: consuming YAMLEventReader, bytes: UnsafeBufferPointer<UInt8>, path: String) {
        self.reader = reader
        self.path = path
        positions = YAMLPositions(bytes)
    }

    /// Reads the root of the next document; nil at the end of the file.
    ///
    /// - Throws: `YAMLFailure` if the text is not valid YAML or exceeds a limit.
    mutating func nextDocument() throws(YAMLFailure) -> YAMLNode? {
        reportUnusedAnchors()
        anchors = [:]
        while true {
            if positions.hasExcessDirectives(fromScalar: documentEnd) {
                throw failure(
                    "more than \(YAMLLimits.tagDirectives) '%TAG' lines before a document",
                    at: range(documentEnd, documentEnd),
                    help: "remove them: tags are not part of the schema language")
            }
            let event = try nextEvent()
            switch event.kind {
            case .streamEnd: return nil
            case .documentEnd: documentEnd = event.end
            case .streamStart, .documentStart: continue
            default: return try node(from: event, depth: 1).node
            }
        }
    }

    /// Reads the next event and converts an error to a diagnostic.
    private mutating func nextEvent() throws(YAMLFailure) -> YAMLEvent {
        do {
            return try reader.next()
        } catch {
            throw YAMLFailure(diagnostic: error.diagnostic(path: path, positions: &positions))
        }
    }

    /// Reads a node, whose first event has been read.
    ///
    /// - Returns: The node and its nesting depth.
    private mutating func node(
        from event: YAMLEvent, depth: Int
    ) throws(YAMLFailure) -> (node: YAMLNode, depth: Int) {
        if case .alias(let name) = event.kind { return try alias(name, event, depth: depth) }
        nodeCount += 1
        let start = range(event.start, event.end)
        guard nodeCount <= YAMLLimits.nodes else {
            throw failure(
                "the file contains more than \(YAMLLimits.nodes) values", at: start,
                help: "split it into several files")
        }
        guard depth <= YAMLLimits.depth else {
            throw failure(
                "lists and mappings are nested more than \(YAMLLimits.depth) levels deep",
                at: start, help: "declare a 'value' for what is inside")
        }
        guard diagnostics.count < YAMLLimits.diagnostics else {
            throw failure(
                "the file has more than \(YAMLLimits.diagnostics) errors up to here", at: start)
        }
        if event.isTagged {
            diagnostics.append(
                Diagnostic(
                    "tags such as '\(positions.word(fromScalar: event.start))' are not supported",
                    at: start, help: "quote it, if it is text that begins with '!'"))
        }
        let firstNode = nodeCount + aliasNodeCount
        if let anchor = event.anchor { anchors[anchor] = Anchor() }
        let result = try content(of: event, depth: depth)
        if let anchor = event.anchor {
            if result.node.scalar?.isPlain == true { unusedAnchors[anchor] = result.node.range }
            anchors[anchor] = Anchor(
                node: result.node, size: nodeCount + aliasNodeCount - firstNode + 1,
                depth: result.depth)
        }
        return result
    }

    /// Reads the content of a node, whose first event has been read.
    private mutating func content(
        of event: YAMLEvent, depth: Int
    ) throws(YAMLFailure) -> (node: YAMLNode, depth: Int) {
        switch event.kind {
        case .scalar(let text, let isPlain, let isQuoted):
            return (scalar(text, isPlain: isPlain, isQuoted: isQuoted, event), 1)
        case .sequenceStart:
            return try sequence(event, depth: depth)
        default:
            return try mapping(event, depth: depth)
        }
    }

    /// Creates a scalar node, and determines whether its text occurs verbatim in the file.
    private mutating func scalar(
        _ text: String, isPlain: Bool, isQuoted: Bool, _ event: YAMLEvent
    ) -> YAMLNode {
        let range = range(event.start, event.end)
        if event.isTagged {
            // The tag has been reported. The text after it is treated as an unquoted string, even
            // if it is empty.
            let text = text.isEmpty ? positions.word(fromScalar: event.start) : text
            return YAMLNode(
                content: .scalar(YAMLScalar(text: text, isPlain: false)), range: range)
        }
        if text.unicodeScalars.contains("\0") {
            diagnostics.append(
                Diagnostic(
                    "a value contains the character U+0000", at: range, help: "remove the '\\0'"))
        }
        var scalar = YAMLScalar(text: text, isPlain: isPlain)
        let quotes = isPlain ? 0 : 1
        if isPlain || isQuoted, range.start.line == range.end.line,
            event.end - event.start == text.unicodeScalars.count + 2 * quotes
        {
            scalar.verbatimOffset = quotes
        } else {
            scalar.source = positions.text(fromScalar: event.start, toScalar: event.end)
        }
        return YAMLNode(content: .scalar(scalar), range: range)
    }

    /// Reads the elements of a list.
    private mutating func sequence(
        _ event: YAMLEvent, depth: Int
    ) throws(YAMLFailure) -> (node: YAMLNode, depth: Int) {
        var elements: [YAMLNode] = []
        var deepest = 0
        while true {
            let next = try nextEvent()
            if case .sequenceEnd = next.kind {
                let range = range(event, to: next, last: elements.last?.range)
                return (YAMLNode(content: .sequence(elements), range: range), deepest + 1)
            }
            let element = try node(from: next, depth: depth + 1)
            elements.append(element.node)
            deepest = max(deepest, element.depth)
        }
    }

    /// Reads the entries of a mapping. Entries with an invalid or duplicate key are reported and
    /// omitted.
    private mutating func mapping(
        _ event: YAMLEvent, depth: Int
    ) throws(YAMLFailure) -> (node: YAMLNode, depth: Int) {
        var entries: [YAMLEntry] = []
        var seen: [String: SourceRange] = [:]
        var deepest = 0
        while true {
            let next = try nextEvent()
            if case .mappingEnd = next.kind {
                let range = range(event, to: next, last: entries.last?.value.range)
                return (YAMLNode(content: .mapping(entries), range: range), deepest + 1)
            }
            let key = try node(from: next, depth: depth + 1)
            let value = try node(from: try nextEvent(), depth: depth + 1)
            deepest = max(deepest, key.depth, value.depth)
            guard let name = checkedKey(key.node) else { continue }
            if let first = seen[name.value] {
                diagnostics.append(
                    Diagnostic(
                        "the key '\(name.value.shortened)' occurs twice", at: name.range,
                        help: "remove one of them",
                        notes: [Diagnostic.Note("it occurs here first", at: first)]))
            } else {
                seen[name.value] = name.range
                entries.append(YAMLEntry(key: name, value: value.node))
            }
        }
    }

    /// The key of a mapping entry; nil, after reporting an error, if it is not a valid key.
    private mutating func checkedKey(_ node: YAMLNode) -> Located<String>? {
        guard let scalar = node.scalar else {
            diagnostics.append(
                Diagnostic(
                    "a list or a mapping cannot be a key", at: node.range,
                    help: "quote it, if it is text"))
            return nil
        }
        if scalar.isPlain, scalar.text == "<<" {
            diagnostics.append(
                Diagnostic(
                    "merge keys ('<<') are not supported", at: node.range,
                    help: "write the keys out, or quote it if it is a name"))
            return nil
        }
        if scalar.text.isEmpty {
            diagnostics.append(
                Diagnostic(
                    "a key is missing before ':'", at: node.range,
                    help: "write 'name: value'"))
            return nil
        }
        return Located(scalar.text, at: node.range)
    }

    /// Resolves an alias to a copy of its node, within the limits.
    private mutating func alias(
        _ name: String, _ event: YAMLEvent, depth: Int
    ) throws(YAMLFailure) -> (node: YAMLNode, depth: Int) {
        let range = range(event.start, event.end)
        guard let anchor = anchors[name] else {
            throw failure(
                "no anchor '&\(name)' precedes this alias", at: range,
                help: "quote it, if it is text that begins with '*'")
        }
        unusedAnchors[name] = nil
        guard var node = anchor.node else {
            throw failure(
                "the alias '*\(name)' is used inside its own anchor", at: range,
                help: "write the value instead of the alias")
        }
        aliasNodeCount += anchor.size
        guard aliasNodeCount <= YAMLLimits.aliasNodes else {
            throw failure(
                "the aliases of this file expand to more than \(YAMLLimits.aliasNodes) values",
                at: range, help: "write the value instead of the alias")
        }
        guard depth + anchor.depth - 1 <= YAMLLimits.depth else {
            throw failure(
                "lists and mappings are nested more than \(YAMLLimits.depth) levels deep",
                at: range, help: "declare a 'value' for what is inside")
        }
        node.range = range
        if case .scalar(var scalar) = node.content {
            scalar.verbatimOffset = nil
            scalar.source = nil
            node.content = .scalar(scalar)
        }
        return (node, anchor.depth)
    }

    /// Reports unused anchors of scalars. Usually they are the beginning of a string that should
    /// have been quoted.
    private mutating func reportUnusedAnchors() {
        for (name, range) in unusedAnchors.sorted(by: { $0.value.start < $1.value.start }) {
            diagnostics.append(
                Diagnostic(
                    "the anchor '&\(name)' is never used", at: range,
                    help: "quote it, if it is text that begins with '&'; otherwise remove it"))
        }
        unusedAnchors = [:]
    }

    private mutating func range(_ start: Int, _ end: Int) -> SourceRange {
        let start = positions.position(ofScalar: start)
        return SourceRange(path: path, start: start, end: positions.position(ofScalar: end))
    }

    /// The range of a list or mapping. libyaml ends a block collection where the next token begins,
    /// which may be lines further down; here it ends with its last value.
    private mutating func range(
        _ first: YAMLEvent, to last: YAMLEvent, last child: SourceRange?
    ) -> SourceRange {
        var range = range(first.start, first.end)
        if last.end > last.start {
            range.end = positions.position(ofScalar: last.end)
        } else if let child {
            range.end = child.end
        }
        return range
    }

    private func failure(
        _ message: String, at range: SourceRange, help: String? = nil
    ) -> YAMLFailure {
        YAMLFailure(diagnostic: Diagnostic(message, at: range, help: help))
    }
}
