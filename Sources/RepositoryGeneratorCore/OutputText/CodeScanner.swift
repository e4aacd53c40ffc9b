/// A line of generated Swift with the positions that are outside all brackets and string literals.
///
/// It is a tokeniser for the output of the translators only, not for arbitrary Swift:
/// interpolations and regular expression literals are not recognised.
///
/// A scanner is created for each line that is too long, and for its parts.
///
/// In `find(name: [a, b], c)`, the positions of `find` and of both parentheses are at level zero;
/// those between the parentheses are not.
struct CodeScanner {
    /// The line, without indentation.
    let text: String
    /// The UTF-8 bytes of the line.
    private let bytes: [UInt8]
    /// The byte offsets at nesting level zero. The brackets themselves are included.
    private let outer: [Int]

    /// A bracketed group near the end of a line.
    struct Group {
        /// The text up to and including the opening bracket.
        var prefix: String
        /// The text between the brackets.
        var inside: String
        /// The closing bracket.
        var close: String
        /// The text after the closing bracket.
        var suffix: String
    }

    /// Scans a line once, in linear time.
    init(_ text: String) {
        self.text = text
        // All relevant characters are ASCII, and reading bytes is much faster than reading
        // characters.
        bytes = Array(text.utf8)
        var outer: [Int] = []
        var depth = 0
        var index = 0
        while index < bytes.count {
            if let end = Self.endOfString(in: bytes, at: index) {
                index = end
                continue
            }
            if Self.closes(bytes, index) { depth -= 1 }
            if depth == 0 { outer.append(index) }
            if Self.opens(bytes, index) { depth += 1 }
            index += 1
        }
        self.outer = outer
    }

    /// Returns whether the line contains a text at any level.
    func contains(_ word: String) -> Bool { text.contains(word) }

    /// The first position of a separator at nesting level zero.
    func first(of separator: String) -> String.Index? {
        let separator = Array(separator.utf8)
        return outer.first { stands(separator, at: $0) }.map(index)
    }

    /// The last position of a separator at nesting level zero.
    func last(of separator: String) -> String.Index? {
        let separator = Array(separator.utf8)
        return outer.last { stands(separator, at: $0) }.map(index)
    }

    /// The parts between the commas at nesting level zero.
    var elements: [String] {
        var elements: [String] = []
        var start = 0
        for place in outer where bytes[place] == UInt8(ascii: ",") {
            elements.append(Self.trimmed(text[index(start)..<index(place)]))
            start = place + 1
        }
        let last = Self.trimmed(text[index(start)...])
        return last.isEmpty ? elements : elements + [last]
    }

    /// For a line that ends with a braced block: the text up to the brace, and the content of the
    /// block.
    var block: (head: String, inside: String)? {
        guard text.hasSuffix(" }"), let open = last(of: "{ ") else { return nil }
        return (String(text[...open]), Self.trimmed(text[open...].dropFirst(2).dropLast(2)))
    }

    /// The last nonempty brackets at nesting level zero.
    var lastGroup: Group? {
        guard let close = outer.last(where: { bytes[$0] != Self.brace && Self.closes(bytes, $0) }),
            let open = outer.last(where: {
                $0 < close && bytes[$0] != Self.openBrace && Self.opens(bytes, $0)
            }),
            open + 1 < close
        else { return nil }
        return group(open, close)
    }

    /// The parameter list of a function declaration.
    var parameters: Group? {
        let word = Array("func ".utf8)
        guard let function = outer.first(where: { stands(word, at: $0) }),
            let open = outer.first(where: { $0 > function && bytes[$0] == UInt8(ascii: "(") }),
            let close = outer.first(where: { $0 > open && bytes[$0] == UInt8(ascii: ")") })
        else { return nil }
        return group(open, close)
    }

    /// Splits the line at the byte offsets of two brackets.
    private func group(_ open: Int, _ close: Int) -> Group {
        // The indices are computed from bytes: a bracket and a combining mark can form one
        // `Character`.
        let (inside, end, rest) = (index(open + 1), index(close), index(close + 1))
        return Group(
            prefix: String(text[..<inside]), inside: String(text[inside..<end]),
            close: String(text[end..<rest]), suffix: String(text[rest...]))
    }

    /// The string index of a byte offset.
    private func index(_ offset: Int) -> String.Index {
        text.utf8.index(text.utf8.startIndex, offsetBy: offset)
    }

    /// Returns whether the given bytes occur at an offset.
    private func stands(_ word: [UInt8], at place: Int) -> Bool {
        guard place + word.count <= bytes.count else { return false }
        for (offset, byte) in word.enumerated() where bytes[place + offset] != byte {
            return false
        }
        return true
    }

    private static let brace = UInt8(ascii: "}")
    private static let openBrace = UInt8(ascii: "{")

    /// `<` directly after a name opens generic arguments. As an operator it follows a space.
    private static func opens(_ bytes: [UInt8], _ index: Int) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): true
        case UInt8(ascii: "<"): index > 0 && endsName(bytes[index - 1])
        default: false
        }
    }

    /// `>` closes generic arguments, unless it ends an arrow or follows a space.
    private static func closes(_ bytes: [UInt8], _ index: Int) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): true
        case UInt8(ascii: ">"):
            index > 0 && bytes[index - 1] != UInt8(ascii: "-")
                && bytes[index - 1] != UInt8(ascii: " ")
        default: false
        }
    }

    /// Returns whether a byte can end an identifier. Outside string literals, non-ASCII bytes occur
    /// only in identifiers.
    private static func endsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: false
        }
    }

    /// Removes spaces at both ends.
    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// Returns the offset after the string literal that starts at `start`, or nil if no literal
    /// starts there. An unterminated literal extends to the end of the line.
    private static func endOfString(in bytes: [UInt8], at start: Int) -> Int? {
        let quote = UInt8(ascii: "\"")
        let number = UInt8(ascii: "#")
        let isRaw = bytes[start] == number
        guard isRaw || bytes[start] == quote else { return nil }
        var index = start + (isRaw ? 2 : 1)
        while index < bytes.count {
            if bytes[index] == quote {
                if !isRaw { return index + 1 }
                if index + 1 < bytes.count, bytes[index + 1] == number { return index + 2 }
            }
            index += !isRaw && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes.count
    }
}
