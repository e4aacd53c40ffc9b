internal import RepositorySchema

extension YAMLNode {
    /// The position of each Unicode scalar of a scalar node's text; empty if the positions cannot
    /// be determined.
    var places: [SourcePosition] {
        guard let scalar else { return [] }
        let text = Array(scalar.text.unicodeScalars)
        if let offset = scalar.verbatimOffset {
            return text.indices.map {
                SourcePosition(
                    line: range.start.line, column: range.start.column + offset + $0)
            }
        }
        guard let source = scalar.source else { return [] }
        var alignment = ScalarAlignment(source: source, start: range.start)
        return alignment.places(of: text)
    }
}

/// Aligns the text of a scalar with its source in the file, which may contain quotes, escapes,
/// indentation and folded lines.
///
/// Text and source differ in whitespace, so the alignment skips whitespace in the source before
/// each other character. The cost is linear.
private struct ScalarAlignment {
    /// The style of the scalar, which determines escapes and the meaning of quotes.
    private enum Style {
        case plain, singleQuoted, doubleQuoted, block
    }

    private let source: [Unicode.Scalar]
    private let style: Style
    private var index = 0
    private var position: SourcePosition

    init(source: String, start: SourcePosition) {
        self.source = Array(source.unicodeScalars)
        position = start
        switch self.source.first {
        case "'": style = .singleQuoted
        case "\"": style = .doubleQuoted
        case "|", ">": style = .block
        default: style = .plain
        }
        switch style {
        case .plain: break
        case .singleQuoted, .doubleQuoted: advance()
        case .block: while let scalar = peek(), scalar != "\n" { advance() }
        }
    }

    /// The positions of all characters; empty if one of them is not found in the source.
    mutating func places(of text: [Unicode.Scalar]) -> [SourcePosition] {
        var places: [SourcePosition] = []
        for scalar in text {
            if Self.isSpace(scalar) {
                places.append(position)
                if peek() == scalar {
                    advance()
                } else if style == .doubleQuoted, peek() == "\\" {
                    advance(by: escapeLength)
                }
            } else {
                skipSpace()
                guard let next = peek() else { return [] }
                places.append(position)
                if style == .doubleQuoted, next == "\\" {
                    advance(by: escapeLength)
                } else {
                    guard next == scalar else { return [] }
                    advance(by: style == .singleQuoted && next == "'" ? 2 : 1)
                }
            }
        }
        return places
    }

    /// Skips whitespace and, in double quotes, escaped line breaks.
    private mutating func skipSpace() {
        while let scalar = peek() {
            let isContinuation =
                style == .doubleQuoted && scalar == "\\" && Self.isBreak(peek(1))
            guard isContinuation || Self.isSpace(scalar) else { return }
            advance()
        }
    }

    /// The number of characters of the escape sequence at the current position (YAML 1.1, section
    /// 5.6).
    private var escapeLength: Int {
        switch peek(1) {
        case "x": 4
        case "u": 6
        case "U": 10
        default: 2
        }
    }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        index + offset < source.count ? source[index + offset] : nil
    }

    /// Advances in the source and counts lines. A CRLF counts as one line break.
    private mutating func advance(by count: Int = 1) {
        for _ in 0..<count where index < source.count {
            let isBreak =
                source[index] == "\n" || (source[index] == "\r" && peek(1) != "\n")
            index += 1
            if isBreak {
                position = SourcePosition(line: position.line + 1, column: 1)
            } else {
                position.column += 1
            }
        }
    }

    private static func isBreak(_ scalar: Unicode.Scalar?) -> Bool {
        scalar == "\n" || scalar == "\r"
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || isBreak(scalar)
    }
}
