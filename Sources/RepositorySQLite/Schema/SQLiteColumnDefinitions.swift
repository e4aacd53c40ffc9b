internal import RepositorySQLCore

/// The definitions of columns in the text of a `CREATE TABLE` statement.
enum SQLiteColumnDefinitions {
    /// Returns the parts between the parentheses of a `CREATE TABLE` statement, by the name with
    /// which they begin, in lower case: the definitions of columns, and constraints.
    static func read(_ statement: String) -> [String: String] {
        var parts: [String: String] = [:]
        for part in split(Array(statement.utf8)) {
            let text = part.drop { isSpace($0) }
            guard let name = name(text) else { continue }
            let key = SQLiteCatalog.folded(name)
            if parts[key] == nil { parts[key] = String(decoding: text, as: UTF8.self) }
        }
        return parts
    }

    /// Splits the outermost parentheses at their commas. Comments become spaces.
    private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var part: [UInt8] = []
        var depth = 0
        var index = 0
        /// Takes the bytes up to the next one that fulfils a condition, and that one.
        func take(_ isEnd: (Int) -> Bool) -> ArraySlice<UInt8> {
            let start = index
            index += 1
            while index < bytes.count, !isEnd(index) { index += 1 }
            index = min(index + 1, bytes.count)
            return bytes[start..<index]
        }
        func follows(_ first: Character, _ second: Character) -> Bool {
            index + 1 < bytes.count && bytes[index] == first.asciiValue
                && bytes[index + 1] == second.asciiValue
        }
        while index < bytes.count {
            let byte = bytes[index]
            if follows("-", "-") {
                _ = take { bytes[$0] == UInt8(ascii: "\n") }
                part.append(UInt8(ascii: " "))
                continue
            }
            if follows("/", "*") {
                index += 1
                _ = take { bytes[$0] == UInt8(ascii: "/") && bytes[$0 - 1] == UInt8(ascii: "*") }
                part.append(UInt8(ascii: " "))
                continue
            }
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
                // A doubled quotation mark is taken as the begin of another text.
                part += take { bytes[$0] == byte }
                continue
            case UInt8(ascii: "["):
                part += take { bytes[$0] == UInt8(ascii: "]") }
                continue
            case UInt8(ascii: "("):
                depth += 1
                if depth == 1 { part = [] } else { part.append(byte) }
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 {
                    parts.append(part)
                    return parts
                }
                part.append(byte)
            case UInt8(ascii: ",") where depth == 1:
                parts.append(part)
                part = []
            default: part.append(byte)
            }
            index += 1
        }
        return parts
    }

    /// Returns the identifier with which a part begins.
    private static func name(_ part: ArraySlice<UInt8>) -> String? {
        guard let first = part.first else { return nil }
        let closing = first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first
        guard
            [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "]")]
                .contains(closing)
        else {
            let word = part.prefix { !isSpace($0) && $0 != UInt8(ascii: "(") }
            return String(decoding: word, as: UTF8.self)
        }
        var name: [UInt8] = []
        var rest = part.dropFirst()
        while let byte = rest.popFirst() {
            if byte == closing {
                if rest.first != closing || first == UInt8(ascii: "[") { break }
                rest = rest.dropFirst()
            }
            name.append(byte)
        }
        return String(decoding: name, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
}
