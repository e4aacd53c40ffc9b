/// What only the text of a CREATE TABLE statement says: CHECK constraints and AUTOINCREMENT.
struct CreateTableText {
    private(set) var checks: [TableShape.Check] = []
    private(set) var isAutoincrement = false

    /// Reads a statement. What is not understood is skipped.
    init(_ text: String) {
        let tokens = SQLToken.tokens(of: text)
        guard let start = tokens.firstIndex(of: .symbol("(")) else { return }
        var depth = 0
        var name: String?
        var place = start
        while place < tokens.count {
            let token = tokens[place]
            place += 1
            if token == .symbol("(") { depth += 1 }
            if token == .symbol(")") { depth -= 1 }
            guard depth == 1 else {
                if depth == 0 { return }
                continue
            }
            if token == .symbol(",") {
                name = nil
            } else if token.isWord("AUTOINCREMENT") {
                isAutoincrement = true
            } else if token.isWord("CONSTRAINT"), place < tokens.count {
                name = tokens[place].identifier
                place += 1
            } else if token.isWord("CHECK"), place < tokens.count, tokens[place] == .symbol("(") {
                let condition = Self.bracket(tokens, at: place)
                checks.append(TableShape.Check(name: name, tokens: Array(tokens[condition])))
                name = nil
                place = condition.upperBound + 1
            }
        }
    }

    /// Returns the range of the tokens between the bracket at `place` and its counterpart.
    private static func bracket(_ tokens: [SQLToken], at place: Int) -> Range<Int> {
        var depth = 0
        for index in place..<tokens.count {
            if tokens[index] == .symbol("(") { depth += 1 }
            if tokens[index] == .symbol(")") {
                depth -= 1
                if depth == 0 { return place + 1..<index }
            }
        }
        return place + 1..<tokens.count
    }
}
