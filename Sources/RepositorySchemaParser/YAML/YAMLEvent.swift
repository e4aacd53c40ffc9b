/// An event of libyaml's parser, copied to Swift memory.
struct YAMLEvent {
    /// The kind of an event, with its data.
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias(String)
        case scalar(text: String, isPlain: Bool, isQuoted: Bool)
        case sequenceStart, sequenceEnd
        case mappingStart, mappingEnd
    }

    /// The kind of the event.
    var kind: Kind
    /// The name of the anchor (`&name`) at the node.
    var anchor: String?
    /// Whether the node has a tag (`!name`).
    var isTagged = false
    /// The range of the event: the offset of its first Unicode scalar, and the offset after its
    /// last one.
    var start: Int
    var end: Int
}

/// An error reported by libyaml.
struct YAMLParserError: Error {
    /// libyaml's description of the problem.
    var problem: String
    /// libyaml's description of what it was reading: `while parsing a block mapping`.
    var context: String?
    /// The location of the problem.
    var place: Place
    /// The offset at which the element in `context` begins.
    var contextStart: Int?

    /// An offset in the text. libyaml counts bytes if the text is not valid, and Unicode scalars
    /// otherwise.
    enum Place {
        case byte(Int)
        case scalar(Int)
    }
}
