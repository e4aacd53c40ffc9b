/// An event of libyaml's parser, copied out of C memory.
struct YAMLEvent {
    /// What happened.
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias(String)
        case scalar(text: String, isPlain: Bool, isQuoted: Bool)
        case sequenceStart, sequenceEnd
        case mappingStart, mappingEnd
    }

    /// What happened.
    var kind: Kind
    /// The name of the anchor (`&name`) at the node.
    var anchor: String?
    /// Whether the node has a tag (`!name`).
    var isTagged = false
    /// Offsets in Unicode scalars: the event's first, and the one after its last.
    var start: Int
    var end: Int
}

/// An error as libyaml reports it.
struct YAMLParserError: Error {
    /// What is wrong, in libyaml's words.
    var problem: String
    /// What it was doing, in libyaml's words: `while parsing a block mapping`.
    var context: String?
    /// Where it is wrong.
    var place: Place
    /// Where what it was doing begins.
    var contextStart: Int?

    /// A place in the text: libyaml counts bytes where it cannot read them as text.
    enum Place {
        case byte(Int)
        case scalar(Int)
    }
}
