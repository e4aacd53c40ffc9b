internal import RepositoryGeneratorCore

/// The default of a column.
struct SQLDefault {
    private let tokens: [SQLToken]

    /// - Parameter tokens: the expression behind DEFAULT.
    init(_ tokens: [SQLToken]) {
        var tokens = tokens[...]
        while tokens.count > 2, tokens.first == .symbol("("), tokens.last == .symbol(")") {
            tokens = tokens.dropFirst().dropLast()
        }
        self.tokens = Array(tokens)
    }

    /// What a default is in a schema.
    enum Value: Equatable {
        /// Null, which optional fields have without a default.
        case null
        /// A literal in YAML.
        case literal(String)
        /// Nothing that a schema can say.
        case none
    }

    /// Returns the default of a field of a type.
    func value(as type: GuessedType) -> Value {
        if tokens.count == 1, tokens[0].isWord("NULL") { return .null }
        switch type {
        case .string: return text.map { .literal(YAMLText.quoted($0)) } ?? .none
        case .int: return number.flatMap { Int($0) }.map { .literal("\($0)") } ?? .none
        case .bool: return bool.map { .literal("\($0)") } ?? .none
        case .float, .double:
            return number.flatMap { Double($0) }.flatMap { $0.isFinite ? .literal("\($0)") : nil }
                ?? .none
        case .decimal:
            guard let number, number.utf8.allSatisfy({ (0x2D...0x39).contains($0) && $0 != 0x2F })
            else { return .none }
            return .literal(number)
        case .localDate:
            guard let text, text.utf8.count == 10, !text.isEmpty else { return .none }
            return .literal(text)
        case .date: return isNow ? .literal("now") : .none
        case .uuid: return isNewUUID ? .literal("generated") : .none
        case .data, .anyText: return .none
        }
    }

    /// The text of a string literal, or of a number in a column of text.
    private var text: String? {
        guard tokens.count == 1 else { return number }
        switch tokens[0] {
        // SQLite reads a name in double quotes as text here.
        case .string(let text), .name(let text): return text
        case .number(let text): return text
        default: return nil
        }
    }

    /// The text of a number with its sign; also of a string, which SQLite converts.
    private var number: String? {
        var tokens = tokens[...]
        var sign = ""
        if tokens.first == .symbol("-") || tokens.first == .symbol("+") {
            sign = tokens.first == .symbol("-") ? "-" : ""
            tokens = tokens.dropFirst()
        }
        guard tokens.count == 1 else { return nil }
        switch tokens.first {
        case .number(let text): return sign + text
        case .string(let text) where sign.isEmpty && Double(text) != nil: return text
        default: return nil
        }
    }

    private var bool: Bool? {
        if tokens.count == 1, tokens[0].isWord("TRUE") { return true }
        if tokens.count == 1, tokens[0].isWord("FALSE") { return false }
        return number == "0" ? false : number == "1" ? true : nil
    }

    /// Whether the default is a new UUID, in one of PostgreSQL's expressions.
    var isNewUUID: Bool {
        ["gen_random_uuid()", "uuid_generate_v4()"].contains(SQLToken.text(tokens).lowercased())
    }

    /// Whether the default is the current time, in one of the usual expressions.
    private var isNow: Bool {
        let text = SQLToken.text(tokens).lowercased()
        return [
            "current_timestamp", "datetime('now')", "datetime()", "unixepoch()",
            "unixepoch('now')", "strftime('%s', 'now')", "strftime('%s','now')",
            "strftime('%y-%m-%dt%h:%m:%sz', 'now')", "strftime('%y-%m-%dt%h:%m:%fz', 'now')",
            "strftime('%y-%m-%d %h:%m:%s', 'now')", "strftime('%y-%m-%d %h:%m:%f', 'now')",
            "julianday('now')",
        ].contains(text)
    }
}
