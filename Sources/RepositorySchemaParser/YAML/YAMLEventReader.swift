internal import CLibYAML

/// An event parser (libyaml) for bytes in memory.
///
/// The bytes must outlive the reader. The memory of an event is freed before `next` returns, and
/// all other memory of libyaml in `deinit`.
struct YAMLEventReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// Creates a reader of UTF-8 text without a byte order mark.
    ///
    /// - Throws: `YAMLParserError` if libyaml cannot allocate memory.
    init(_ bytes: UnsafePointer<UInt8>, count: Int) throws(YAMLParserError) {
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw YAMLParserError(problem: "out of memory", place: .scalar(0))
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes, count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// Reads the next event.
    ///
    /// - Throws: `YAMLParserError` if the text is not valid YAML. The reader must not be used after
    ///   an error.
    func next() throws(YAMLParserError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw error() }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(event)
    }

    /// The error in the parser's state. libyaml reports byte offsets only for invalid encodings.
    private func error() -> YAMLParserError {
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "out of memory"
        if state.error == YAML_READER_ERROR {
            return YAMLParserError(problem: problem, place: .byte(state.problem_offset))
        }
        let context = state.context.map { String(cString: $0) }
        return YAMLParserError(
            problem: problem, context: context, place: .scalar(state.problem_mark.index),
            contextStart: context == nil ? nil : state.context_mark.index)
    }
}

extension YAMLEvent {
    /// Copies an event, so that its C memory can be freed.
    fileprivate init(_ event: yaml_event_t) {
        self.init(kind: .streamEnd, start: event.start_mark.index, end: event.end_mark.index)
        switch event.type {
        case YAML_STREAM_START_EVENT: kind = .streamStart
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
        case YAML_ALIAS_EVENT: kind = .alias(Self.text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = .scalar(
                text: String(decoding: bytes, as: UTF8.self),
                isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
                isQuoted: scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE
                    || scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE)
            anchor = Self.text(scalar.anchor)
            isTagged = scalar.tag != nil
        case YAML_SEQUENCE_START_EVENT:
            kind = .sequenceStart
            anchor = Self.text(event.data.sequence_start.anchor)
            isTagged = event.data.sequence_start.tag != nil
        case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            kind = .mappingStart
            anchor = Self.text(event.data.mapping_start.anchor)
            isTagged = event.data.mapping_start.tag != nil
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        default: kind = .streamEnd
        }
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(decodingCString: $0, as: UTF8.self) }
    }
}
