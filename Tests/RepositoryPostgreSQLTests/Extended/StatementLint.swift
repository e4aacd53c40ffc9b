#if PostgreSQL
    /// Rules for statements that also have to run on CockroachDB and YugabyteDB, on which the tests
    /// do not run.
    ///
    /// The rules read the words of a statement, without what is in quotes.
    struct StatementLint {
        /// What a statement must not use.
        enum Rule: String, CaseIterable {
            /// Numbers of sequences have gaps, and are a bottleneck of a cluster.
            case sequence
            /// A pooler or a gateway may run the next statement in another session.
            case sessionState
            /// `/` of integers is an integer in PostgreSQL and a decimal number in CockroachDB.
            case division
            /// `ON CONFLICT` must name the columns of a declared key.
            case conflict
            /// CockroachDB has no `LOCK TABLE`.
            case tableLock
        }

        /// The columns of the keys of each table.
        var keys: [String: Set<Set<String>>] = [:]

        /// Adds a key of a table.
        mutating func add(key: [String], of table: String) {
            keys[table, default: []].insert(Set(key))
        }

        /// Returns the rules that a text, which may have several statements, breaks.
        func broken(by text: String) -> Set<Rule> {
            let tokens = Self.tokens(text)
            let words = tokens.map { $0.isName ? "" : $0.text.uppercased() }
            var broken: Set<Rule> = []
            let sequences = ["NEXTVAL", "CURRVAL", "SETVAL", "LASTVAL", "SERIAL", "SEQUENCE"]
            if words.contains(where: sequences.contains) { broken.insert(.sequence) }
            if words.contains(where: { ["/", "%", "DIV", "MOD"].contains($0) }) {
                broken.insert(.division)
            }
            let session = [
                "RESET", "LISTEN", "UNLISTEN", "PREPARE", "DEALLOCATE", "DISCARD", "TEMP",
                "TEMPORARY", "DECLARE", "LOAD", "NOTIFY", "PG_NOTIFY", "SET_CONFIG",
                "PG_BACKEND_PID",
            ]
            if words.contains(where: session.contains)
                || words.contains(where: { $0.hasPrefix("PG_") && $0.contains("ADVISORY") })
            {
                broken.insert(.sessionState)
            }
            for (place, word) in words.enumerated() {
                let isFirst = place == 0 || words[place - 1] == ";"
                let next = place + 1 < words.count ? words[place + 1] : ""
                if word == "SET", isFirst, next != "LOCAL", next != "CONSTRAINTS" {
                    broken.insert(.sessionState)
                }
                if word == "LOCK", isFirst { broken.insert(.tableLock) }
                if word == "ON", next == "CONFLICT", !isKey(tokens, place) {
                    broken.insert(.conflict)
                }
            }
            return broken
        }

        /// Returns whether `ON CONFLICT` at a place names a key of the table of its `INSERT`.
        private func isKey(_ tokens: [Token], _ place: Int) -> Bool {
            let insert = tokens[..<place].lastIndex {
                !$0.isName && $0.text.uppercased() == "INTO"
            }
            guard let insert, insert + 1 < place, place + 2 < tokens.count,
                tokens[place + 2].text == "("
            else { return false }
            var columns: [String] = []
            for token in tokens[(place + 3)...] {
                if token.text == ")", !token.isName {
                    return keys[tokens[insert + 1].text]?.contains(Set(columns)) ?? false
                }
                if token.text != "," || token.isName { columns.append(token.text) }
            }
            return false
        }

        private struct Token {
            let text: String
            /// Whether it was in double quotes.
            var isName = false
        }

        /// Returns the words, names and signs of a text. Literals are left out.
        private static func tokens(_ text: String) -> [Token] {
            var tokens: [Token] = []
            var rest = Substring(text)
            while let first = rest.first {
                if first == "'" || first == "\"" {
                    rest.removeFirst()
                    let inside = rest.prefix { $0 != first }
                    rest = rest.dropFirst(inside.count + 1)
                    if first == "\"" { tokens.append(Token(text: String(inside), isName: true)) }
                } else if first.isLetter || first == "_" {
                    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                    rest = rest.dropFirst(word.count)
                    tokens.append(Token(text: String(word)))
                } else {
                    rest.removeFirst()
                    if !first.isWhitespace { tokens.append(Token(text: String(first))) }
                }
            }
            return tokens
        }
    }
#endif
