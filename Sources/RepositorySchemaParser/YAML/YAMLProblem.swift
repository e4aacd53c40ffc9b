internal import RepositorySchema

extension YAMLParserError {
    /// The error in the terms of the schema language.
    func diagnostic(path: String, positions: inout YAMLPositions) -> Diagnostic {
        let start: SourcePosition
        var wording = YAMLProblem.wordings[problem]
        var line = ""
        switch place {
        case .byte(let offset):
            // For a truncated sequence libyaml reports the position of the missing byte.
            let isCutShort = problem == "invalid trailing UTF-8 octet"
            start = positions.position(ofByte: isCutShort ? offset - 1 : offset)
            wording = YAMLProblem.unreadable(problem)
        case .scalar(let offset):
            start = positions.position(ofScalar: offset)
            line = positions.text(fromScalar: offset)
            wording = YAMLProblem.wording(problem, at: line) ?? wording
            let isBehindValue =
                problem == "did not find expected key" && line.first != "?" && !line.isEmpty
                && !positions.isFirstOnLine(scalar: offset)
            if isBehindValue { wording = YAMLProblem.behindValue }
        }
        if line.isEmpty, let contextStart, let context,
            let unclosed = YAMLProblem.unclosed[context]
        {
            let opening = positions.position(ofScalar: contextStart)
            return Diagnostic(
                unclosed.message, at: SourceRange(path: path, start: opening, end: opening),
                help: unclosed.help)
        }
        var notes: [Diagnostic.Note] = []
        if let contextStart, let context, let text = YAMLProblem.contexts[context] {
            let position = positions.position(ofScalar: contextStart)
            if position != start {
                notes.append(
                    Diagnostic.Note(
                        text, at: SourceRange(path: path, start: position, end: position)))
            }
        }
        return Diagnostic(
            wording?.message ?? problem, at: SourceRange(path: path, start: start, end: start),
            help: wording?.help, notes: notes)
    }
}

/// The messages for libyaml's problems, in terms that authors of schemas know.
enum YAMLProblem {
    /// A message and a help text.
    struct Wording {
        var message: String
        var help: String?
    }

    /// The wording for a problem that depends on the text at its location.
    static func wording(_ problem: String, at text: String) -> Wording? {
        switch (problem, text.first) {
        case ("did not find expected node content", nil):
            Wording(
                message: "a value is expected here, and the line ends",
                help: "write the value, or close the list or mapping")
        case ("found character that cannot start any token", "\t"?):
            Wording(message: "a tab is used as indentation", help: "indent with spaces")
        case ("found character that cannot start any token", let first?):
            Wording(
                message: "a value cannot begin with '\(first)'",
                help: "quote it, if it is text")
        case ("did not find expected key", "?"?), ("did not find expected ',' or '}'", "?"?),
            ("mapping keys are not allowed in this context", "?"?):
            Wording(
                message: "'?' cannot follow a list that is not quoted",
                help: "quote the type of an optional list: \"[String]?\"")
        default: nil
        }
    }

    /// The wording for text that follows a complete value on the same line.
    static let behindValue = Wording(
        message: "nothing may follow the value on the same line",
        help: "quote the whole value: '\"a\" == b'")

    /// The wording for bytes that are not valid text.
    static func unreadable(_ problem: String) -> Wording {
        if problem.hasPrefix("control characters") {
            return Wording(
                message: "the file contains a control character",
                help: "remove it")
        }
        return Wording(message: "the file is not valid UTF-8", help: "save the file as UTF-8")
    }

    /// The help for an unexpected `: `, which has two common causes.
    private static let quoteColon = """
        quote a string that contains ': '; otherwise look above for a missing ':' or a wrong \
        indentation
        """

