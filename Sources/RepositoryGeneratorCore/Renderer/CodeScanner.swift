/// A line of generated Swift and the places in it that stand inside no brackets and no string.
struct CodeScanner {
    let text: String
    /// The places of the line's own level, brackets themselves included.
    private let outer: [String.Index]

    /// Brackets that end the line, but for a few characters, and what stands in them.
    struct Group {
        /// Everything up to and with the opening bracket.
        var prefix: String
        var inside: String
        var close: String
        var suffix: String
    }

    init(_ text: String) {
        self.text = text
        var outer: [String.Index] = []
        var depth = 0
        var index = text.startIndex
        while index < text.endIndex {
            if let end = Self.endOfString(in: text, at: index) {
                index = end
                continue
            }
            let character = text[index]
            if ")]}".contains(character) || Self.closesGenerics(text, index) { depth -= 1 }
            if depth == 0 { outer.append(index) }
            if "([{".contains(character) || Self.opensGenerics(text, index) { depth += 1 }
            index = text.index(after: index)
        }
        self.outer = outer
    }

    func contains(_ word: String) -> Bool { text.contains(word) }

    /// The first place of the line's own level where a separator stands.
    func first(of separator: String) -> String.Index? {
        outer.first { text[$0...].hasPrefix(separator) }
    }

    /// The last such place.
    func last(of separator: String) -> String.Index? {
        outer.last { text[$0...].hasPrefix(separator) }
    }

    /// The parts between the commas of the line's own level.
    var elements: [String] {
        var elements: [String] = []
        var start = text.startIndex
        for index in outer where text[index] == "," {
            elements.append(Self.trimmed(text[start..<index]))
            start = text.index(after: index)
        }
        let last = Self.trimmed(text[start...])
        return last.isEmpty ? elements : elements + [last]
    }

    /// A line that ends in a block of its own: its head up to the brace, and what stands in the braces.
    var block: (head: String, inside: String)? {
        guard text.hasSuffix(" }"), let open = last(of: "{ ") else { return nil }
        return (String(text[...open]), Self.trimmed(text[open...].dropFirst(2).dropLast(2)))
    }

    /// The last brackets of the line's own level that hold something.
    var lastGroup: Group? {
        guard let close = outer.last(where: { ")]".contains(text[$0]) || isGenericsEnd($0) }),
            let open = outer.last(where: { $0 < close && !")]>".contains(text[$0]) && opens($0) }),
            text.index(after: open) < close
        else { return nil }
        return group(open, close)
    }

    /// The parameters of a function.
    var parameters: Group? {
        guard let function = first(of: "func "),
            let open = outer.first(where: { $0 > function && text[$0] == "(" }),
            let close = outer.first(where: { $0 > open && text[$0] == ")" })
        else { return nil }
        return group(open, close)
    }

    private func group(_ open: String.Index, _ close: String.Index) -> Group {
        Group(
            prefix: String(text[...open]), inside: String(text[open..<close].dropFirst()),
            close: String(text[close]), suffix: String(text[close...].dropFirst()))
    }

    private func opens(_ index: String.Index) -> Bool {
        "([".contains(text[index]) || Self.opensGenerics(text, index)
    }

    private func isGenericsEnd(_ index: String.Index) -> Bool { Self.closesGenerics(text, index) }

    /// `<` right after a name opens generic arguments; the operator has a space before it.
    private static func opensGenerics(_ text: String, _ index: String.Index) -> Bool {
        guard text[index] == "<", index > text.startIndex else { return false }
        let before = text[text.index(before: index)]
        return before.isLetter || before.isNumber
    }

    private static func closesGenerics(_ text: String, _ index: String.Index) -> Bool {
        guard text[index] == ">", index > text.startIndex else { return false }
        let before = text[text.index(before: index)]
        return before != "-" && before != " "
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// The place after the string literal that begins at an index; nil where none begins.
    private static func endOfString(in text: String, at start: String.Index) -> String.Index? {
        let isRaw = text[start] == "#"
        guard isRaw || text[start] == "\"" else { return nil }
        let delimiter = isRaw ? "\"#" : "\""
        var index = text.index(start, offsetBy: isRaw ? 2 : 1, limitedBy: text.endIndex)
        while let place = index, place < text.endIndex {
            if text[place...].hasPrefix(delimiter) {
                return text.index(place, offsetBy: delimiter.count)
            }
            let step = !isRaw && text[place] == "\\" ? 2 : 1
            index = text.index(place, offsetBy: step, limitedBy: text.endIndex)
        }
        return text.endIndex
    }
}