    /// The wordings by libyaml's `problem`.
    static let wordings: [String: Wording] = [
        "mapping values are not allowed in this context": Wording(
            message: "a second ':' is not allowed here", help: quoteColon),
        "mapping keys are not allowed in this context": Wording(
            message: "a key is not allowed here",
            help: "align it with the keys that it belongs to"),
        "block sequence entries are not allowed in this context": Wording(
            message: "a list entry ('- ') is not allowed here",
            help: "begin the list on a new line"),
        "could not find expected ':'": Wording(
            message: "a ':' is missing after this key", help: "write 'key: value'"),
        "did not find expected key": Wording(
            message: "a key is expected here",
            help: "align the keys of a mapping; quote a string that begins or ends with a quote"),
        "did not find expected '-' indicator": Wording(
            message: "a list entry ('- ') is expected here",
            help: "align the entries of a list; a list and keys do not mix"),
        "did not find expected ',' or ']'": Wording(
            message: "a ',' or ']' is expected here",
            help: "close the list with ']'; quote a string that contains brackets or commas"),
        "did not find expected ',' or '}'": Wording(
            message: "a ',' or '}' is expected here",
            help: "close the mapping with '}'; quote a string that contains braces or commas"),
        "did not find expected node content": Wording(
            message: "a value is expected here", help: "quote it, if it is text"),
        "did not find expected <document start>": Wording(
            message: "'---' is expected between two documents",
            help: "align the keys of a document with its first one"),
        "found unexpected end of stream": Wording(
            message: "the file ends inside a quoted text", help: "close the text with its quote"),
        "found unexpected document indicator": Wording(
            message: "the document ends inside a quoted text",
            help: "close the text with its quote"),
        "found unknown escape character": Wording(
            message: "this escape is not known",
            help: "write '\\\\' for a backslash, or use single quotes"),
        "did not find expected hexdecimal number": Wording(
            message: "hexadecimal digits are expected after this escape",
            help: "write '\\\\' for a backslash, or use single quotes"),
        "found invalid Unicode character escape code": Wording(
            message: "this escape is not a Unicode character"),
        "found a tab character where an indentation space is expected": Wording(
            message: "a tab is used as indentation", help: "indent with spaces"),
        "found a tab character that violates indentation": Wording(
            message: "a tab is used as indentation", help: "indent with spaces"),
        "did not find expected alphabetic or numeric character": Wording(
            message: "a name is expected after '&' or '*'",
            help: "quote it, if it is text that begins with '&' or '*'"),
        "did not find expected comment or line break": Wording(
            message: "nothing may follow here on the same line"),
        "found undefined tag handle": Wording(
            message: "tags are not supported",
            help: "quote it, if it is text that begins with '!'"),
        "did not find expected whitespace or line break": Wording(
            message: "a space is expected here", help: "quote it, if it is text"),
        "found unknown directive name": Wording(
            message: "a line cannot begin with '%'", help: "quote it, if it is text"),
        "found incompatible YAML document": Wording(
            message: "the document asks for another version of YAML",
            help: "remove the '%YAML' line"),
    ]

    /// The wordings for an unexpected end of the file, by libyaml's `context`.
    static let unclosed: [String: Wording] = [
        "while parsing a flow mapping": Wording(
            message: "this '{' is not closed", help: "close the mapping with '}'"),
        "while parsing a flow sequence": Wording(
            message: "this '[' is not closed", help: "close the list with ']'"),
        "while scanning a quoted scalar": Wording(
            message: "this quoted text is not closed", help: "close the text with its quote"),
    ]

    /// The notes for the element that libyaml was reading, by libyaml's `context`.
    static let contexts: [String: String] = [
        "while parsing a block mapping": "the mapping begins here",
        "while parsing a block collection": "the list begins here",
        "while parsing a flow mapping": "the '{' is here",
        "while parsing a flow sequence": "the '[' is here",
        "while scanning a quoted scalar": "the text begins here",
        "while scanning a simple key": "the key begins here",
        "while scanning a plain scalar": "the text begins here",
        "while scanning a block scalar": "the text begins here",
    ]
}
